// How a variant stands to its goals: the distinctions on which a verdict and its wording rest.
import type { GoalResult, VariantResult } from './run-result.ts';

/** What a verdict needs to know of a variant. */
export type JudgedVariant = Pick<
  VariantResult,
  'name' | 'index' | 'status' | 'measuredSeconds' | 'workloads' | 'goals' | 'placement' | 'validity'
>;

/**
 * How a variant stands to its goals. `nothingMeasurable`: it has goals, and this target can measure none of
 * them.
 */
export type Standing = 'meets' | 'misses' | 'nothingMeasurable' | 'noGoals' | 'unusable';

/** The standing of one variant. */
export function standingOf(variant: JudgedVariant): Standing {
  if (!isUsable(variant)) return 'unusable';
  if (variant.goals.length === 0) return 'noGoals';
  const measurable = variant.goals.filter((goal) => goal.status !== 'notMeasurableHere');
  if (measurable.length === 0) return 'nothingMeasurable';
  return measurable.every((goal) => goal.status === 'met') ? 'meets' : 'misses';
}

/** A suspect variant may pass, with the doubt named beside the verdict; an invalid one may not. */
export function isUsable(variant: JudgedVariant): boolean {
  return variant.status !== 'notRun' && variant.validity.status !== 'invalid';
}

/** Missed, or missing, which counts as missed. */
export function missedGoals({ goals }: Pick<JudgedVariant, 'goals'>): GoalResult[] {
  return goals.filter((goal) => goal.status === 'missed' || goal.status === 'missing');
}
