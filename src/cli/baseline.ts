// `run --baseline`: an earlier run read before load starts, the comparison told after it, and the files that
// options ask for. What the comparison means is decided in analysis/compare-gate.ts.
import { checkRules, gatesDecide, type GoalGate } from '../analysis/compare-gate.ts';
import { defaultRule, type FailRule } from '../analysis/compare-rule.ts';
import type { RunResult } from '../analysis/run-result.ts';
import { DynoLoadError } from '../errors.ts';
import { renderJunitRun } from '../report/junit.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import type { Io } from './io.ts';
import {
  type Compared,
  compareAndJudge,
  comparisonPublication,
  renderComparisons,
} from './print-comparison.ts';
import { type Publication, publish, type PublishOptions } from './publish.ts';
import { runPublication } from './report-format.ts';
import { newestRun } from './newest-run.ts';
import { readRun } from './run-folder.ts';

export interface BaselineOptions extends PublishOptions {
  /** Folder of an earlier run to compare with, or one that holds runs. */
  readonly baseline?: string;
  /** What fails then; empty: anything that got worse. */
  readonly failOn: readonly FailRule[];
}

/** An earlier run to hold this one against. */
export interface Baseline {
  readonly run: RunResult;
  readonly rules: readonly FailRule[];
}

/**
 * Reads the baseline before anything runs, so that a wrong folder or a misspelt rule costs nothing.
 * @returns undefined where none is named
 * @throws DynoLoadError RUN_FOLDER_INVALID, USAGE
 */
export async function readBaseline(
  { baseline, failOn }: BaselineOptions,
  plans: readonly RunPlan[],
  io: Io,
): Promise<Baseline | undefined> {
  if (baseline === undefined && failOn.length > 0)
    throw new DynoLoadError('USAGE', {
      what: '--fail-on without --baseline',
      why: 'it says which change against an earlier run fails',
      fix: 'add --baseline FOLDER; goals for a run by itself are the scenario’s thresholds',
    });
  if (baseline === undefined) return undefined;
  const rules = failOn.length > 0 ? failOn : [defaultRule];
  const run = await readRun(await newestRun(baseline, io));
  checkRules(rules, [...run.variants, ...plans]);
  return { run, rules };
}

/** The comparison with the baseline, if there is one. */
export function holdAgainst(baseline: Baseline | undefined, result: RunResult): readonly Compared[] {
  return baseline === undefined ? [] : [compareAndJudge(baseline.run, result, baseline.rules)];
}

/** Prints the comparison, below the report or, where stdout is JSON, apart from it; publishes both. */
export async function tellResult(
  result: RunResult,
  compared: readonly Compared[],
  options: BaselineOptions & { readonly json?: boolean } & GoalGate,
  io: Io,
): Promise<void> {
  if (compared.length > 0) {
    const text = `\n${renderComparisons(compared, 'terminal', io)}`;
    if (options.json) io.err(text);
    else io.out(text);
  }
  const gates = compared.map(({ gate }) => gate);
  if (gatesDecide(result, gates, options))
    io.err('None of the goals can be measured on this target, so the comparison decides.\n');
  const ofRun = runPublication(result);
  const ofComparison = comparisonPublication(compared);
  const publication: Publication = {
    junit: () => renderJunitRun(result, compared, options),
    markdown: () => [ofRun.markdown(), ofComparison.markdown()].filter(Boolean).join('\n'),
    annotations: () => ofRun.annotations() + ofComparison.annotations(),
  };
  await publish(publication, options, io);
}
