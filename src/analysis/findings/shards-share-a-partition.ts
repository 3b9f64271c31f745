// `shards-share-a-partition`: partitions are plenty and no key is too hot, yet two or more hot keys were
// hashed onto the same partition. A matter of luck, which more and smaller shards make harmless.
import { type HottestKey, type KeyRangeCase, keyRangeCases, type PartitionFacts } from '../key-range-case.ts';
import type { VariantResult } from '../run-result.ts';
import { oddsOfFitting, partitionsNeeded, shardsOnPartitions } from '../shards-needed.ts';
import { countOf, formatNumber } from '../wording.ts';
import {
  caseEvidence,
  causeName,
  placementsInWords,
  throttledInWords,
  unitsInWords,
} from './case-in-words.ts';
import type { Sighting } from './sighting.ts';

/** Tables and indexes of one variant on which hot keys share a partition, by side. */
export function findSharedPartitions(variant: VariantResult): Sighting[] {
  return keyRangeCases(variant).flatMap((found) =>
    found.cause === 'sharedPartition' && found.hottest !== null && found.partitions !== null
      ? [describe(found, found.hottest, found.partitions)]
      : [],
  );
}

function describe(found: KeyRangeCase, hottest: HottestKey, partitions: PartitionFacts): Sighting {
  const { demand, logical } = hottest;
  const odds = oddsOfFitting(demand, logical.shardCount, partitions.count);
  return {
    code: 'shards-share-a-partition',
    cause: causeName(found),
    severity: found.throttledRatio,
    confidence: found.isExact ? 'high' : 'medium',
    seen:
      `${throttledInWords(found)}: ${belowCeiling(found, hottest)}, but one partition was asked for ` +
      unitsInWords(partitions.busiestDemandUnits, found),
    because:
      `keys are hashed, so several fall on the same of ${countOf(partitions.count, 'partition')}` +
      (logical.shardCount > 1 ? `; in ${placementsInWords(odds)} no partition gets too many` : '') +
      `; ${found.throttles.reason} on ${found.name}`,
    advice: advise(found, hottest, partitions),
    evidence: {
      ...caseEvidence(found),
      key: logical.name,
      shards: logical.shardCount,
      busiestPartitionDemandUnitsPerSecond: partitions.busiestDemandUnits,
      ...(logical.shardCount > 1 && { placementsThatFitRatio: odds }),
    },
  };
}

function belowCeiling(found: KeyRangeCase, { key, logical, demandUnits }: HottestKey): string {
  const ceiling = unitsInWords(found.ceilingUnits, found);
  if (logical.shardCount === 1)
    return `no key passes ${ceiling} (the hottest, ${key}, asks for ${unitsInWords(demandUnits, found)})`;
  return (
    `each of ${countOf(logical.shardCount, 'shard')} of ${logical.name} stays below ${ceiling} ` +
    `(the hottest asks for ${unitsInWords(demandUnits, found)})`
  );
}

function advise(found: KeyRangeCase, { demand, logical }: HottestKey, partitions: PartitionFacts): string {
  const more = shardsOnPartitions(demand, partitions.count);
  const needed = partitionsNeeded(demand, logical.shardCount);
  const options: string[] = [];
  if (more !== null && more > logical.shardCount) {
    const odds = placementsInWords(oddsOfFitting(demand, more, partitions.count));
    options.push(`spread ${logical.name} over ${more} shards, which fit in ${odds}`);
  }
  if (needed !== null && needed > partitions.count) {
    const units = formatNumber(needed * found.ceilingUnits);
    options.push(`pre-warm ${found.nameInWords} to ${units} ${found.throttles.side} units per second`);
  }
  options.push('let the load go on: partitions that stay hot are split within minutes');
  return options.join(', or ');
}
