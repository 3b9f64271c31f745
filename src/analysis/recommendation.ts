// Which of the variants that meet their goals to take: the cheapest of those whose result does not hang on
// where keys happened to fall. Whether a run passes is decided in verdict.ts.
import { variantCostPerMillion } from './cost.ts';
import { consumedUnits } from './metrics.ts';
import type { PlacementResult, VariantResult } from './run-result.ts';
import { formatNumber, formatPercent, formatUsd, joinNames } from './wording.ts';

/**
 * Share of placements in which a variant must stay within the throttling goal from the first second on for
 * its result to count as its own and not as luck. 95 % leaves out what fails in more than one table of
 * twenty; with 200 placements its standard error is 1.5 points.
 */
export const LEAST_PLACEMENT_RATIO = 0.95;

/** Placements whose throttled shares, 0–1, are closer than this refuse the same. */
const SMALLEST_DIFFERENCE = 0.0005;

type Candidate = Pick<VariantResult, 'name' | 'index' | 'workloads' | 'placement'>;

/** The variant to take. */
export interface Recommendation {
  /** Name of the variant; null where none can be recommended. */
  readonly variant: string | null;
  /** Sentences for the verdict. */
  readonly reasons: readonly string[];
}

/**
 * The choice among variants that meet all goals.
 * @param candidates  at least one; where no placement is known, the result is taken as it is
 */
export function recommend(candidates: readonly Candidate[]): Recommendation {
  const sure = candidates.filter((candidate) => !isLucky(candidate));
  if (sure.length === 0) return { variant: null, reasons: [hangsOnPlacement(candidates)] };
  const lucky = candidates.filter(isLucky);
  const chosen = cheapestOf(sure);
  return {
    variant: chosen.name,
    reasons: [...luckInWords(lucky), ...priceReason(chosen, sure)],
  };
}

/** `at most 0.1 % is throttled in 19 % of 200 placements from the first second, in 100 % once settled`. */
export function placementInWords(placement: PlacementResult): string {
  const { placements, goalThrottledRatio } = placement;
  return (
    `at most ${formatPercent(goalThrottledRatio)} is throttled in ` +
    `${formatPercent(placement.shareMeetingGoalFromFirstSecond)} of ${formatNumber(placements)} placements ` +
    `from the first second, in ${formatPercent(placement.shareMeetingGoalSettled)} once settled`
  );
}

function isLucky({ placement }: Candidate): boolean {
  return (
    placement !== null &&
    placement.shareMeetingGoalFromFirstSecond < LEAST_PLACEMENT_RATIO &&
    hangsOnKeys(placement)
  );
}

/**
 * Whether it matters where keys fall: all placements neither refuse the same nor agree about the goal. What a
 * limit of the whole table refuses, for example provisioned units, is the same in each.
 */
export function hangsOnKeys(placement: PlacementResult): boolean {
  const { shareMeetingGoalFromFirstSecond: share, throttledRatioFromFirstSecond: throttled } = placement;
  return (share > 0 && share < 1) || throttled.worst - throttled.median > SMALLEST_DIFFERENCE;
}

/** A sentence for all lucky variants of equal odds. */
function luckInWords(lucky: readonly Candidate[]): string[] {
  const namesByOdds = new Map<string, string[]>();
  for (const { name, placement } of lucky) {
    const odds = placement === null ? '' : placementInWords(placement);
    namesByOdds.set(odds, [...(namesByOdds.get(odds) ?? []), name]);
  }
  return [...namesByOdds].map(([odds, names]) => {
    const [verb, owes] = names.length === 1 ? ['is', 'it owes its'] : ['are', 'they owe their'];
    return (
      `${joinNames(names)} ${verb} not recommended, since ${owes} result to where ` +
      `${names.length === 1 ? 'its' : 'their'} keys fell: ${odds}`
    );
  });
}

/** The best of them speaks for all. */
function hangsOnPlacement(candidates: readonly Candidate[]): string {
  const best = candidates.reduce((a, b) => (shareOf(b) > shareOf(a) ? b : a));
  const odds = best.placement === null ? '' : `: ${placementInWords(best.placement)}`;
  const which = candidates.length === 1 ? '' : `, with ${best.name} the best of them`;
  return `none is recommended, since the result hangs on where keys fall${which}${odds}`;
}

function shareOf({ placement }: Candidate): number {
  return placement?.shareMeetingGoalFromFirstSecond ?? 1;
}

function priceReason(chosen: Candidate, sure: readonly Candidate[]): string[] {
  const cost = variantCostPerMillion(chosen);
  const others = sure.filter((candidate) => candidate !== chosen);
  if (cost === null || others.length === 0) return [];
  const price = `${formatUsd(cost)} per million operations on demand`;
  const asCheap = others.filter(
    (other) => formatUsd(variantCostPerMillion(other) ?? Number.NaN) === formatUsd(cost),
  );
  if (asCheap.length === 0) return [`${chosen.name} is the cheapest of them at ${price}`];
  return [`${chosen.name} costs ${price}, as does ${joinNames(asCheap.map((other) => other.name))}`];
}

/** Cheapest first, then fewer units, then the earlier variant; one whose cost is not known comes last. */
function cheapestOf(variants: readonly Candidate[]): Candidate {
  const ranked = variants.map((variant) => ({
    variant,
    cost: variantCostPerMillion(variant) ?? Number.POSITIVE_INFINITY,
    units: unitsOf(variant),
  }));
  // Subtracting two infinities gives NaN, hence the test for equality first.
  ranked.sort((a, b) =>
    a.cost !== b.cost ? a.cost - b.cost : a.units - b.units || a.variant.index - b.variant.index,
  );
  return (ranked[0] as (typeof ranked)[number]).variant; // There is at least one candidate.
}

function unitsOf(variant: Candidate): number {
  return variant.workloads.reduce((sum, workload) => {
    const units = consumedUnits(workload.measured);
    return sum + units.readUnits + units.writeUnits;
  }, 0);
}
