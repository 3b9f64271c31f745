// What is told of a folder from which no record can be made: of a run that was cut off before it measured
// anything, what it was about and how to go on; of a path that is no run, what lies there instead. Reading
// what can be read is for run-folder.ts.
import { stat } from 'node:fs/promises';
import type { EnvironmentLine, RunLine, SegmentsLine } from '../analysis/records/segments.ts';
import { DynoLoadError, type ErrorFacts } from '../errors.ts';
import { newestRun } from './newest-run.ts';

/**
 * Why a folder has no run that could be shown.
 * @param lines  those of its segments, none of which begins a variant; undefined: there is no such file
 * @returns RUN_FOLDER_INVALID
 */
export async function lostRun(
  folder: string,
  lines: readonly SegmentsLine[] | undefined,
): Promise<DynoLoadError> {
  const facts = lines === undefined ? await noRun(folder) : neverBegun(folder, lines);
  return new DynoLoadError('RUN_FOLDER_INVALID', facts);
}

function neverBegun(folder: string, [environment, run]: readonly SegmentsLine[]): ErrorFacts {
  const what = `the run in ${folder} was cut off before its first variant began: nothing was measured`;
  const gone = 'its process was gone while it made ready for load, killed or with its machine';
  if (environment?.kind !== 'environment' || run?.kind !== 'run')
    return {
      what,
      why: `${gone}; its segments do not even tell what was to run`,
      fix: 'there is nothing to recover: run the scenario again',
    };
  return { what, why: `${gone}; ${whatWasToRun(environment, run)}`, fix: howToGoOn(environment, run) };
}

function whatWasToRun({ environment }: EnvironmentLine, { scenario, order }: RunLine): string {
  return `it was ${scenario.name}, begun at ${environment.startedAt}, and was to run ${order.join(', ')}`;
}

/** A run that makes tables on a target gives them an ending of its own. */
function howToGoOn({ environment }: EnvironmentLine, { scenario }: RunLine): string {
  const again = `there is nothing to recover: run it again with dyno-load run ${scenario.name}`;
  const { tableNameSuffix } = environment;
  return tableNameSuffix === null
    ? again
    : `${again}, and delete the tables that it may have left on its target: their names begin with "dyno-load-" and end with "-${tableNameSuffix}"`;
}

async function noRun(path: string): Promise<ErrorFacts> {
  const found = await stat(path).catch((error: unknown) => error);
  if (found instanceof Error)
    return {
      what: `${path} is not there, or cannot be read`,
      why: found.message,
      fix: 'name the folder of a run, as printed at the end of `dyno-load run`',
      cause: found,
    };
  const newest = await newestRun(path, { err: () => undefined });
  if (newest !== path)
    return {
      what: `${path} holds no run.json`,
      why: 'it is a folder of runs, not one of them',
      fix: `name one of them; the newest is ${newest}`,
    };
  return {
    what: `${path} has no record: neither run.json nor segments.jsonl lies there`,
    why: 'it is not the folder of a run, or the run was killed before it wrote anything, or its disk was full',
    fix: 'name another folder, or run the scenario again: there is nothing to recover',
  };
}
