// `on-demand-growth`: load is spread over all partitions and has outgrown them. On demand more come by
// themselves, and later than the load: a run that throttles for this measures growth, not the steady state.
// @see "DynamoDB on-demand capacity mode",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html, read
//   2026-11-30
import { type KeyRangeCase, keyRangeCases, type PartitionFacts } from '../key-range-case.ts';
import type { VariantResult } from '../run-result.ts';
import { TARGET_UTILIZATION } from '../shards-needed.ts';
import { countOf, formatNumber, formatPercent } from '../wording.ts';
import { caseEvidence, causeName, throttledInWords, unitsInWords } from './case-in-words.ts';
import type { Sighting } from './sighting.ts';

/** Tables and indexes of one variant that load has outgrown, by side. */
export function findGrowth(variant: VariantResult): Sighting[] {
  return keyRangeCases(variant).flatMap((found) =>
    found.cause === 'growth' && found.partitions !== null ? [describe(found, found.partitions)] : [],
  );
}

function describe(found: KeyRangeCase, partitions: PartitionFacts): Sighting {
  const needed = Math.max(
    partitions.count + 1,
    Math.ceil(found.demandUnits / (TARGET_UTILIZATION * found.ceilingUnits)),
  );
  const units = formatNumber(needed * found.ceilingUnits);
  return {
    code: 'on-demand-growth',
    cause: causeName(found),
    severity: found.throttledRatio,
    confidence: 'high',
    seen:
      `${throttledInWords(found)}: ${unitsInWords(found.demandUnits, found)} were asked of ` +
      `${countOf(partitions.count, 'partition')}, and each was in use`,
    because:
      `the least used partition ran at ${formatPercent(partitions.leastRatio)}, all together at ` +
      `${formatPercent(partitions.meanRatio)}: no key is to blame; ${found.throttles.reason} on ${found.name}`,
    advice:
      `pre-warm ${found.nameInWords} to ${units} ${found.throttles.side} units per second ` +
      `(${countOf(needed, 'partition')}, a one-time charge) before such a load, or at most double it every 30 ` +
      'minutes: on demand partitions come by themselves, minutes after a new peak',
    evidence: {
      ...caseEvidence(found),
      leastPartitionUtilization: partitions.leastRatio,
      advisedPartitions: needed,
    },
  };
}
