// In what two runs differ before any of their figures is looked at: scenario, seed, target, machine, versions.
// A reader must see these first, since each may explain a change; some leave nothing to compare.
import { formatDuration } from '../units.ts';
import type { RunResult } from './run-result.ts';
import { countOf, formatNumber } from './wording.ts';

/** One difference, in words. */
export interface SettingDifference {
  /** For example `seed` or `load of placeOrder`. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Why no figure of two runs can be compared; null: they can. */
export function whyIncomparable(base: RunResult, head: RunResult): string | null {
  if (base.scenario.name !== head.scenario.name)
    return `the scenarios are different ones (${base.scenario.name} and ${head.scenario.name})`;
  if (base.scenario.question !== head.scenario.question) return 'the scenarios ask different questions';
  if (base.target.time !== head.target.time)
    return 'one run is in virtual time and the other on a wall clock';
  if (base.target.kind !== head.target.kind)
    return `the targets are of different kinds (${base.target.kind} and ${head.target.kind})`;
  return null;
}

/**
 * All differences in how the runs were made, the gravest first. The machine and its Node count on a wall clock
 * only: in virtual time they change nothing.
 */
export function settingDifferences(base: RunResult, head: RunResult): SettingDifference[] {
  const differences: SettingDifference[] = [];
  const note = (what: string, before: string, after: string): void => {
    if (before !== after) differences.push({ what, before, after });
  };
  const each = (what: string, text: (run: RunResult) => string): void => note(what, text(base), text(head));
  each('scenario', ({ scenario }) => scenario.name);
  each('question', ({ scenario }) => scenario.question);
  each('seed', ({ scenario }) => formatNumber(scenario.seed));
  each('target', ({ target }) => target.label);
  each('time', ({ target }) => target.time);
  each('model preset', ({ target }) => target.model?.preset ?? 'none');
  for (const [name, before, after] of modelConstants(base, head)) note(name, before, after);
  each('stages', stagesText);
  each('rate factor', ({ scenario }) => formatNumber(scenario.rateFactor));
  each('goals', ({ scenario }) => scenario.goals.join('; '));
  for (const [name, before, after] of loads(base, head)) note(name, before, after);
  each('status', ({ status }) => status);
  each('dyno-load', ({ tool }) => tool.version);
  if (base.target.time === 'wall-clock') {
    each('repeats', ({ environment }) => countOf(environment.repetition?.repeats ?? 1, 'repeat'));
    each('machine', ({ environment: { cpu, cpuCount } }) => `${formatNumber(cpuCount)} × ${cpu}`);
    each('platform', ({ environment }) => environment.platform);
    each('Node', ({ environment }) => environment.node);
    each('AWS SDK', ({ environment }) => environment.sdkVersion ?? 'none');
  }
  return differences;
}

/** Whether two runs were under way at the same time, so that what befell one befell the other. */
export function ranSideBySide(base: RunResult, head: RunResult): boolean {
  const [a, b] = [base.environment, head.environment].map(({ startedAt, finishedAt }) => ({
    start: Date.parse(startedAt),
    end: Date.parse(finishedAt),
  }));
  return a !== undefined && b !== undefined && a.start < b.end && b.start < a.end;
}

function stagesText({ scenario }: RunResult): string {
  return scenario.stages
    .map(({ name, durationUs, isMeasured, rateFactor }) => {
      const factor = rateFactor === 1 ? '' : ` × ${formatNumber(rateFactor)}`;
      return `${name} ${formatDuration(durationUs)}${factor}${isMeasured ? '' : ' (not measured)'}`;
    })
    .join(', ');
}

type Triple = readonly [what: string, before: string, after: string];

function modelConstants(base: RunResult, head: RunResult): Triple[] {
  const values = new Map(
    (head.target.model?.constants ?? []).map(({ name, value, unit }) => [name, `${value} ${unit}`.trim()]),
  );
  return (base.target.model?.constants ?? []).map(({ name, value, unit }) => [
    `model constant ${name}`,
    `${value} ${unit}`.trim(),
    values.get(name) ?? 'none',
  ]);
}

/** Loads and retry policies of workloads that both have, of the first variant in which they differ. */
function loads(base: RunResult, head: RunResult): Triple[] {
  const found = new Map<string, Triple>();
  for (const variant of base.variants) {
    const other = head.variants.find((one) => one.name === variant.name);
    for (const { name, load, policy } of variant.workloads) {
      const after = other?.workloads.find((one) => one.name === name);
      if (after === undefined) continue;
      const rows: Triple[] = [
        [`load of ${name}`, load.text, after.load.text],
        [`retries of ${name}`, policy.retry, after.policy.retry],
      ];
      for (const row of rows) if (row[1] !== row[2] && !found.has(row[0])) found.set(row[0], row);
    }
  }
  return [...found.values()];
}
