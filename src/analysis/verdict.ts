// All variants together: does the run pass, and which variant is the cheapest that meets its goals? The rules
// are those of the README's section on goals; an invalid variant never passes anything.
import type { GoalResult, VariantResult, Verdict } from './run-result.ts';
import { consumedUnits } from './metrics.ts';
import { countOf, formatUsd, joinNames } from './wording.ts';

export interface VerdictOptions {
  /** Which variants must meet their goals: false: at least one; true or an empty list: all; names: those. */
  readonly gate: boolean | readonly string[];
  /**
   * Not all variants of the scenario ran, or not to their end: then none may be said to be missing its goals
   * for all.
   */
  readonly isPartial?: boolean;
}

type JudgedVariant = Pick<
  VariantResult,
  'name' | 'index' | 'status' | 'measuredSeconds' | 'workloads' | 'goals' | 'validity'
>;

/**
 * How a variant stands to its goals. `nothingMeasurable`: it has goals, and this target can measure none of
 * them.
 */
type Standing = 'meets' | 'misses' | 'nothingMeasurable' | 'noGoals' | 'unusable';

/**
 * The verdict over all variants.
 *
 * Without a gate a run passes when at least one usable variant (valid or suspect) meets all goals that the
 * target can measure; it fails when all are usable and none does; it is inconclusive when those that might
 * have passed are invalid. With a gate every variant named must meet its goals, and one that is invalid or
 * did not run makes it inconclusive. Without goals a run passes when a variant is usable.
 */
export function judgeRun(variants: readonly JudgedVariant[], options: VerdictOptions): Verdict {
  const gated = gatedVariants(variants, options);
  if (typeof gated === 'string') return inconclusive(gated);
  if (gated.length === 0) return inconclusive('no variant ran');
  const usable = variants.filter(isUsable);
  if (usable.length === 0) return inconclusive(`no variant is valid: ${whyUnusable(variants)}`);
  if (usable.every((variant) => variant.goals.length === 0)) return judgeWithoutGoals(variants, options);
  return options.gate === false ? judgeAny(variants, options) : judgeEach(gated, variants, options);
}

/**
 * What a variant costs on demand per million planned operations: the workloads' cost per million, weighted by
 * their planned rates.
 * @returns USD; null where a workload with load had no successful operation
 */
export function variantCostPerMillion(variant: Pick<VariantResult, 'workloads'>): number | null {
  let planned = 0;
  let weighted = 0;
  for (const { measured, metrics } of variant.workloads) {
    if (measured.planned === 0) continue;
    const cost = metrics.costPerMillion ?? null;
    if (cost === null) return null;
    planned += measured.planned;
    weighted += measured.planned * cost;
  }
  return planned === 0 ? null : weighted / planned;
}

function gatedVariants(
  variants: readonly JudgedVariant[],
  { gate }: VerdictOptions,
): readonly JudgedVariant[] | string {
  if (typeof gate === 'boolean' || gate.length === 0) return variants;
  const unknown = gate.filter((name) => !variants.some((variant) => variant.name === name));
  if (unknown.length > 0) {
    const known = joinNames(variants.map((variant) => variant.name));
    return `the gate names ${joinNames(unknown)}, which is no variant of this run (there are ${known})`;
  }
  return variants.filter((variant) => gate.includes(variant.name));
}

function judgeWithoutGoals(variants: readonly JudgedVariant[], { gate }: VerdictOptions): Verdict {
  const unusable = variants.filter((variant) => !isUsable(variant));
  if (gate !== false && unusable.length > 0) return inconclusive(whyUnusable(unusable));
  return {
    status: 'pass',
    reasons: ['the scenario states no goals', ...suspicions(variants.filter(isUsable))],
    recommendedVariant: null,
  };
}

function judgeAny(variants: readonly JudgedVariant[], { isPartial }: VerdictOptions): Verdict {
  const passing = variants.filter((variant) => standingOf(variant) === 'meets');
  if (passing.length > 0) return passed(passing, variants);
  const usable = variants.filter(isUsable);
  if (usable.every((variant) => standingOf(variant) === 'nothingMeasurable')) {
    return inconclusive(nothingMeasurable(usable));
  }
  const unusable = variants.filter((variant) => !isUsable(variant));
  if (unusable.length > 0) {
    return inconclusive(`no valid variant meets all goals, and ${whyUnusable(unusable)}`);
  }
  if (isPartial === true)
    return inconclusive('no variant that ran meets all goals, and the run is not complete');
  return failed([`no variant meets all goals (${joinNames(usable.map(missedGoals))})`]);
}

function judgeEach(
  gated: readonly JudgedVariant[],
  variants: readonly JudgedVariant[],
  { gate, isPartial }: VerdictOptions,
): Verdict {
  const unusable = gated.filter((variant) => !isUsable(variant));
  if (unusable.length > 0) return inconclusive(whyUnusable(unusable));
  const unmeasured = gated.filter((variant) => standingOf(variant) === 'nothingMeasurable');
  if (unmeasured.length > 0) return inconclusive(nothingMeasurable(unmeasured));
  const missing = gated.filter((variant) => standingOf(variant) === 'misses');
  if (missing.length > 0) return failed(missing.map(missedGoals));
  const isAll = gate === true || (typeof gate !== 'boolean' && gate.length === 0);
  if (isPartial === true && isAll)
    return inconclusive('the run is not complete, and the gate asks for all variants');
  return passed(gated, variants);
}

function passed(passing: readonly JudgedVariant[], variants: readonly JudgedVariant[]): Verdict {
  const names = joinNames(passing.map((variant) => variant.name));
  const verb = passing.length === 1 ? 'meets' : 'meet';
  const unmeasured = distinct(passing.flatMap((variant) => goalTexts(variant, 'notMeasurableHere')));
  if (unmeasured.length > 0) {
    return {
      status: 'pass',
      reasons: [
        `${names} ${verb} all goals that this target can measure`,
        `not measurable here: ${joinNames(unmeasured)}; so no variant is recommended`,
        ...suspicions(passing),
      ],
      recommendedVariant: null,
    };
  }
  const candidates = variants.filter((variant) => standingOf(variant) === 'meets');
  const cheapest = cheapestOf(candidates);
  const isAlone = candidates.length === 1 && variants.length > 1 ? ' alone' : '';
  return {
    status: 'pass',
    reasons: [
      `${names}${isAlone} ${verb} all goals`,
      ...cheapestReason(cheapest, candidates),
      ...suspicions(passing),
    ],
    recommendedVariant: cheapest?.name ?? null,
  };
}

function cheapestReason(cheapest: JudgedVariant | undefined, candidates: readonly JudgedVariant[]): string[] {
  const cost = cheapest === undefined ? null : variantCostPerMillion(cheapest);
  if (cheapest === undefined || cost === null || candidates.length < 2) return [];
  return [`${cheapest.name} is the cheapest of them at ${formatUsd(cost)} per million operations on demand`];
}

/** Cheapest first, then fewer units, then the earlier variant; one whose cost is not known comes last. */
function cheapestOf(variants: readonly JudgedVariant[]): JudgedVariant | undefined {
  const ranked = variants.map((variant) => ({
    variant,
    cost: variantCostPerMillion(variant) ?? Number.POSITIVE_INFINITY,
    units: unitsOf(variant),
  }));
  // Subtracting two infinities gives NaN, hence the test for equality first.
  ranked.sort((a, b) =>
    a.cost !== b.cost ? a.cost - b.cost : a.units - b.units || a.variant.index - b.variant.index,
  );
  return ranked[0]?.variant;
}

function unitsOf(variant: JudgedVariant): number {
  return variant.workloads.reduce((sum, workload) => {
    const units = consumedUnits(workload.measured);
    return sum + units.readUnits + units.writeUnits;
  }, 0);
}

function standingOf(variant: JudgedVariant): Standing {
  if (!isUsable(variant)) return 'unusable';
  if (variant.goals.length === 0) return 'noGoals';
  const measurable = variant.goals.filter((goal) => goal.status !== 'notMeasurableHere');
  if (measurable.length === 0) return 'nothingMeasurable';
  return measurable.every((goal) => goal.status === 'met') ? 'meets' : 'misses';
}

/** A suspect variant may pass, with the doubt named beside the verdict; an invalid one may not. */
function isUsable(variant: JudgedVariant): boolean {
  return variant.status !== 'notRun' && variant.validity.status !== 'invalid';
}

function suspicions(variants: readonly JudgedVariant[]): string[] {
  return variants
    .filter((variant) => variant.validity.status === 'suspect')
    .map(
      (variant) =>
        `${variant.name} is suspect: ${variant.validity.reasons.map((one) => one.text).join('; ')}`,
    );
}

function whyUnusable(variants: readonly JudgedVariant[]): string {
  const texts = variants
    .filter((variant) => !isUsable(variant))
    .map((variant) => {
      if (variant.status === 'notRun') return `${variant.name} did not run`;
      const reasons = variant.validity.reasons.filter((reason) => reason.status === 'invalid');
      return `${variant.name} is invalid (${joinNames(reasons.map((reason) => reason.code))})`;
    });
  return joinNames(texts);
}

function nothingMeasurable(variants: readonly JudgedVariant[]): string {
  const goals = distinct(variants.flatMap((variant) => goalTexts(variant, 'notMeasurableHere')));
  return `this target can measure none of the goals (${joinNames(goals)}): it does not throttle`;
}

function missedGoals(variant: JudgedVariant): string {
  const missed = variant.goals.filter((goal) => goal.status === 'missed' || goal.status === 'missing');
  return `${variant.name} misses ${countOf(missed.length, 'goal')} of ${variant.goals.length}`;
}

function goalTexts(variant: JudgedVariant, status: GoalResult['status']): string[] {
  return variant.goals.filter((goal) => goal.status === status).map((goal) => goal.text);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function inconclusive(reason: string): Verdict {
  return { status: 'inconclusive', reasons: [reason], recommendedVariant: null };
}

function failed(reasons: string[]): Verdict {
  return { status: 'fail', reasons, recommendedVariant: null };
}
