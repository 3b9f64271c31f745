// Imports a scenario file, TypeScript or JavaScript, wherever it lies. `dyno-load` in it always means this
// very package, in this very process; everything else resolves from the scenario's folder. Nothing is written
// beside the user's files.
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { DynoLoadError } from '../errors.ts';
import * as api from '../index.ts';
import { isScenario } from '../scenario/scenario.ts';
import { describeThrown, userFrame } from '../scenario/user-function.ts';
import { scenarioEndings } from './resolve-scenario.ts';

/**
 * A plain object: what a scenario takes from it is looked up at each use, for each operation too, and in a module
 * namespace behind the loader's proxy that is ten times as slow.
 */
const plainApi = { ...api };

/**
 * The default export of a scenario file, as yet unchecked.
 * @param options.shownPath  the file as error texts name it
 * @throws DynoLoadError SCENARIO_NOT_LOADED with file, line and column, SCENARIO_NO_DEFAULT_EXPORT
 */
export async function loadScenario(path: string, { shownPath = path } = {}): Promise<unknown> {
  if (!scenarioEndings.some((ending) => ending === extname(path))) throw wrongEnding(path, shownPath);
  const loaded = await importFile(resolve(path), shownPath);
  if (isScenario(loaded)) return loaded; // A CommonJS file with `module.exports = defineScenario(…)`.
  if (typeof loaded === 'object' && loaded !== null && Object.keys(loaded).includes('default'))
    return 'default' in loaded ? loaded.default : undefined;
  throw noDefaultExport(loaded, shownPath);
}

async function importFile(path: string, shownPath: string): Promise<unknown> {
  try {
    // Whoever imports this package by its name gets the modules that are running already: one set of markers,
    // one version.
    const jiti = createJiti(path, {
      fsCache: false,
      tsconfigPaths: true,
      virtualModules: { 'dyno-load': plainApi },
    });
    return await jiti.import(pathToFileURL(path).href);
  } catch (error) {
    throw notLoaded(error, path, shownPath);
  }
}

function notLoaded(error: unknown, path: string, shownPath: string): DynoLoadError {
  const facts = syntaxError(error) ?? missingModule(error, path) ?? thrownAtImport(error, path);
  const frame = facts.place?.replace(pathToFileURL(path).href, path).replace(path, shownPath);
  return new DynoLoadError('SCENARIO_NOT_LOADED', {
    what: `${frame ?? shownPath}  ${facts.what}`,
    why: facts.why,
    fix: facts.fix,
    cause: error,
  });
}

interface LoadFacts {
  /** `file:line:column`. */
  readonly place: string | undefined;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/**
 * The loader's parser reports `ParseError: text` and then the place on a line of its own; its columns count
 * from 0, everybody else's from 1.
 */
function syntaxError(error: unknown): LoadFacts | undefined {
  const text = error instanceof Error ? error.message : '';
  const match = /^(?:ParseError|SyntaxError): ([\s\S]*?)\s*\n\s*(.+):(\d+):(\d+)\s*$/.exec(text);
  const [, what, file, line, column] = match ?? [];
  if (what === undefined || file === undefined)
    return error instanceof SyntaxError ? plainSyntaxError(error) : undefined;
  return {
    place: `${file}:${line}:${Number(column) + 1}`,
    what,
    why: 'the file is not valid TypeScript or JavaScript here',
    fix: 'correct the line; the mistake may lie just before it',
  };
}

function plainSyntaxError(error: SyntaxError): LoadFacts {
  return {
    place: undefined,
    what: error.message,
    why: 'the file is not valid TypeScript or JavaScript',
    fix: 'correct it; an editor shows the line',
  };
}

function missingModule(error: unknown, path: string): LoadFacts | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!(error instanceof Error) || (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND'))
    return undefined;
  const what = error.message.split('\n')[0] ?? error.message;
  const name = /'([^']+)'/.exec(what)?.[1] ?? '';
  const isFile = name.startsWith('.') || name.startsWith('/');
  return {
    place: userFrame(error, path),
    what,
    why: isFile
      ? 'a path is read from the folder of the file that imports it'
      : 'packages are looked for from the scenario’s folder upwards',
    fix: isFile ? 'correct the path' : `install it there: npm install ${name}`,
  };
}

function thrownAtImport(error: unknown, path: string): LoadFacts {
  return {
    place: userFrame(error, path),
    what: `threw ${describeThrown(error)}`,
    why: 'the file’s own code ends with an exception while it is imported',
    fix: 'correct it; a name imported from dyno-load that is not a function there is misspelt',
  };
}

function wrongEnding(path: string, shownPath: string): DynoLoadError {
  return new DynoLoadError('SCENARIO_NOT_LOADED', {
    what: `${shownPath} has the ending "${extname(path)}"`,
    why: `scenario files end in ${scenarioEndings.join(', ')}`,
    fix: 'give a scenario file',
  });
}

function noDefaultExport(loaded: unknown, shownPath: string): DynoLoadError {
  const names = typeof loaded === 'object' && loaded !== null ? Object.keys(loaded) : [];
  return new DynoLoadError('SCENARIO_NO_DEFAULT_EXPORT', {
    what: `${shownPath} has no default export`,
    why: names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}`,
    fix: 'write export default defineScenario({ … })',
  });
}
