// How far the repeats of each variant lie apart: without it a merged figure would travel without its spread.
import { isUsableRepeat, repeatsByName } from '../analysis/merge-repeats.ts';
import type { RunResult, VariantResult } from '../analysis/run-result.ts';
import { formatNumber } from '../analysis/wording.ts';
import { medianOf } from '../stats/compare-samples.ts';
import { MISSING } from './number-format.ts';
import { type Cell, cell, type TableSection } from './section.ts';

/** Metrics of which the spread is shown, with the factor from their unit to that of the column's head. */
const columns = [
  { metric: 'achievedPerSecond', head: 'achieved/s', factor: 1 },
  { metric: 'response.p50', head: 'p50 ms', factor: 0.001 },
  { metric: 'response.p99', head: 'p99 ms', factor: 0.001 },
  { metric: 'service.p50', head: 'service p50 ms', factor: 0.001 },
] as const;

/** One row per variant and workload; null where each variant ran once. */
export function repeatsTable({ variants }: RunResult): TableSection | null {
  const groups = repeatsByName(variants).filter((repeats) => repeats.length > 1);
  if (groups.length === 0) return null;
  groups.sort((a, b) => (a[0]?.index ?? 0) - (b[0]?.index ?? 0));
  return {
    kind: 'table',
    isGrouped: true,
    title: 'Repeats (lowest – median – highest of the repeats; the other tables show them merged)',
    columns: [
      { head: 'variant', align: 'left' },
      { head: 'workload', align: 'left' },
      { head: 'repeats', align: 'right' },
      ...columns.map(({ head }) => ({ head, align: 'right' }) as const),
    ],
    rows: groups.flatMap(rowsOf),
  };
}

function rowsOf(repeats: readonly VariantResult[]): Cell[][] {
  const usable = repeats.filter(isUsableRepeat);
  const names = repeats[0]?.workloads.map((workload) => workload.name) ?? [];
  const count =
    usable.length === repeats.length
      ? formatNumber(repeats.length)
      : `${formatNumber(usable.length)} of ${formatNumber(repeats.length)}`;
  return names.map((name, index) => [
    cell(index === 0 ? (repeats[0]?.name ?? '') : '', 'strong'),
    cell(name),
    cell(count),
    ...columns.map(({ metric, factor }) => {
      const values = usable.flatMap(({ workloads }) => {
        const value = workloads.find((workload) => workload.name === name)?.metrics[metric] ?? null;
        return value === null ? [] : [value * factor];
      });
      return cell(spreadText(values));
    }),
  ]);
}

function spreadText(values: readonly number[]): string {
  if (values.length === 0) return MISSING;
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const middle = medianOf(values) ?? 0;
  return [low, middle, high].map(formatNumber).join(' – ');
}
