// @ts-check
// Lint rules of this project alone: which folder of src may import what, and no reading of the current date. The table they hold is an
// option in .oxlintrc.json; src/README.md says what lives where. JavaScript and not TypeScript, since the linter loads it under Node 20.

import path from 'node:path';

/**
 * One row of the table. An entry of `imports` or `types` is a folder of src (`stats/`), a file of src (`engine/target.ts`), a package
 * (`zod`, its subpaths included) or any of these by prefix (`@aws-sdk/*`, `*`).
 *
 * @typedef {object} Row
 * @property {string[]} imports  what may be imported besides the kernel and the folder itself
 * @property {string[]} [types]  what may be imported as types only
 * @property {string} elsewhere  where code belongs that needs more
 */

/**
 * @typedef {object} Table
 * @property {string[]} kernel  files at the top of src that everybody may import
 * @property {Record<string, Row>} rows  by file (`engine/generator-health.ts`), else by folder (`engine`); `kernel` is the kernel's own row
 */

/**
 * Says why an import is out of place.
 *
 * @param {Table} table
 * @param {string} file  the importing file, relative to src with forward slashes
 * @param {string} specifier  as written in the source
 * @param {boolean} isTypeOnly
 * @returns {string | undefined} the complaint with what is allowed; undefined when the import is in place
 */
export function misplacedImport(table, file, specifier, isTypeOnly) {
  const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;
  const name = table.rows[file] ? file : (folder ?? (table.kernel.includes(file) ? 'kernel' : file));
  const row = table.rows[name];
  if (!row) return `"${name}" has no row in the import table of .oxlintrc.json: add the row first.`;
  const target = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
  const isOwn = folder !== undefined && target.startsWith(`${folder}/`);
  const allowed = isTypeOnly ? [...row.imports, ...(row.types ?? [])] : row.imports;
  if (isOwn || table.kernel.includes(target) || allowed.some((entry) => covers(entry, target)))
    return undefined;
  return `${name} may not import ${target}. Besides itself and the kernel it may import: ${describe(row)}. ${row.elsewhere}`;
}

/** @param {string} entry @param {string} target */
function covers(entry, target) {
  if (entry.endsWith('*')) return target.startsWith(entry.slice(0, -1));
  if (entry.endsWith('/')) return target.startsWith(entry);
  return target === entry || target.startsWith(`${entry}/`);
}

/** @param {Row} row */
function describe(row) {
  const types = (row.types ?? []).map((entry) => `${entry} (types)`);
  return [...row.imports, ...types].join(', ') || 'nothing';
}

const imports = {
  meta: { schema: [{ type: 'object' }] },
  /** @param {any} context  the linter's own, as in ESLint's rule interface */
  create(context) {
    const file = path.relative(path.join(context.cwd, 'src'), context.filename).split(path.sep).join('/');
    /** @param {any} source @param {boolean} isTypeOnly */
    const check = (source, isTypeOnly) => {
      if (typeof source?.value !== 'string') return;
      const message = misplacedImport(context.options[0], file, source.value, isTypeOnly);
      if (message) context.report({ node: source, message });
    };
    return {
      /** @param {any} node */
      ImportDeclaration: (node) => check(node.source, node.importKind === 'type'),
      /** @param {any} node */
      ExportNamedDeclaration: (node) => check(node.source, node.exportKind === 'type'),
      /** @param {any} node */
      ExportAllDeclaration: (node) => check(node.source, node.exportKind === 'type'),
      /** @param {any} node */
      ImportExpression: (node) => check(node.source, false),
      /** @param {any} node */
      TSImportType: (node) => check(node.source, true),
    };
  },
};

const noCurrentDate = {
  /** @param {any} context */
  create(context) {
    /** @param {any} node */
    const check = (node) => {
      if (node.callee.name !== 'Date' || (node.type === 'NewExpression' && node.arguments.length > 0)) return;
      const message =
        'This reads the wall clock. Take the moment from the Clock port or as a value; cli reads the date of a run.';
      context.report({ node, message });
    };
    return { NewExpression: check, CallExpression: check };
  },
};

/** The plugin as the linter wants it. */
export default { meta: { name: 'architecture' }, rules: { imports, 'no-current-date': noCurrentDate } };
