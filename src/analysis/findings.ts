// Looks for known causes behind a run's figures. One file per finding under findings/ says what it sees in
// one variant; here sightings of the same cause in several variants become one finding, told by its worst
// case.
import { findContendedItems } from './findings/contended-items.ts';
import { findExceededUnits } from './findings/provisioned-exceeded.ts';
import { findFilterWaste } from './findings/read-filter-waste.ts';
import { findGrowth } from './findings/growth.ts';
import { findHotKeys } from './findings/hot-key.ts';
import { findKeyRangeWithSpare } from './findings/key-range-with-capacity-to-spare.ts';
import { findDifferingCounts } from './findings/service-counts-differ.ts';
import { findReplacedPuts } from './findings/replaced-puts.ts';
import { findScansAtCeiling } from './findings/scan-at-partition-ceiling.ts';
import { findSharedPartitions } from './findings/shards-share-a-partition.ts';
import type { Sighting } from './findings/sighting.ts';
import { findThrottledKeys } from './findings/throttled-key-by-insights.ts';
import { findTooFewPartitions } from './findings/too-few-partitions.ts';
import type { Finding, VariantResult } from './run-result.ts';
import { shadowVariant } from './shadow.ts';

type Detector = (variant: VariantResult, variants: readonly VariantResult[]) => Sighting[];

/** Causes of throttling, in the order in which a report lists them. */
const throttlingDetectors: readonly Detector[] = [
  findExceededUnits,
  findHotKeys,
  findGrowth,
  findTooFewPartitions,
  findSharedPartitions,
  findScansAtCeiling,
  findKeyRangeWithSpare,
];

const detectors: readonly Detector[] = [
  ...throttlingDetectors,
  findContendedItems,
  findFilterWaste,
  findReplacedPuts,
  findThrottledKeys,
  findDifferingCounts,
];

/** All findings of a run, each with the variants in which it was seen and the figures of the worst. */
export function findFindings(variants: readonly VariantResult[]): Finding[] {
  return detectBy(detectors, variants);
}

function detectBy(chosen: readonly Detector[], variants: readonly VariantResult[]): Finding[] {
  const ran = variants.filter((variant) => variant.measuredSeconds > 0);
  return chosen.flatMap((detect) => {
    const sightings = ran.flatMap((variant) =>
      detect(variant, ran).map((sighting) => ({ sighting, variant: variant.name })),
    );
    return mergeByCause(sightings);
  });
}

/** What would throttle by the capacity model's word of a live load, marked as modelled. */
export function findShadowFindings(variants: readonly VariantResult[]): Finding[] {
  const shadows = variants.map(shadowVariant).filter((variant) => variant !== undefined);
  return detectBy(throttlingDetectors, shadows).map((finding) => ({ ...finding, isModelled: true }));
}

interface SightingInVariant {
  readonly sighting: Sighting;
  readonly variant: string;
}

function mergeByCause(sightings: readonly SightingInVariant[]): Finding[] {
  const byCause = new Map<string, SightingInVariant[]>();
  for (const one of sightings) {
    const cause = `${one.sighting.code} ${one.sighting.cause}`;
    byCause.set(cause, [...(byCause.get(cause) ?? []), one]);
  }
  return [...byCause.values()].map(mergeOne);
}

function mergeOne(same: readonly SightingInVariant[]): Finding {
  const worst = same.reduce((a, b) => (b.sighting.severity > a.sighting.severity ? b : a));
  const { code, confidence, seen, because, advice, evidence } = worst.sighting;
  const prefix = same.length > 1 ? `in ${worst.variant}, the worst: ` : '';
  return {
    code,
    variants: [...new Set(same.map((one) => one.variant))],
    confidence,
    seen: `${prefix}${seen}`,
    because,
    advice,
    evidence: { variant: worst.variant, ...evidence },
  };
}
