// `hot-index-key` and `hot-table-key`: one key asks for more than a partition gives, so no capacity of the
// table can help it.
// @see "Resolving key range limit exceeded throttling",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-key-range-limit-exceeded-mitigation.html,
//   read 2026-11-30
import { type HottestKey, type KeyRangeCase, keyRangeCases } from '../key-range-case.ts';
import type { VariantResult } from '../run-result.ts';
import { oddsOfFitting, shardsByCeiling, shardsOnPartitions } from '../shards-needed.ts';
import { countOf, formatNumber, formatPercent } from '../wording.ts';
import { caseEvidence, causeName, throttledInWords, unitsInWords } from './case-in-words.ts';
import type { Sighting } from './sighting.ts';

/** Hot keys of one variant, by resource and side. */
export function findHotKeys(variant: VariantResult): Sighting[] {
  return keyRangeCases(variant).flatMap((found) =>
    found.cause === 'hotKey' && found.hottest !== null ? [describe(found, found.hottest, variant)] : [],
  );
}

function describe(found: KeyRangeCase, hottest: HottestKey, variant: VariantResult): Sighting {
  const shards = found.throttles.side === 'write' ? advisedShards(found, hottest) : null;
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
      found.throttles.side === 'write' ? adviseWrites(found, hottest, shards) : adviseReads(found, hottest),
    evidence: {
      ...caseEvidence(found),
      key: hottest.logical.name,
      shards: hottest.logical.shardCount,
      ...(shards !== null && { advisedShards: shards }),
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

function advisedShards({ partitions }: KeyRangeCase, { demand }: HottestKey): number | null {
  const byPlacement = partitions === null ? null : shardsOnPartitions(demand, partitions.count);
  return byPlacement ?? shardsByCeiling(demand);
}

function adviseWrites(found: KeyRangeCase, hottest: HottestKey, shards: number | null): string {
  const { logical } = hottest;
  if (shards === null) {
    return (
      `no number of shards up to 200 carries this demand on ${logical.name}: aggregate the writes, ` +
      'make them smaller, ' +
      'or buffer them in a queue'
    );
  }
  const now = logical.shardCount > 1 ? ` instead of ${logical.shardCount}` : '';
  const spread =
    `spread ${logical.name} over ${shards} shards${now} (${logical.name}#0 … #${shards - 1}, chosen ` +
    'at write time), or use ' +
    `a key with more values; reading all of it then takes ${formatNumber(shards)} queries`;
  return `${spread}${placementNote(found, hottest, shards)}${itemNote(found)}`;
}

/** Shards help only as far as they lie on different partitions. */
function placementNote({ partitions }: KeyRangeCase, { demand }: HottestKey, shards: number): string {
  if (partitions === null) return '; shards need partitions to lie on, so warm the table or ramp up';
  const odds = formatPercent(oddsOfFitting(demand, shards, partitions.count));
  return (
    `; hashed onto ${countOf(partitions.count, 'partition')}, ${shards} shards stay below the ` +
    `ceiling in ${odds} of placements`
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
