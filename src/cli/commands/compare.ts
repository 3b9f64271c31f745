// `dyno-load compare`: runs held against a baseline, from their folders alone.
import { checkRules } from '../../analysis/compare-gate.ts';
import { defaultRule, type FailRule } from '../../analysis/compare-rule.ts';
import { exitCodeOf } from '../../analysis/exit-code.ts';
import type { Io } from '../io.ts';
import {
  type ComparisonFormat,
  compareAndJudge,
  comparisonPublication,
  renderComparisons,
  statusOf,
} from '../print-comparison.ts';
import { publish, type PublishOptions } from '../publish.ts';
import { newestRun } from '../newest-run.ts';
import { readRun } from '../run-folder.ts';

export interface CompareOptions extends PublishOptions {
  readonly format: ComparisonFormat;
  readonly json?: boolean;
  /** Empty: anything that got worse. */
  readonly failOn: readonly FailRule[];
}

/**
 * Compares each of `heads` with `base` and prints the result.
 * @returns the exit code: 0, 1 when a rule is missed, 4 when it cannot be told
 * @throws DynoLoadError RUN_FOLDER_INVALID, USAGE
 */
export async function compareCommand(
  base: string,
  heads: readonly string[],
  options: CompareOptions,
  io: Io,
): Promise<number> {
  const [baseline, ...candidates] = await Promise.all(
    [base, ...heads].map(async (path) => readRun(await newestRun(path, io))),
  );
  if (baseline === undefined) return exitCodeOf({ signal: null, errors: [], verdict: null });
  const rules = options.failOn.length > 0 ? options.failOn : [defaultRule];
  checkRules(
    rules,
    [baseline, ...candidates].flatMap((run) => run.variants),
  );
  const compared = candidates.map((candidate) => compareAndJudge(baseline, candidate, rules));
  io.out(renderComparisons(compared, options.json ? 'json' : options.format, io));
  await publish(comparisonPublication(compared), options, io);
  return exitCodeOf({ signal: null, errors: [], verdict: { status: statusOf(compared) } });
}
