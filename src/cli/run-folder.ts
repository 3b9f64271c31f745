// The folder of a run on disk: made before load starts, so that a full disk or a wrong path is known early;
// run.json is replaced whole after each variant, so that whatever stops the run leaves a readable record;
// what was not recorded any more is taken from the segments.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { parseRunResult } from '../analysis/run-schema.ts';
import type { RunResult } from '../analysis/run-result.ts';
import { DynoLoadError } from '../errors.ts';
import { rebuildRun } from '../experiment/rebuild-run.ts';
import { lostRun } from './lost-run.ts';
import { readSegments, SEGMENTS_NAME } from './segment-files.ts';

const RECORD_NAME = 'run.json';

/** About what a run takes at the least; a disk without that much room is full. */
const PROBE_BYTES = 256 * 1024;

export class RunFolder {
  readonly path: string;
  /** As last written. */
  #recorded: RunResult | undefined;
  readonly #writeText: WriteText;

  private constructor(path: string, writeText: WriteText) {
    this.path = path;
    this.#writeText = writeText;
  }

  /**
   * Makes `<out>/<scenario>/<start time>/`; a number is added where that exists.
   * @param writeText  stands in for the disk in tests, once the folder is made
   * @throws DynoLoadError RUN_FOLDER_UNWRITABLE
   */
  static async create(
    outFolder: string,
    scenarioName: string,
    startedAt: Date,
    writeText: WriteText = writeFile,
  ): Promise<RunFolder> {
    const parent = join(outFolder, scenarioName);
    const base = startedAt
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
      .replaceAll(':', '-');
    try {
      await makeFolders(parent);
      for (let attempt = 1; ; attempt++) {
        const path = join(parent, attempt === 1 ? base : `${base}-${attempt}`);
        if (!(await makeNew(path))) continue;
        await probe(path);
        return new RunFolder(path, writeText);
      }
    } catch (error) {
      throw unwritable(parent, error);
    }
  }

  /** Path as a user would type it from `cwd`. */
  shownFrom(cwd: string): string {
    const path = relative(cwd, this.path);
    return path.startsWith('..') ? this.path : path;
  }

  /** As `write`, at once: for the moment before the process ends. */
  writeNow(result: RunResult): void {
    const path = join(this.path, RECORD_NAME);
    try {
      writeFileSync(`${path}.last`, textOf(result));
      renameSync(`${path}.last`, path);
      this.#recorded = result;
      rmSync(`${path}.new`, { force: true }); // A write that was under way.
    } catch (error) {
      for (const end of ['new', 'last']) removeNow(`${path}.${end}`);
      throw unwritable(path, error);
    }
  }

  /** Replaces the record. @throws DynoLoadError RUN_FOLDER_UNWRITABLE */
  async write(result: RunResult): Promise<void> {
    const path = join(this.path, RECORD_NAME);
    try {
      await this.#writeText(`${path}.new`, textOf(result));
      await rename(`${path}.new`, path);
      this.#recorded = result;
    } catch (error) {
      await rm(`${path}.new`, { force: true }).catch(() => undefined);
      throw unwritable(path, error);
    }
  }

  /** For the end of a report: where its record lies, or how much of it does. */
  recordOf(result: RunResult, cwd: string): string {
    if (this.#recorded === result) return join(this.shownFrom(cwd), RECORD_NAME);
    return `incomplete. ${this.contents(cwd)}`;
  }

  /** One line: which folder holds how much of the run. @param whole  the record as it is to be */
  contents(cwd: string, whole?: RunResult): string {
    const folder = this.shownFrom(cwd);
    if (whole !== undefined && this.#recorded === whole)
      return `${join(folder, RECORD_NAME)} is whole; what lies beside it is not.`;
    const beside = `${SEGMENTS_NAME} beside it holds what was recorded until then, and dyno-load report ${folder} reads both`;
    if (this.#recorded === undefined)
      return `There is no ${join(folder, RECORD_NAME)}; what was recorded until then is in ${SEGMENTS_NAME} there, and dyno-load report ${folder} reads it.`;
    const names = this.#recorded.variants.map(({ name, repeat }) =>
      repeat === undefined ? name : `${name} (repeat ${repeat + 1})`,
    );
    const held = names.length === 0 ? 'holds no variant yet' : `holds ${names.join(', ')}`;
    return `${join(folder, RECORD_NAME)} ${held}; ${beside}.`;
  }

  /** The error for what lies beside the record. */
  unwritable(cause: unknown): DynoLoadError {
    return unwritable(`${join(this.path, SEGMENTS_NAME)} and its histogram logs`, cause);
  }
}

type WriteText = (path: string, text: string) => Promise<void>;

/** As `readRunFile`, where it does not matter which file it is. */
export async function readRun(path: string): Promise<RunResult> {
  return (await readRunFile(path)).result;
}

interface ReadRun {
  readonly result: RunResult;
  /** Which file holds it, to stand behind "Record: ". */
  readonly file: string;
}

/**
 * Reads a run from its folder, or from the file itself. Of a run that was cut off, the folder also tells what
 * its segments hold.
 * @throws DynoLoadError RUN_FOLDER_INVALID
 */
export async function readRunFile(path: string): Promise<ReadRun> {
  if (basename(path).endsWith('.json')) return { result: await readRecord(path), file: path };
  const file = join(path, RECORD_NAME);
  const recorded = (await exists(file)) ? await readRecord(file) : undefined;
  if (recorded?.status === 'complete') return { result: recorded, file };
  const segments = await readSegments(path);
  const rebuilt = segments && rebuildRun({ ...segments, recorded });
  if (rebuilt !== undefined) return { result: rebuilt, file: rebuiltFrom(path, recorded !== undefined) };
  if (recorded !== undefined) return { result: recorded, file };
  throw await lostRun(path, segments?.lines);
}

function rebuiltFrom(path: string, isPartlyRecorded: boolean): string {
  const segments = join(path, SEGMENTS_NAME);
  return isPartlyRecorded
    ? `${join(path, RECORD_NAME)} is incomplete; the rest is from ${segments}`
    : `there is no ${join(path, RECORD_NAME)}; this is from ${segments}`;
}

async function readRecord(file: string): Promise<RunResult> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new DynoLoadError('RUN_FOLDER_INVALID', {
      what: `${file} cannot be read`,
      why: error instanceof Error ? error.message : String(error),
      fix: 'name the folder of a run, as printed at the end of `dyno-load run`',
      cause: error,
    });
  }
  return parseRunResult(parseJson(text, file), file);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DynoLoadError('RUN_FOLDER_INVALID', {
      what: `${file} is not JSON`,
      why: error instanceof Error ? error.message : String(error),
      fix: 'name the folder of a run, as printed at the end of `dyno-load run`',
      cause: error,
    });
  }
}

function removeNow(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The process ends; what stopped the write is told.
  }
}

function textOf(result: RunResult): string {
  return `${JSON.stringify(result, undefined, 1)}\n`;
}

/**
 * A folder with those above it. Node's own way (`recursive`) never ends where a folder refuses by ENOENT, as
 * /proc does.
 */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolders(dirname(path));
    await mkdir(path).catch((again: unknown) => {
      if (codeOf(again) !== 'EEXIST') throw again; // Somebody else may have made it meanwhile.
    });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function makeNew(path: string): Promise<boolean> {
  if (await exists(path)) return false;
  await mkdir(path);
  return true;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Writes a file of some size and removes it: a full disk still makes folders. */
async function probe(folder: string): Promise<void> {
  const path = join(folder, '.probe');
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES, 1));
    await rm(path);
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

function unwritable(path: string, cause: unknown): DynoLoadError {
  return new DynoLoadError('RUN_FOLDER_UNWRITABLE', {
    what: `the run cannot be recorded at ${path}`,
    why: cause instanceof Error ? cause.message : String(cause),
    fix: 'free space, correct the permissions, or choose another folder with --out',
    cause,
  });
}
