// Two runs held against each other: what differs in how they were made, then what differs in what they found.
// Runs in virtual time are compared exactly; runs on a wall clock by their repeats. Whether a difference is a
// failure is the gate's business (compare-gate.ts).
//
// Repeat k of one run is paired with repeat k of the other. The runs are independent, so under equal speeds any
// pairing is as good as another and the test stays honest; pairs made at the same time also share what the
// machine did then.
import type { Change } from '../stats/compare-samples.ts';
import { exactRows } from './compare-exact.ts';
import { judgeRows, noisyRows } from './compare-noisy.ts';
import type { ComparisonRow, VariantPair } from './compare-row.ts';
import {
  ranSideBySide,
  type SettingDifference,
  settingDifferences,
  whyIncomparable,
} from './compare-setting.ts';
import { sawThrottles } from './judge-goals.ts';
import { mergeRepeats, repeatsByName } from './merge-repeats.ts';
import type { RunResult } from './run-result.ts';
import { joinNames } from './wording.ts';

/** Enough to know a run again. */
export interface ComparedRun {
  readonly scenario: string;
  readonly startedAt: string;
  readonly target: string;
  readonly seed: number;
  readonly version: string;
}

/** Two runs held against each other; equal runs have no row that changed. */
export interface Comparison {
  readonly baseline: ComparedRun;
  readonly candidate: ComparedRun;
  /** Why no figure can be compared; then there are no rows. */
  readonly incomparable: string | null;
  /** In how the runs were made. */
  readonly setting: readonly SettingDifference[];
  /** What a reader must know to read the rows right. */
  readonly notes: readonly string[];
  /** Variants and workloads that only one run has, for example `variant count=20, only after`. */
  readonly unmatched: readonly string[];
  /** Verdict and recommendation, where they differ. */
  readonly answers: readonly SettingDifference[];
  readonly rows: readonly ComparisonRow[];
}

export interface CompareOptions {
  /** Metrics that a rule names: judged, also on a wall clock where they would only be shown. */
  readonly namedMetrics?: readonly string[];
}

/** Compares two runs of one scenario; variants, workloads and metrics are matched by name. */
export function compareRuns(base: RunResult, head: RunResult, options: CompareOptions = {}): Comparison {
  const incomparable = whyIncomparable(base, head);
  const pairs = incomparable === null ? pairVariants(base, head) : [];
  return {
    baseline: label(base),
    candidate: label(head),
    incomparable,
    setting: settingDifferences(base, head),
    notes: incomparable === null ? notesOf(base, head, pairs) : [],
    unmatched: incomparable === null ? unmatched(base, head, pairs) : [],
    answers: incomparable === null ? answerDifferences(base, head) : [],
    rows: compareRows(pairs, base, head, options),
  };
}

/** How many rows there are of each kind of change, for a summary. */
export function countChanges(rows: readonly ComparisonRow[]): Record<Change, number> {
  const counts: Record<Change, number> = { same: 0, better: 0, worse: 0, changed: 0, inconclusive: 0 };
  for (const { change, isJudged } of rows) if (isJudged) counts[change]++;
  return counts;
}

function compareRows(
  pairs: readonly VariantPair[],
  base: RunResult,
  head: RunResult,
  { namedMetrics = [] }: CompareOptions,
): ComparisonRow[] {
  const seedsDiffer = base.scenario.seed !== head.scenario.seed;
  if (base.target.time === 'virtual') {
    return pairs.flatMap((pair) => exactRows(pair, { seedsDiffer }));
  }
  const options = {
    named: new Set(namedMetrics),
    isThrottling: [base, head].some(throttles),
    seed: base.scenario.seed,
    seedsDiffer,
  };
  return judgeRows(pairs.flatMap((pair) => noisyRows(pair, options)));
}

function throttles({ target, variants }: RunResult): boolean {
  return (
    target.capabilities.enforcesThroughput === 'yes' ||
    variants.some((variant) => sawThrottles(variant.workloads))
  );
}

function pairVariants(base: RunResult, head: RunResult): VariantPair[] {
  const merged = new Map(mergeRepeats(head.variants, head.prices).map((variant) => [variant.name, variant]));
  const repeats = (run: RunResult) => new Map(repeatsByName(run.variants).map((all) => [all[0]?.name, all]));
  const [repeatsBefore, repeatsAfter] = [repeats(base), repeats(head)];
  return mergeRepeats(base.variants, base.prices).flatMap((before) => {
    const after = merged.get(before.name);
    if (after === undefined || before.status === 'notRun' || after.status === 'notRun') return [];
    const { name } = before;
    return [
      {
        name,
        before,
        after,
        repeatsBefore: repeatsBefore.get(name) ?? [],
        repeatsAfter: repeatsAfter.get(name) ?? [],
      },
    ];
  });
}

function unmatched(base: RunResult, head: RunResult, pairs: readonly VariantPair[]): string[] {
  const paired = new Set(pairs.map((pair) => pair.name));
  const alone = (run: RunResult, side: string): string[] =>
    [...new Set(run.variants.map((variant) => variant.name))]
      .filter((name) => !paired.has(name))
      .map((name) => `variant ${name}, ${side}`);
  const workloads = pairs.flatMap(({ name, before, after }) => {
    const [ours, theirs] = [before, after].map((one) => one.workloads.map((workload) => workload.name));
    return [
      ...(ours ?? [])
        .filter((one) => !theirs?.includes(one))
        .map((one) => `workload ${one} of ${name}, only before`),
      ...(theirs ?? [])
        .filter((one) => !ours?.includes(one))
        .map((one) => `workload ${one} of ${name}, only after`),
    ];
  });
  return [...alone(base, 'only before'), ...alone(head, 'only after'), ...workloads];
}

function answerDifferences(base: RunResult, head: RunResult): SettingDifference[] {
  const rows: SettingDifference[] = [
    { what: 'verdict', before: base.verdict.status, after: head.verdict.status },
    {
      what: 'recommended variant',
      before: base.verdict.recommendedVariant ?? 'none',
      after: head.verdict.recommendedVariant ?? 'none',
    },
  ];
  return rows.filter(({ before, after }) => before !== after);
}

function notesOf(base: RunResult, head: RunResult, pairs: readonly VariantPair[]): string[] {
  if (base.target.time === 'virtual') {
    const notes = ['Latencies of the simulated table are modelled and never compared between runs.'];
    if (base.scenario.seed !== head.scenario.seed)
      notes.push(
        'The seeds differ, so a difference may be chance: compare runs of the same seed. Totals, rates and ' +
          'balance follow the load that a seed draws, and are not judged.',
      );
    if (pairs.some(({ before, after }) => before.measuredSeconds !== after.measuredSeconds))
      notes.push('The runs measured unequal times, so totals are not judged.');
    return notes;
  }
  const repeats = [base, head].map((run) => run.environment.repetition?.repeats ?? 1);
  const notes: string[] = [];
  if (Math.min(...repeats) === 1)
    notes.push(
      'A single repeat does not show how much equal runs differ, so latencies stay inconclusive: ' +
        'run both with --repeat 10 or more.',
    );
  if (!isSameRun(base, head) && !ranSideBySide(base, head))
    notes.push(
      'The runs were made one after the other: what else the machine did then counts as a change. ' +
        'Make both in one job, on a machine with nothing else to do.',
    );
  if (base.target.capabilities.enforcesThroughput === 'no')
    notes.push('Latencies are those of this server, not of DynamoDB.');
  const invalid = [base, head].flatMap(({ variants, prices }) =>
    mergeRepeats(variants, prices).filter(({ validity }) => validity.status === 'invalid'),
  );
  const names = [...new Set(invalid.map((variant) => variant.name))];
  if (names.length > 0) notes.push(`Not comparable because invalid in one of the runs: ${joinNames(names)}.`);
  return notes;
}

function isSameRun(base: RunResult, head: RunResult): boolean {
  return (
    base.environment.startedAt === head.environment.startedAt &&
    base.environment.finishedAt === head.environment.finishedAt
  );
}

function label({ scenario, environment, target, tool }: RunResult): ComparedRun {
  return {
    scenario: scenario.name,
    startedAt: environment.startedAt,
    target: target.label,
    seed: scenario.seed,
    version: tool.version,
  };
}
