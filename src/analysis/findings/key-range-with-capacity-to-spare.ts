// `key-range-throttling-with-capacity-to-spare`: a table or index throttles key ranges while most of its
// capacity lies idle, and no more precise cause is known, mostly since the target does not tell its
// partitions.
// @see "Resolving key range limit exceeded throttling",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-key-range-limit-exceeded-mitigation.html,
//   read 2026-11-30
import { type KeyRangeCase, keyRangeCases } from '../key-range-case.ts';
import type { VariantResult } from '../run-result.ts';
import { countOf, formatPercent } from '../wording.ts';
import { caseEvidence, causeName, throttledInWords, unitsInWords } from './case-in-words.ts';
import type { Sighting } from './sighting.ts';

/** Tables and indexes of one variant that throttle key ranges for no more precise cause, by side. */
export function findKeyRangeWithSpare(variant: VariantResult): Sighting[] {
  return keyRangeCases(variant)
    .filter((found) => found.cause === 'unknown')
    .map((found) => ({
      code: 'key-range-throttling-with-capacity-to-spare',
      cause: causeName(found),
      severity: found.throttledRatio,
      confidence: found.partitions === null ? ('medium' as const) : ('high' as const),
      seen: `${throttledInWords(found)} for a hot key range, not for the table's capacity`,
      because: [
        `${found.throttles.reason} on ${found.name}: one partition passed ` +
          unitsInWords(found.ceilingUnits, found),
        ...spare(found),
        ...hottest(found),
      ].join('; '),
      advice: advise(found),
      evidence: caseEvidence(found),
    }));
}

function spare({ partitions }: KeyRangeCase): string[] {
  if (partitions === null) return [];
  return [
    `its ${countOf(partitions.count, 'partition')} together ran at ` +
      `${formatPercent(partitions.meanRatio)}, the busiest at ` +
      formatPercent(partitions.busiestRatio),
  ];
}

function hottest({ hottest, isExact, ...found }: KeyRangeCase): string[] {
  if (hottest === null) return ['the keys behind it are not known'];
  const about = isExact ? '' : 'about ';
  const demand = unitsInWords(hottest.demandUnits, found);
  return [`the hottest key, ${hottest.key}, takes ${about}${formatPercent(hottest.shareRatio)} (${demand})`];
}

function advise(found: KeyRangeCase): string {
  if (found.hottest === null) {
    return (
      `find the key with Contributor Insights on ${found.nameInWords}, then shard it or use a ` +
      `key with more values; more capacity does not help`
    );
  }
  return (
    `spread the load of ${found.nameInWords} over more keys, or warm it before the load ` +
    `starts; more capacity for the table does not help`
  );
}
