// Sentence parts that findings about key ranges share: what was throttled, and the figures behind it by name.
import type { KeyRangeCase } from '../key-range-case.ts';
import { formatNumber, formatPercent, joinNames } from '../wording.ts';

/** `index GSI1 throttled 66.7 % of the requests of placeOrder`. */
export function throttledInWords({ nameInWords, throttledRatio, throttles }: KeyRangeCase): string {
  return (
    `${nameInWords} throttled ${formatPercent(throttledRatio)} of the requests of ` +
    joinNames(throttles.workloads)
  );
}

/** `3,000 WCU/s`. */
export function unitsInWords(units: number, { unit }: Pick<KeyRangeCase, 'unit'>): string {
  return `${formatNumber(units)} ${unit}`;
}

/**
 * `97.9 % of placements (by arithmetic, with nothing saved up)`: not the figure of the table of placements,
 * where the demand of the run meets partitions that save up unused units for a second.
 */
export function placementsInWords(oddsRatio: number): string {
  return `${formatPercent(oddsRatio)} of placements (by arithmetic, with nothing saved up)`;
}

/** Tells cases of one cause apart from others: they concern the same resource and side. */
export function causeName({ name, throttles }: KeyRangeCase): string {
  return `${name} ${throttles.side}`;
}

/** The figures of a case by name with unit. */
export function caseEvidence(found: KeyRangeCase): Record<string, string | number> {
  const { hottest, partitions, throttles } = found;
  return {
    resource: found.name,
    reason: throttles.reason,
    throttledRequests: throttles.count,
    throttledRatio: found.throttledRatio,
    demandUnitsPerSecond: found.demandUnits,
    partitionCeilingUnitsPerSecond: found.ceilingUnits,
    ...(hottest !== null && {
      hottestKey: hottest.key,
      hottestKeyShareRatio: hottest.shareRatio,
      hottestKeyDemandUnitsPerSecond: hottest.demandUnits,
    }),
    ...(partitions !== null && {
      partitionCount: partitions.count,
      busiestPartitionUtilizationRatio: partitions.busiestRatio,
      meanPartitionUtilizationRatio: partitions.meanRatio,
    }),
  };
}
