// Demand on tables and indexes over several repeats: units are summed, shares of keys weighted by the demand of the
// repeat in which they were seen.
import { groupBy } from './group-by.ts';
import type { ResourceResult } from './run-result.ts';
import { share } from './share.ts';
import { sumOf } from './sum-of.ts';

const KEYS_KEPT = 25;

/** Demand on tables and indexes; a key's share is weighted by the demand of the repeat it was seen in. */
export function mergeResources(lists: readonly (readonly ResourceResult[])[]): ResourceResult[] {
  return [...groupBy(lists.flat(), (resource) => resource.resource).values()].map((same) => {
    const first = same[0] as ResourceResult;
    return {
      ...first,
      readUnits: sumOf(same, (one) => one.readUnits),
      writeUnits: sumOf(same, (one) => one.writeUnits),
      throttledReadUnits: sumOf(same, (one) => one.throttledReadUnits),
      throttledWriteUnits: sumOf(same, (one) => one.throttledWriteUnits),
      distinctKeys: Math.max(...same.map((one) => one.distinctKeys)),
      isExact: same.every((one) => one.isExact),
      keys: mergeKeys(same),
      // Each repeat has tables, and so partitions, of its own.
      partitions: same.length === 1 ? first.partitions : null,
    };
  });
}

function mergeKeys(same: readonly ResourceResult[]): ResourceResult['keys'] {
  const reads = sumOf(same, readDemand);
  const writes = sumOf(same, writeDemand);
  const rows = same.flatMap((resource) => resource.keys.map((key) => ({ key, resource })));
  return [...groupBy(rows, (row) => row.key.key)]
    .map(([key, seen]) => ({
      key,
      requests: sumOf(seen, (row) => row.key.requests),
      readUnits: sumOf(seen, (row) => row.key.readUnits),
      writeUnits: sumOf(seen, (row) => row.key.writeUnits),
      throttledRequests: sumOf(seen, (row) => row.key.throttledRequests),
      readShare: share(
        sumOf(seen, (row) => row.key.readShare * readDemand(row.resource)),
        reads,
      ),
      writeShare: share(
        sumOf(seen, (row) => row.key.writeShare * writeDemand(row.resource)),
        writes,
      ),
    }))
    .sort((a, b) => Math.max(b.readShare, b.writeShare) - Math.max(a.readShare, a.writeShare))
    .slice(0, KEYS_KEPT);
}

function readDemand(resource: ResourceResult): number {
  return resource.readUnits + resource.throttledReadUnits;
}

function writeDemand(resource: ResourceResult): number {
  return resource.writeUnits + resource.throttledWriteUnits;
}
