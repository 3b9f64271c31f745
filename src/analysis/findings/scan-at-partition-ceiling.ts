// `scan-at-partition-ceiling`: a scan reads as fast as it is answered and runs into the read ceiling of the
// partition it is in, or of all where it has many segments. Its keys are hot only while it passes them.
// @see "Best practices for querying and scanning data in DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html, and "DynamoDB data
//   export to Amazon S3: how it works",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.HowItWorks.html, read
//   2026-11-30
import { type KeyRangeCase, keyRangeCases } from '../key-range-case.ts';
import type { VariantResult } from '../run-result.ts';
import { formatNumber, formatPercent, joinNames } from '../wording.ts';
import { caseEvidence, causeName, throttledInWords, unitsInWords } from './case-in-words.ts';
import type { Sighting } from './sighting.ts';

/** A page of 1 MB read with eventual consistency: 1,024 KB ÷ 4 KB × 0.5. */
const FULL_PAGE_READ_UNITS = 128;

/** Tables and indexes of one variant on which a scan runs a partition at its ceiling. */
export function findScansAtCeiling(variant: VariantResult): Sighting[] {
  return keyRangeCases(variant)
    .filter((found) => found.cause === 'scan')
    .map((found) => describe(found, variant));
}

function describe(found: KeyRangeCase, variant: VariantResult): Sighting {
  const scans = variant.workloads.filter((workload) => workload.kind === 'scan').map((one) => one.name);
  const pagesPerSecond = Math.floor(found.ceilingUnits / FULL_PAGE_READ_UNITS);
  const others = found.throttles.workloads.filter((name) => !scans.includes(name));
  return {
    code: 'scan-at-partition-ceiling',
    cause: causeName(found),
    severity: found.throttledRatio,
    confidence: found.partitions === null ? 'medium' : 'high',
    seen:
      `${throttledInWords(found)}: ${joinNames(scans)} reads as fast as it is answered, and one partition ` +
      `gives ${unitsInWords(found.ceilingUnits, found)} at most` +
      (others.length === 0
        ? ''
        : `; ${joinNames(others)} ${others.length === 1 ? 'pays' : 'pay'} for it too`),
    because: [
      `${found.throttles.reason} on ${found.name}`,
      `${formatPercent(found.scanRatio)} of the reads there are the scan's`,
      `a full page of 1 MB costs ${FULL_PAGE_READ_UNITS} read units (eventually consistent), so that about ` +
        `${formatNumber(pagesPerSecond)} pages a second fill a partition`,
      ...partitionsInWords(found),
    ].join('; '),
    advice:
      'ask for the items wanted by a Query on a key or an index; where all must be read, slow the scan ' +
      'down (Limit, pauses between pages, fewer segments), run it when nobody else reads, or export the table to ' +
      'S3, which takes none of its read capacity',
    evidence: { ...caseEvidence(found), scanReadRatio: found.scanRatio },
  };
}

function partitionsInWords({ partitions }: KeyRangeCase): string[] {
  if (partitions === null) return [];
  const busiest = `the busiest partition ran at ${formatPercent(partitions.busiestRatio)}`;
  if (partitions.count === 1) return [busiest];
  return [`${busiest}, all ${partitions.count} together at ${formatPercent(partitions.meanRatio)}`];
}
