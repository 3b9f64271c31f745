// `enough-shards-too-few-partitions`: no shard of a key is too hot by itself, but there are fewer
// partitions than shards, or too few for all the load; `too-few-partitions` where no shards are involved. A
// new on-demand table starts with four.
// @see "DynamoDB on-demand capacity mode",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html, and
//   "Understanding DynamoDB warm throughput",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html, read 2026-11-30
import { type HottestKey, type KeyRangeCase, keyRangeCases, type PartitionFacts } from '../key-range-case.ts';
import type { VariantResult } from '../run-result.ts';
import { partitionsNeeded, shardsOnWarmedPartitions, TARGET_UTILIZATION } from '../shards-needed.ts';
import { countOf, formatNumber, formatPercent } from '../wording.ts';
import { caseEvidence, causeName, throttledInWords, unitsInWords } from './case-in-words.ts';
import type { Sighting } from './sighting.ts';

/** Tables and indexes of one variant that have too few partitions, by side. */
export function findTooFewPartitions(variant: VariantResult): Sighting[] {
  return keyRangeCases(variant).flatMap((found) =>
    found.cause === 'tooFewPartitions' && found.partitions !== null
      ? [describe(found, found.partitions)]
      : [],
  );
}

function describe(found: KeyRangeCase, partitions: PartitionFacts): Sighting {
  const needed = neededPartitions(found);
  return {
    code: isSharded(found.hottest) ? 'enough-shards-too-few-partitions' : 'too-few-partitions',
    cause: causeName(found),
    severity: found.throttledRatio,
    confidence: found.isExact ? 'high' : 'medium',
    seen: `${throttledInWords(found)}, although ${hottestInWords(found)}`,
    because:
      `${found.name} has ${countOf(partitions.count, 'partition')} (start: ${partitions.start}), ` +
      'and its busiest was asked for ' +
      `${unitsInWords(partitions.busiestDemandUnits, found)} of ` +
      `${unitsInWords(found.ceilingUnits, found)}; ` +
      `all together ran at ${formatPercent(partitions.meanRatio)}; ${found.throttles.reason} on ` +
      found.name,
    advice: advise(found, needed),
    evidence: {
      ...caseEvidence(found),
      start: partitions.start,
      busiestPartitionDemandUnitsPerSecond: partitions.busiestDemandUnits,
      ...(needed !== null && { advisedPartitions: needed }),
    },
  };
}

function hottestInWords(found: KeyRangeCase): string {
  if (found.hottest === null) return 'no single key is known to be hot';
  const { key, demandUnits, logical } = found.hottest;
  const which = logical.shardCount > 1 ? `of ${logical.shardCount} shards` : 'key';
  return `even the hottest ${which}, ${key}, asks for ${unitsInWords(demandUnits, found)} only`;
}

/** By placement where a few shards carry the load; by the sum of the load otherwise. */
function neededPartitions({ hottest, demandUnits, ceilingUnits }: KeyRangeCase): number | null {
  const forAll = Math.ceil(demandUnits / (TARGET_UTILIZATION * ceilingUnits));
  if (!isSharded(hottest) || hottest.logical.shareRatio < 0.5) return forAll;
  const forShards = partitionsNeeded(hottest.demand, hottest.logical.shardCount);
  return forShards === null ? null : Math.max(forAll, forShards);
}

function isSharded(hottest: HottestKey | null): hottest is HottestKey {
  return hottest !== null && hottest.logical.shardCount > 1;
}

const RAMP =
  'raise the load slowly: partitions split under load within minutes, and growth beyond twice the earlier ' +
  'peak takes half an hour';

function advise(found: KeyRangeCase, needed: number | null): string {
  if (needed !== null) return `${warmInWords(found, needed)}, or ${RAMP}`;
  const plan = found.hottest === null ? null : shardsOnWarmedPartitions(found.hottest.demand);
  if (plan === null) return `use more and smaller shards, and ${RAMP}`;
  return (
    `use ${plan.shards} shards instead of ${found.hottest?.logical.shardCount ?? 1}, and ` +
    `${warmInWords(found, plan.partitions)}, or ${RAMP}`
  );
}

function warmInWords(found: KeyRangeCase, partitions: number): string {
  const units = formatNumber(partitions * found.ceilingUnits);
  return (
    `pre-warm ${found.nameInWords} to ${units} ${found.throttles.side} units per second ` +
    `(${countOf(partitions, 'partition')}, a one-time charge)`
  );
}
