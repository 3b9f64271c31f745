// `read-filter-waste`: a read looks at far more items than it returns. A filter shortens the answer and never
// the bill.
// @see "Filter expressions for the Query operation in DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html, read
//   2026-11-30
import { consumedUnits } from '../metrics.ts';
import type { VariantResult, WorkloadResult } from '../run-result.ts';
import { countOf, formatNumber } from '../wording.ts';
import type { Sighting } from './sighting.ts';

/** Items looked at per item returned from which on a read wastes its units. */
const WASTEFUL_SCANNED_PER_RETURNED = 10;

/**
 * A fan-out over shards looks at more than it returns without any filter, since each shard gives as many
 * items as are wanted; what that costs is seen in its units. A flow mixes reads.
 */
const filteringKinds: ReadonlySet<string> = new Set(['query', 'scan']);

/** Fewer items looked at prove nothing. */
const FEWEST_SCANNED = 100;

/** Wasteful reads of one variant, each compared with the best variant of the same workload. */
export function findFilterWaste(variant: VariantResult, variants: readonly VariantResult[]): Sighting[] {
  return variant.workloads
    .filter(({ kind, measured }) => {
      if (!filteringKinds.has(kind)) return false;
      const { itemsScanned, itemsReturned } = measured;
      const isWasteful = itemsScanned >= WASTEFUL_SCANNED_PER_RETURNED * Math.max(1, itemsReturned);
      return itemsScanned >= FEWEST_SCANNED && isWasteful;
    })
    .map((workload) => describe(workload, variants));
}

function describe(workload: WorkloadResult, variants: readonly VariantResult[]): Sighting {
  const { name, kind, measured } = workload;
  const { readUnits } = consumedUnits(measured);
  const perReturned = measured.itemsScanned / Math.max(1, measured.itemsReturned);
  const unitsPerItem = workload.metrics.readUnitsPerReturnedItem ?? null;
  const better = cheaperVariant(workload, variants);
  return {
    code: 'read-filter-waste',
    cause: name,
    severity: perReturned,
    confidence: 'high',
    seen:
      `${name} (${kind}) looked at ${countOf(measured.itemsScanned, 'item')} ` +
      (measured.itemsReturned === 0
        ? 'and returned none of them'
        : `to return ${formatNumber(measured.itemsReturned)}, ${formatNumber(perReturned)} for each`),
    because:
      `DynamoDB charges what is looked at, before the filter: ${formatNumber(readUnits)} read units` +
      (unitsPerItem === null ? '' : `, ${formatNumber(unitsPerItem)} per item returned`) +
      (better === null
        ? ''
        : `; ${better.variant} gives the same answer for ${formatNumber(better.unitsPerItem)} per item`),
    advice:
      (kind === 'scan' ? 'replace the scan by a Query' : 'put what the filter tests into the sort key') +
      (better === null
        ? ' on a key, or on an index, that selects the items wanted; keep a filter for the few that remain'
        : ` as ${better.variant} does; keep a filter for the few items that remain`),
    evidence: {
      workload: name,
      itemsScanned: measured.itemsScanned,
      itemsReturned: measured.itemsReturned,
      readUnits,
      ...(unitsPerItem !== null && { readUnitsPerReturnedItem: unitsPerItem }),
      ...(better !== null && {
        betterVariant: better.variant,
        betterReadUnitsPerReturnedItem: better.unitsPerItem,
      }),
    },
  };
}

/**
 * The variant in which the workload of the same name spends least per returned item, where that is at most
 * half.
 */
function cheaperVariant(
  { name, metrics }: WorkloadResult,
  variants: readonly VariantResult[],
): { readonly variant: string; readonly unitsPerItem: number } | null {
  const mine = metrics.readUnitsPerReturnedItem ?? Number.POSITIVE_INFINITY;
  const best = variants
    .flatMap((variant) => {
      const workload = variant.workloads.find((one) => one.name === name);
      const unitsPerItem = workload?.metrics.readUnitsPerReturnedItem ?? null;
      return unitsPerItem === null ? [] : [{ variant: variant.name, unitsPerItem }];
    })
    .toSorted((a, b) => a.unitsPerItem - b.unitsPerItem)[0];
  return best !== undefined && best.unitsPerItem <= mine / 2 ? best : null;
}
