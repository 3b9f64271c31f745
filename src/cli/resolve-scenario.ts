// From what the user calls a scenario to its file: the path as given, then ./scenarios, then the scenarios
// that ship. The ending may be left out.
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { DynoLoadError } from '../errors.ts';
import { nearestName } from '../scenario/nearest-name.ts';
import { packageFolder } from './package-version.ts';

/** A scenario file that exists. */
export interface ScenarioFile {
  /** Absolute. */
  readonly path: string;
  /** For error texts: as short as it can be from where the user stands. */
  readonly shownPath: string;
  /** The file's name without its ending; names reports and tables. */
  readonly name: string;
}

/** Endings of scenario files, in the order in which they are tried. */
export const scenarioEndings = ['.ts', '.mts', '.js', '.mjs'] as const;

/** Where scenarios lie: the working folder, its `scenarios` folder, and this package's own. */
function scenarioFolders(cwd: string): readonly string[] {
  return [cwd, join(cwd, 'scenarios'), join(packageFolder(), 'scenarios')];
}

/**
 * Finds the file of a scenario.
 * @throws DynoLoadError SCENARIO_NOT_FOUND with the places that were looked at and the nearest name
 */
export async function resolveScenario(given: string, cwd: string): Promise<ScenarioFile> {
  const folders = scenarioFolders(cwd);
  for (const folder of folders)
    for (const ending of ['', ...scenarioEndings]) {
      const path = resolve(folder, given + ending);
      if (await isFile(path)) return describe(path, cwd);
    }
  throw await notFound(given, cwd, folders);
}

/**
 * Scenarios that can be run by name from here: those of `./scenarios`, then those that ship and are not
 * hidden by one of the same name.
 */
export async function listScenarios(cwd: string): Promise<readonly ScenarioFile[]> {
  const [, ...folders] = scenarioFolders(cwd);
  const found = new Map<string, ScenarioFile>();
  for (const folder of folders)
    for (const path of await scenarioFiles(folder)) {
      const file = describe(path, cwd);
      if (!found.has(file.name)) found.set(file.name, file);
    }
  return [...found.values()];
}

function describe(path: string, cwd: string): ScenarioFile {
  const fromHere = relative(cwd, path);
  const isBelow = !fromHere.startsWith('..') && !isAbsolute(fromHere);
  return {
    path,
    shownPath: isBelow ? fromHere.replaceAll('\\', '/') : path,
    name: basename(path, extname(path)),
  };
}

async function notFound(given: string, cwd: string, folders: readonly string[]): Promise<DynoLoadError> {
  const files = (await Promise.all(folders.map(scenarioFiles))).flat();
  const names = [...new Set(files.map((path) => describe(path, cwd).name))];
  const nearest = nearestName(basename(given, extname(given)), names);
  return new DynoLoadError('SCENARIO_NOT_FOUND', {
    what: `there is no scenario "${given}"`,
    why: `looked for it in ${folders.join(', ')}, also with the endings ${scenarioEndings.join(', ')}`,
    fix: nearest === undefined ? 'give the path of a scenario file' : `did you mean "${nearest}"?`,
  });
}

async function scenarioFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []); // A folder that is not there has no scenarios.
  return names
    .filter((name) => scenarioEndings.some((ending) => name.endsWith(ending)) && !name.endsWith('.d.ts'))
    .sort()
    .map((name) => join(folder, name));
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false, // Not there, or not to be seen: the next place is tried.
  );
}
