// All variants together: does the run pass? The rules are those of the README's section on goals; an invalid
// variant never passes anything. Which variant to take is chosen in recommendation.ts.
import { LEAST_PLACEMENT_RATIO, placementInWords, recommend } from './recommendation.ts';
import type { GoalResult, VariantResult, Verdict } from './run-result.ts';
import { joinNames } from './wording.ts';

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
  'name' | 'index' | 'status' | 'measuredSeconds' | 'workloads' | 'goals' | 'placement' | 'validity'
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
  return failed([...noneMeets(usable), ...unlucky(usable)]);
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
  if (missing.length > 0) return failed([...misses(missing), ...unlucky(missing)]);
  const isAll = gate === true || (typeof gate !== 'boolean' && gate.length === 0);
  if (isPartial === true && isAll)
    return inconclusive('the run is not complete, and the gate asks for all variants');
  return passed(gated, variants);
}

function passed(passing: readonly JudgedVariant[], variants: readonly JudgedVariant[]): Verdict {
  const meeting = meetingInWords(passing, variants);
  const unmeasured = distinct(passing.flatMap((variant) => goalTexts(variant, 'notMeasurableHere')));
  if (unmeasured.length > 0) {
    return {
      status: 'pass',
      reasons: [
        meeting('all goals that this target can measure'),
        `not measurable here: ${joinNames(unmeasured)}; so no variant is recommended`,
        ...suspicions(passing),
      ],
      recommendedVariant: null,
    };
  }
  const { variant, reasons } = recommend(variants.filter((one) => standingOf(one) === 'meets'));
  return {
    status: 'pass',
    reasons: [meeting('all goals'), ...reasons, ...unlucky(variants), ...suspicions(passing)],
    recommendedVariant: variant,
  };
}

/** `count=10 alone meets …`, `both variants meet …`, `2 of 5 variants meet …: count=5 and count=10`. */
function meetingInWords(
  passing: readonly JudgedVariant[],
  variants: readonly JudgedVariant[],
): (what: string) => string {
  const names = joinNames(passing.map((variant) => variant.name));
  const total = variants.length;
  if (passing.length === 1) return (what) => `${names}${total > 1 ? ' alone' : ''} meets ${what}`;
  if (passing.length === total)
    return (what) => `${total === 2 ? 'both' : `all ${total}`} variants meet ${what}`;
  return (what) => `${passing.length} of ${total} variants meet ${what}: ${names}`;
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
  const suspect = variants.filter((variant) => variant.validity.status === 'suspect');
  return byText(suspect, (variant) => reasonCodes(variant, 'suspect')).map(
    ({ text, names, isOne }) => `${names} ${isOne ? 'is' : 'are'} suspect (${text})`,
  );
}

function whyUnusable(variants: readonly JudgedVariant[]): string {
  const isRun = (variant: JudgedVariant): boolean => variant.status !== 'notRun';
  const unusable = variants.filter((variant) => !isUsable(variant));
  const invalid = byText(unusable.filter(isRun), (variant) => reasonCodes(variant, 'invalid'));
  const notRun = unusable.filter((variant) => !isRun(variant)).map((variant) => variant.name);
  return [
    ...invalid.map(({ text, names, isOne }) => `${names} ${isOne ? 'is' : 'are'} invalid (${text})`),
    ...(notRun.length > 0 ? [`${joinNames(notRun)} did not run`] : []),
  ].join('; ');
}

/** The codes of a variant's doubts, each once. */
function reasonCodes({ validity }: JudgedVariant, status: 'suspect' | 'invalid'): string {
  const reasons = validity.reasons.filter((reason) => reason.status === status);
  return joinNames(distinct(reasons.map((reason) => reason.code)));
}

/** Variants of which the same is to be said, together. */
interface SameSaid {
  readonly text: string;
  readonly names: string;
  readonly isOne: boolean;
}

function byText(variants: readonly JudgedVariant[], textOf: (variant: JudgedVariant) => string): SameSaid[] {
  return distinct(variants.map(textOf)).map((text) => {
    const same = variants.filter((variant) => textOf(variant) === text);
    return { text, names: joinNames(same.map((variant) => variant.name)), isOne: same.length === 1 };
  });
}

function nothingMeasurable(variants: readonly JudgedVariant[]): string {
  const goals = distinct(variants.flatMap((variant) => goalTexts(variant, 'notMeasurableHere')));
  return `this target can measure none of the goals (${joinNames(goals)}): it does not throttle`;
}

/** Goals named in one sentence at most; more are counted. */
const MOST_GOALS_NAMED = 3;

/** One sentence where all miss the same goals, else one more for each set of goals missed. */
function noneMeets(variants: readonly JudgedVariant[]): string[] {
  const [first, ...others] = missGroups(variants);
  if (first === undefined) return [];
  if (variants.length === 1) return [missInWords(first)];
  if (others.length === 0) return [`no variant meets all goals: each misses ${first.text}`];
  return ['no variant meets all goals', ...[first, ...others].map(missInWords)];
}

function misses(variants: readonly JudgedVariant[]): string[] {
  return missGroups(variants).map(missInWords);
}

/** `count=1 and count=2 miss placeOrder.throttledRatio < 0.1%`. */
function missInWords({ text, names, isOne }: SameSaid): string {
  return `${names} ${isOne ? 'misses' : 'miss'} ${text}`;
}

function missGroups(variants: readonly JudgedVariant[]): SameSaid[] {
  return byText(
    variants.filter((variant) => standingOf(variant) === 'misses'),
    (variant) => {
      const missed = missedGoals(variant).map((goal) => goal.text);
      if (missed.length <= MOST_GOALS_NAMED) return joinNames(missed);
      return `${missed.length} of ${variant.goals.length} goals`;
    },
  );
}

/** Variants that miss nothing but a throttling goal which nearly every other placement of their keys meets. */
function unlucky(variants: readonly JudgedVariant[]): string[] {
  return variants
    .filter((variant) => standingOf(variant) === 'misses')
    .flatMap(({ name, goals, placement }) => {
      if (placement === null || placement.shareMeetingGoalFromFirstSecond < LEAST_PLACEMENT_RATIO) return [];
      const isAboutThrottles = missedGoals({ goals }).every((goal) => goal.metric === 'throttledRatio');
      if (!isAboutThrottles) return [];
      return [
        `${name} was unlucky with where its keys fell: ${placementInWords(placement)} (try another --seed)`,
      ];
    });
}

function missedGoals({ goals }: Pick<JudgedVariant, 'goals'>): GoalResult[] {
  return goals.filter((goal) => goal.status === 'missed' || goal.status === 'missing');
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
