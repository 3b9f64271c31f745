// The reasons of a verdict as sentences. Variants of which the same is to be said are named together.
import { hangsOnKeys, LEAST_PLACEMENT_RATIO, placementInWords } from './recommendation.ts';
import { isUsable, type JudgedVariant, missedGoals, standingOf } from './standing.ts';
import { joinNames } from './wording.ts';

/** `count=10 alone meets …`, `both variants meet …`, `2 of 5 variants meet …: count=5 and count=10`. */
export function meetingInWords(
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

/** Doubts of those that pass all the same. */
export function suspicions(variants: readonly JudgedVariant[]): string[] {
  const suspect = variants.filter((variant) => variant.validity.status === 'suspect');
  return byText(suspect, (variant) => reasonCodes(variant, 'suspect')).map(
    ({ text, names, isOne }) => `${names} ${isOne ? 'is' : 'are'} suspect (${text})`,
  );
}

/** Why the unusable ones among the variants are so. */
export function whyUnusable(variants: readonly JudgedVariant[]): string {
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

/** Goals named in one sentence at most; more are counted. */
const MOST_GOALS_NAMED = 3;

/** One sentence where all miss the same goals, else one more for each set of goals missed. */
export function noneMeets(variants: readonly JudgedVariant[]): string[] {
  const [first, ...others] = missGroups(variants);
  if (first === undefined) return [];
  if (variants.length === 1) return [missInWords(first)];
  if (others.length === 0) return [`no variant meets all goals: each misses ${first.text}`];
  return ['no variant meets all goals', ...[first, ...others].map(missInWords)];
}

/** A sentence for each set of goals missed. */
export function misses(variants: readonly JudgedVariant[]): string[] {
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

/**
 * Variants that miss nothing but a throttling goal which nearly every other placement of their keys meets.
 */
export function unlucky(variants: readonly JudgedVariant[]): string[] {
  return variants
    .filter((variant) => standingOf(variant) === 'misses')
    .flatMap(({ name, goals, placement }) => {
      if (placement === null || !hangsOnKeys(placement)) return [];
      if (placement.shareMeetingGoalFromFirstSecond < LEAST_PLACEMENT_RATIO) return [];
      const isAboutThrottles = missedGoals({ goals }).every((goal) => goal.metric === 'throttledRatio');
      if (!isAboutThrottles) return [];
      return [
        `${name} was unlucky with where its keys fell: ${placementInWords(placement)} (try another --seed)`,
      ];
    });
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
