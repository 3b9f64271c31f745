// Type-checks a scenario with the compiler that the user's project has, else with the one beside dyno-load,
// if any. The compiler runs as a process of its own: versions before 7 and from 7 on share a command line,
// and no programming interface.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ErrorIssue } from '../errors.ts';
import { packageFolder } from './package-version.ts';

export type TypeCheck =
  | { readonly kind: 'checked'; readonly compiler: string; readonly issues: readonly ErrorIssue[] }
  | { readonly kind: 'not-checked'; readonly why: string };

/** Type-checks one scenario file. Settings are ours (strict), save the user's `paths`. */
export async function typeCheck(path: string): Promise<TypeCheck> {
  if (!extname(path).endsWith('ts')) return { kind: 'not-checked', why: 'it is JavaScript' };
  const compiler = await findCompiler(path);
  if (!compiler) return { kind: 'not-checked', why: 'there is no TypeScript compiler in reach' };
  const folder = await mkdtemp(join(tmpdir(), 'dyno-load-check-'));
  try {
    const project = join(folder, 'tsconfig.json');
    await writeFile(project, JSON.stringify(await projectFor(path, compiler)));
    const output = await runCompiler(compiler, ['-p', project, '--pretty', 'false'], dirname(path));
    return {
      kind: 'checked',
      compiler: `TypeScript ${compiler.version}`,
      issues: readErrors(output, dirname(path)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Compiler {
  /** The script `tsc`. */
  readonly script: string;
  readonly version: string;
}

async function findCompiler(path: string): Promise<Compiler | undefined> {
  for (const from of [path, import.meta.url]) {
    const manifest = resolveFrom(from, 'typescript/package.json');
    if (manifest === undefined) continue;
    const content: unknown = JSON.parse(await readFile(manifest, 'utf8'));
    const version =
      typeof content === 'object' && content !== null && 'version' in content ? String(content.version) : '';
    return { script: join(dirname(manifest), 'bin', 'tsc'), version };
  }
  return undefined;
}

function resolveFrom(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    // Not installed in reach of `from`; what that means is the caller's to say.
    return undefined;
  }
}

/**
 * The text that the compiler wrote; it ends with a code other than 0 where it found errors, which is no
 * trouble here.
 */
function runCompiler(compiler: Compiler, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((done) => {
    execFile(process.execPath, [compiler.script, ...args], { cwd, maxBuffer: 1 << 26 }, (_error, stdout) =>
      done(stdout),
    );
  });
}

async function projectFor(path: string, compiler: Compiler): Promise<object> {
  const nodeTypes =
    resolveFrom(path, '@types/node/package.json') ?? resolveFrom(import.meta.url, '@types/node/package.json');
  return {
    compilerOptions: {
      target: 'es2023',
      // Without Node's types the browser's tell at least what `console` is.
      lib: nodeTypes === undefined ? ['es2023', 'dom'] : ['es2023'],
      module: 'preserve',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: nodeTypes === undefined ? [] : ['node'],
      ...(nodeTypes !== undefined && { typeRoots: [dirname(dirname(nodeTypes))] }),
      paths: { ...(await userPaths(path, compiler)), 'dyno-load': [ownTypes()] },
    },
    files: [path],
  };
}

/** Our own declarations: beside the built modules, or the sources where dyno-load runs from those. */
function ownTypes(): string {
  const isSource = import.meta.url.endsWith('.ts');
  return fileURLToPath(new URL(isSource ? '../index.ts' : '../index.d.ts', import.meta.url));
}

type Paths = { readonly [pattern: string]: readonly string[] };

/** The `paths` of the nearest tsconfig.json, made absolute. */
async function userPaths(path: string, compiler: Compiler): Promise<Paths> {
  const config = await nearestConfig(dirname(path));
  if (config === undefined) return {};
  const shown = await runCompiler(compiler, ['-p', config, '--showConfig'], dirname(config));
  const { paths, baseUrl } = readOptions(shown);
  const base = resolve(dirname(config), baseUrl);
  return Object.fromEntries(
    Object.entries(paths).map(([pattern, targets]) => [
      pattern,
      targets.map((target) => resolve(base, target)),
    ]),
  );
}

/**
 * What `tsc --showConfig` says of paths; nothing where it complains instead, as about a project without
 * inputs.
 */
function readOptions(shown: string): { readonly paths: Paths; readonly baseUrl: string } {
  const nothing = { paths: {}, baseUrl: '.' };
  if (!shown.trimStart().startsWith('{')) return nothing;
  // The compiler's own output has the compiler's own shape.
  const config = JSON.parse(shown) as { compilerOptions?: { paths?: Paths; baseUrl?: string } };
  return { ...nothing, ...config.compilerOptions };
}

async function nearestConfig(folder: string): Promise<string | undefined> {
  const config = join(folder, 'tsconfig.json');
  const isThere = await stat(config).then(
    (found) => found.isFile(),
    () => false, // Not there: the folder above may have one.
  );
  if (isThere) return config;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestConfig(parent);
}

/** One issue for each error outside of dyno-load itself; indented lines go on with the line before. */
function readErrors(output: string, cwd: string): readonly ErrorIssue[] {
  const own = [join(packageFolder(), 'src'), join(packageFolder(), 'dist')];
  const issues: ErrorIssue[] = [];
  for (const block of output.split(/\n(?! )/)) {
    const match = /^(.+)\((\d+),(\d+)\): error (TS\d+): ([^\n]*)\n?([\s\S]*)$/.exec(block.trimEnd());
    const [, file = '', line, column, code, message = '', more = ''] = match ?? [];
    const path = resolve(cwd, file);
    if (!match || own.some((folder) => path.startsWith(folder + sep))) continue;
    issues.push({
      what: `${relative(cwd, path)}:${line}:${column}  ${message}`,
      why: more.trim().split('\n').at(-1)?.trim() || `the compiler says so (${code})`,
      fix: 'correct the line',
    });
  }
  return issues;
}
