// `hot-index-key` and `hot-table-key`: one key asks for more than a partition gives, so no capacity of the
// table can help it.
// @see "Resolving key range limit exceeded throttling",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-key-range-limit-exceeded-mitigation.html,
//   read 2026-11-30
import { type HottestKey, type KeyRangeCase, keyRangeCases } from '../key-range-case.ts';
import type { VariantResult } from '../run-result.ts';
import {
  oddsOfFitting,
  type ShardPlan,
  shardsByCeiling,
  shardsOnPartitions,
  shardsOnWarmedPartitions,
} from '../shards-needed.ts';
import { countOf, formatNumber, formatPercent } from '../wording.ts';
import {
  caseEvidence,
  causeName,
  placementsInWords,
  throttledInWords,
  unitsInWords,
} from './case-in-words.ts';
import type { Sighting } from './sighting.ts';

/** Hot keys of one variant, by resource and side. */
export function findHotKeys(variant: VariantResult): Sighting[] {
  return keyRangeCases(variant).flatMap((found) =>
    found.cause === 'hotKey' && found.hottest !== null ? [describe(found, found.hottest, variant)] : [],
  );
}

function describe(found: KeyRangeCase, hottest: HottestKey, variant: VariantResult): Sighting {
  const plan = found.throttles.side === 'write' ? planShards(found, hottest) : null;
  return {
    code: found.isIndex ? 'hot-index-key' : 'hot-table-key',
    cause: causeName(found),
    severity: hottest.demandUnits,
    confidence: found.isExact ? 'high' : 'medium',
    seen:
      `${throttledInWords(found)}: key ${hottest.key} was asked for ` +
      `${unitsInWords(hottest.demandUnits, found)}, ` +
      `and one partition gives ${unitsInWords(found.ceilingUnits, found)} at most`,
    because: [
      `${found.throttles.reason} on ${found.name}`,
      `${hottest.key} takes ${formatPercent(hottest.shareRatio)} of the ${found.throttles.side}s there`,
      ...spareCapacity(found),
      ...backPressure(found, variant),
    ].join('; '),
    advice:
      found.throttles.side === 'write' ? adviseWrites(found, hottest, plan) : adviseReads(found, hottest),
    evidence: {
      ...caseEvidence(found),
      key: hottest.logical.name,
      shards: hottest.logical.shardCount,
      ...(plan !== null && { advisedShards: plan.shards }),
      ...(typeof plan?.warmTo === 'number' && { advisedPartitions: plan.warmTo }),
    },
  };
}

function spareCapacity({ partitions }: KeyRangeCase): string[] {
  if (partitions === null) return [];
  const busiest = `its busiest partition ran at ${formatPercent(partitions.busiestRatio)}`;
  if (partitions.count === 1) return [busiest];
  return [`${busiest}, all ${partitions.count} together at ${formatPercent(partitions.meanRatio)}`];
}

/** A write that its index cannot take is refused by the table: the table looks guilty and is not. */
function backPressure(found: KeyRangeCase, variant: VariantResult): string[] {
  if (!found.isIndex || found.throttles.side !== 'write') return [];
  const [tableName] = found.throttles.resource.split('/');
  const table = variant.resources.find((one) => one.resource === tableName);
  if (table === undefined || table.throttledWriteUnits > 0) return [];
  return ['the table itself throttled nothing: the index pushes back on its writes'];
}

/** Shards advised, and the partitions to warm to where those there are do not carry them. */
interface AdvisedShards {
  readonly shards: number;
  readonly warmTo: number | null;
}

function planShards({ partitions }: KeyRangeCase, { demand }: HottestKey): AdvisedShards | null {
  const byCeiling = shardsByCeiling(demand);
  if (partitions === null) return byCeiling === null ? null : { shards: byCeiling, warmTo: null };
  const onThese = shardsOnPartitions(demand, partitions.count);
  if (onThese !== null) return { shards: onThese, warmTo: null };
  const warmed: ShardPlan | null = shardsOnWarmedPartitions(demand);
  if (warmed !== null) return { shards: warmed.shards, warmTo: warmed.partitions };
  return byCeiling === null ? null : { shards: byCeiling, warmTo: null };
}

function adviseWrites(found: KeyRangeCase, hottest: HottestKey, plan: AdvisedShards | null): string {
  const { logical } = hottest;
  if (plan === null) {
    return (
      `no number of shards up to 200 carries this demand on ${logical.name}: aggregate the writes, make ` +
      'them smaller, or buffer them in a queue'
    );
  }
  const { shards } = plan;
  const now = logical.shardCount > 1 ? ` instead of ${logical.shardCount}` : '';
  const spread =
    `spread ${logical.name} over ${countOf(shards, 'shard')}${now} (${logical.name}#0 … #${shards - 1}, ` +
    'chosen at write time), or use a key with more values; reading all of it then takes ' +
    countOf(shards, 'query', 'queries');
  return `${spread}${placementNote(found, hottest, plan)}${itemNote(found)}`;
}

/** Shards help only as far as they lie on different partitions. */
function placementNote(
  found: KeyRangeCase,
  { demand }: HottestKey,
  { shards, warmTo }: AdvisedShards,
): string {
  const { partitions } = found;
  if (partitions === null) return '; shards need partitions to lie on, so warm the table or ramp up';
  const odds = (count: number): string => placementsInWords(oddsOfFitting(demand, shards, count));
  if (warmTo === null) {
    return (
      `; hashed onto ${countOf(partitions.count, 'partition')}, ${shards} shards stay below the ceiling in ` +
      odds(partitions.count)
    );
  }
  const units = formatNumber(warmTo * found.ceilingUnits);
  return (
    `; ${countOf(partitions.count, 'partition')} ${partitions.count === 1 ? 'is' : 'are'} too few for them, ` +
    `so pre-warm ${found.nameInWords} to ${units} write units per second (a one-time charge) or ramp up: on ` +
    `${warmTo} partitions ${shards} shards stay below the ceiling in ${odds(warmTo)}`
  );
}

function itemNote({ isIndex }: KeyRangeCase): string {
  return isIndex ? '' : '; if it is a single item, only several copies of it or fewer writes help';
}

function adviseReads(found: KeyRangeCase, hottest: HottestKey): string {
  return (
    `cache what ${hottest.logical.name} returns, read it with eventual consistency (half the ` +
    'units), or keep several copies of it ' +
    `under different keys of ${found.nameInWords} and read one at random`
  );
}
