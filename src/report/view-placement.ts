// How much of a variant's result is luck: its demand with the keys placed anew.
import type { PlacementResult, RunResult, VariantResult } from '../analysis/run-result.ts';
import { formatNumber, formatPercent } from '../analysis/wording.ts';
import { percentCell } from './number-format.ts';
import { cell, left, right, type Section, type TableSection } from './section.ts';
import { variantCell } from './variant-cell.ts';

type Placed = VariantResult & { readonly placement: PlacementResult };

/** The table, or one sentence where no placement of any variant throttles. */
export function placementSection(result: RunResult): Section | null {
  const placed = placedVariants(result);
  const first = placed[0];
  if (first === undefined || !placed.every(isCertain)) return placementTable(result);
  const count = formatNumber(first.placement.placements);
  const text = `nothing throttles on ${count} other placements of the keys either, in any variant`;
  return {
    kind: 'list',
    title: titleOf(placed),
    entries: [{ head: cell(placed.length > 1 ? text : text.replace(', in any variant', '')), lines: [] }],
  };
}

/** One row per variant whose keys were placed anew. */
export function placementTable(result: RunResult): TableSection | null {
  const placed = placedVariants(result);
  const first = placed[0];
  if (first === undefined) return null;
  const goals = new Set(placed.map(({ placement }) => formatPercent(placement.goalThrottledRatio)));
  const goal = goals.size === 1 ? [...goals].join('') : 'the goal of their workloads';
  return {
    kind: 'table',
    isGrouped: true,
    title:
      `${titleOf(placed)}: share of ${formatNumber(first.placement.placements)} other placements of the keys that ` +
      `throttle at most ${goal} (met), and the median and worst throttled, at once and settled (after splits)`,
    columns: [
      left('variant'),
      right('at once: met'),
      right('median'),
      right('worst'),
      right('settled: met'),
      right('median'),
      right('worst'),
    ],
    rows: placed.map((variant) => {
      const { placement } = variant;
      return [
        variantCell(variant, 0),
        cell(percentCell(placement.shareMeetingGoalFromFirstSecond)),
        cell(percentCell(placement.throttledRatioFromFirstSecond.median)),
        cell(percentCell(placement.throttledRatioFromFirstSecond.worst)),
        cell(percentCell(placement.shareMeetingGoalSettled)),
        cell(percentCell(placement.throttledRatioSettled.median)),
        cell(percentCell(placement.throttledRatioSettled.worst)),
      ];
    }),
  };
}

/** On a live target the demand is measured, and what becomes of it on other placements is modelled. */
function titleOf(placed: readonly Placed[]): string {
  return placed.some((variant) => variant.shadow !== undefined) ? 'Placement, modelled' : 'Placement';
}

function placedVariants({ variants }: RunResult): Placed[] {
  return variants.flatMap((variant) =>
    variant.placement === null ? [] : [{ ...variant, placement: variant.placement }],
  );
}

function isCertain({ placement }: Placed): boolean {
  return placement.throttledRatioFromFirstSecond.worst === 0 && placement.throttledRatioSettled.worst === 0;
}
