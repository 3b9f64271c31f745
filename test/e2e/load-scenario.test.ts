// Aim: a scenario file loads wherever it lies and however its project is set up, `dyno-load` in it is this
// package, nothing is written beside it, and what cannot be loaded says file, line and column. Method: files
// in folders of their own under the system's temporary folder, loaded by the real loader and checked by the
// real compiler.
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkScenario } from '../../src/cli/commands/check.ts';
import { loadScenario } from '../../src/cli/load-scenario.ts';
import { listScenarios, resolveScenario } from '../../src/cli/resolve-scenario.ts';
import { DynoLoadError, formatError } from '../../src/errors.ts';
import { validateScenario } from '../../src/scenario/validate.ts';

let folder = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'dyno load ')));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** A scenario that asks `question`, an expression. */
function scenarioText(question: string): string {
  return `defineScenario({
    question: ${question},
    tables: () => ({ keys: { partition: 'PK' } }),
    workloads: () => ({ w: put({ rate: 1, item: { PK: 'a' } }) }),
  })`;
}

const imports = `import { defineScenario, put } from 'dyno-load';\n`;
const plain = `${imports}const question: string = 'plain?';\nexport default ${scenarioText('question')};\n`;

async function questionOf(name: string): Promise<string> {
  const path = join(folder, name);
  return validateScenario(await loadScenario(path), { file: name }).question;
}

const projects: readonly {
  where: string;
  file: string;
  question: string;
  files: Readonly<Record<string, string>>;
}[] = [
  { where: 'beside nothing at all', file: 'a.ts', question: 'plain?', files: { 'a.ts': plain } },
  {
    where: 'in an ESM package',
    file: 'a.ts',
    question: 'plain?',
    files: { 'package.json': '{"type":"module"}', 'a.ts': plain },
  },
  {
    where: 'in a CommonJS package',
    file: 'a.ts',
    question: 'plain?',
    files: { 'package.json': '{"type":"commonjs"}', 'a.ts': plain },
  },
  {
    where: 'as .mts in a CommonJS package',
    file: 'a.mts',
    question: 'plain?',
    files: { 'package.json': '{}', 'a.mts': plain },
  },
  {
    where: 'as .mjs with a top-level await',
    file: 'a.mjs',
    question: 'awaited?',
    files: {
      'a.mjs': `${imports}const question = await Promise.resolve('awaited?');\nexport default ${scenarioText('question')};`,
    },
  },
  {
    where: 'as an ES module named .js in a CommonJS package',
    file: 'a.js',
    question: 'js?',
    files: {
      'package.json': '{"type":"commonjs"}',
      'a.js': `${imports}export default ${scenarioText("'js?'")};`,
    },
  },
  {
    where: 'as a CommonJS module',
    file: 'a.js',
    question: 'cjs?',
    files: {
      'a.js': `const { defineScenario, put } = require('dyno-load');\nmodule.exports = ${scenarioText("'cjs?'")};`,
    },
  },
  {
    where: 'with a tsconfig that maps paths',
    file: 'load/a.ts',
    question: 'mapped?',
    files: {
      'tsconfig.json':
        '{ // with a comment\n "compilerOptions": { "baseUrl": ".", "paths": { "@app/*": ["./app/*"] }, "module": "commonjs" } }',
      'app/texts.ts': `export const question: string = 'mapped?';`,
      'load/a.ts': `${imports}import { question } from '@app/texts';\nexport default ${scenarioText('question')};`,
    },
  },
  {
    where: 'with a neighbour imported without its ending',
    file: 'a.ts',
    question: 'near?',
    files: {
      'near.ts': `export const question: string = 'near?';`,
      'a.ts': `${imports}import { question } from './near';\nexport default ${scenarioText('question')};`,
    },
  },
  {
    where: 'with a package from its own node_modules',
    file: 'a.ts',
    question: 'package?',
    files: {
      'node_modules/texts/package.json': '{"name":"texts","type":"module","exports":"./index.js"}',
      'node_modules/texts/index.js': `export const question = 'package?';`,
      'a.ts': `${imports}import { question } from 'texts';\nexport default ${scenarioText('question')};`,
    },
  },
  {
    where: 'where an older dyno-load is installed',
    file: 'a.ts',
    question: 'plain?',
    files: {
      'node_modules/dyno-load/package.json': '{"name":"dyno-load","exports":"./index.js"}',
      'node_modules/dyno-load/index.js': 'exports.defineScenario = () => "something else";',
      'a.ts': plain,
    },
  },
];

describe('a scenario loads', () => {
  test.each(projects)('$where', async ({ file, files, question }) => {
    await write(files);
    expect(await questionOf(file)).toBe(question);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(expectedEntries(files));
  });
});

/** The files written and the folders above them: nothing else may be there after loading. */
function expectedEntries(files: Readonly<Record<string, string>>): string[] {
  const entries = new Set<string>();
  for (let name of Object.keys(files))
    for (; name !== '.'; name = dirname(name)) entries.add(join(...name.split('/')));
  return [...entries].sort();
}

const failures: readonly { what: string; content: string; texts: readonly string[] }[] = [
  {
    what: 'a syntax error',
    content: `${imports}\nexport default defineScenario({\n  question: 'a'\n  tables: 1,\n});`,
    texts: ['SCENARIO_NOT_LOADED  a.ts:5:3', 'Unexpected token'],
  },
  {
    what: 'code that throws',
    content: `${imports}interface A {\n  a: string;\n}\nthrow new RangeError('early');\nexport default 1;`,
    texts: ['SCENARIO_NOT_LOADED  a.ts:5:', 'RangeError: early'],
  },
  {
    what: 'a package that is not installed',
    content: `${imports}import nothing from 'no-such-package';\nexport default nothing;`,
    texts: ['a.ts:2:', "Cannot find module 'no-such-package'", 'npm install no-such-package'],
  },
  {
    what: 'a neighbour that is not there',
    content: `${imports}import { gone } from './gone.ts';\nexport default gone;`,
    texts: ['SCENARIO_NOT_LOADED', 'gone'],
  },
  {
    what: 'no default export',
    content: `${imports}export const scenario = ${scenarioText("'named?'")};`,
    texts: ['SCENARIO_NO_DEFAULT_EXPORT', 'it exports scenario'],
  },
  {
    what: 'no export at all',
    content: `${imports}void defineScenario;`,
    texts: ['SCENARIO_NO_DEFAULT_EXPORT', 'it exports nothing'],
  },
];

describe('a clear error comes of', () => {
  test.each(failures)('$what', async ({ content, texts }) => {
    await write({ 'a.ts': content });
    const told = await loadScenario(join(folder, 'a.ts'), { shownPath: 'a.ts' }).then(
      () => 'loaded',
      (error: unknown) => (error instanceof DynoLoadError ? formatError(error) : String(error)),
    );
    for (const text of texts) expect(told).toContain(text);
  });
});

describe('a scenario is found', () => {
  test.each([
    { given: 'here', path: 'here.ts' },
    { given: 'here.ts', path: 'here.ts' },
    { given: './sub/there', path: 'sub/there.mjs' },
    { given: 'mine', path: 'scenarios/mine.mts' },
    { given: 'sharding', path: 'scenarios/sharding.ts' },
  ])('by $given', async ({ given, path }) => {
    await write({
      'here.ts': '',
      'sub/there.mjs': '',
      'scenarios/mine.mts': '',
      'scenarios/here.ts': '',
      'scenarios/sharding.ts': '',
    });
    expect((await resolveScenario(given, folder)).path).toBe(join(folder, path));
  });

  test('among those that ship', async () => {
    const found = await resolveScenario('sharding.ts', folder);
    expect(found).toMatchObject({ name: 'sharding', path: expect.stringMatching(/scenarios.sharding\.ts$/) });
    const names = (await listScenarios(folder)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['cold-table', 'query-vs-scan', 'sharding']));
  });

  test('or the nearest name is told, and where it was looked for', async () => {
    await write({ 'scenarios/checkout.ts': '' });
    await expect(resolveScenario('chekout.ts', folder)).rejects.toMatchObject({
      code: 'SCENARIO_NOT_FOUND',
      why: expect.stringContaining(join(folder, 'scenarios')),
      fix: 'did you mean "checkout"?',
    });
  });
});

describe('check', () => {
  test('counts variants and workloads of a sound scenario', async () => {
    await write({ 'a.ts': plain });
    const { text, exitCode } = await checkScenario('a', folder);
    expect(text).toMatch(/^a\.ts: 1 variant, 1 workload, ok; types checked by TypeScript 7/);
    expect(exitCode).toBe(0);
  });

  test('tells what validation and the compiler find', async () => {
    const text = plain.replace('rate: 1', "rate: -1, tabel: 'main'");
    await write({ 'a.ts': text });
    const result = await checkScenario('a.ts', folder);
    expect(result.exitCode).toBe(2);
    expect(result.text).toContain('workloads.w.rate in a.ts is -1');
    expect(result.text).toMatch(/SCENARIO_TYPE_ERROR {2}a\.ts:6:\d+ .*'tabel' does not exist/);
  });

  test('follows the paths of the user’s tsconfig', async () => {
    const project = projects.find(({ where }) => where === 'with a tsconfig that maps paths');
    await write(project?.files ?? {});
    expect((await checkScenario('load/a.ts', folder)).text).toContain('types checked by');
  });

  test('leaves types of plain JavaScript alone', async () => {
    await write({ 'a.mjs': `${imports}export default ${scenarioText("'js?'")};` });
    expect((await checkScenario('a.mjs', folder)).text).toContain('types not checked (it is JavaScript)');
  });

  test.each(['sharding', 'cold-table', 'query-vs-scan', 'split-for-heat'])(
    '%s, which ships, is sound',
    async (name) => {
      const { text, exitCode } = await checkScenario(name, folder);
      expect({ text, exitCode }).toMatchObject({
        text: expect.stringContaining('ok; types checked'),
        exitCode: 0,
      });
    },
  );
});
