// Heat of keys over time for the run record, from what the simulated database observed by second. Bounded in
// keys and windows, so that a day of load makes no larger record than a minute.
import {
  type HeatOverTime,
  LEAST_HEAT_RATIO,
  MOST_HEAT_KEYS,
  MOST_HEAT_WINDOWS,
} from '../analysis/records/heat.ts';
import type { DemandSeries, ResourceObservation } from '../capacity/resource-observation.ts';

/** Digits kept of a rate: more would tell nobody more, and a record is read by people too. */
const RATE_DIGITS = 4;

/** The heat of a resource's hot keys in at most 60 windows; undefined where no key is hot. */
export function heatOf(
  seen: Pick<ResourceObservation, 'readDemand' | 'writeDemand'>,
): HeatOverTime | undefined {
  const { readDemand, writeDemand } = seen;
  const seconds = Math.max(readDemand.totalUnitsPerSecond.length, writeDemand.totalUnitsPerSecond.length);
  const windowSeconds = Math.max(1, Math.ceil(seconds / MOST_HEAT_WINDOWS));
  const shares = demandShares([readDemand, writeDemand]);
  const hottest = [...shares]
    .filter(([, share]) => share >= LEAST_HEAT_RATIO)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_HEAT_KEYS);
  if (hottest.length === 0) return undefined;
  const windowsOf = (demand: DemandSeries, key: string): number[] => {
    const units = demand.heavyKeys.find((one) => one.key === key)?.unitsPerSecond ?? [];
    return meanByWindow(units, windowSeconds);
  };
  return {
    windowSeconds,
    keys: hottest.map(([key]) => ({
      key,
      read: windowsOf(readDemand, key),
      write: windowsOf(writeDemand, key),
    })),
  };
}

/** By key, the larger of its shares of all that was asked on either side. */
function demandShares(demands: readonly DemandSeries[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { totalUnitsPerSecond, heavyKeys } of demands) {
    const total = sum(totalUnitsPerSecond);
    if (total === 0) continue;
    for (const { key, unitsPerSecond } of heavyKeys) {
      shares.set(key, Math.max(shares.get(key) ?? 0, sum(unitsPerSecond) / total));
    }
  }
  return shares;
}

/** Mean rate of each window; none where the key saw nothing. The last window may be shorter. */
function meanByWindow(unitsPerSecond: readonly number[], windowSeconds: number): number[] {
  if (sum(unitsPerSecond) === 0) return [];
  const means: number[] = [];
  for (let from = 0; from < unitsPerSecond.length; from += windowSeconds) {
    const window = unitsPerSecond.slice(from, from + windowSeconds);
    means.push(Number((sum(window) / window.length).toPrecision(RATE_DIGITS)));
  }
  return means;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
