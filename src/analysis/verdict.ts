// All variants together: does the run pass? The rules are those of the README's section on goals; an invalid
// variant never passes anything. Which variant to take is chosen in recommendation.ts, the
// wording in verdict-in-words.ts.
import { recommend } from './recommendation.ts';
import type { GoalResult, Verdict } from './run-result.ts';
import { isUsable, type JudgedVariant, standingOf } from './standing.ts';
import { meetingInWords, misses, noneMeets, suspicions, unlucky, whyUnusable } from './verdict-in-words.ts';
import { joinNames } from './wording.ts';

/** What decides besides the goals. */
export interface VerdictOptions {
  /** Which variants must meet their goals: false: at least one; true or an empty list: all; names: those. */
  readonly gate: boolean | readonly string[];
  /**
   * Not all variants of the scenario ran, or not to their end: then none may be said to be missing its goals
   * for all.
   */
  readonly isPartial?: boolean;
}

/**
 * The verdict over all variants.
 *
 * Without a gate a run passes when at least one usable variant (valid or suspect) meets all goals that the
 * target can measure; it fails when all are usable and none does; it is inconclusive when those that might
 * have passed are invalid. With a gate every variant named must meet its goals, and one that is invalid or
 * did not run makes it inconclusive. Without goals a complete run passes when a variant is usable.
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

function judgeWithoutGoals(variants: readonly JudgedVariant[], { gate, isPartial }: VerdictOptions): Verdict {
  const unusable = variants.filter((variant) => !isUsable(variant));
  if (gate !== false && unusable.length > 0) return inconclusive(whyUnusable(unusable));
  if (isPartial === true) return inconclusive('the scenario states no goals, and the run is not complete');
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

function nothingMeasurable(variants: readonly JudgedVariant[]): string {
  const goals = distinct(variants.flatMap((variant) => goalTexts(variant, 'notMeasurableHere')));
  return `this target can measure none of the goals (${joinNames(goals)}): it does not throttle`;
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
