// A goal: a threshold on one metric of one workload, as the scenario states it and in the metric's base unit.
import type { MetricName } from './metric.ts';

export type Comparator = '<' | '<=' | '>' | '>=';

/** A condition on which a variant ends early: on one metric, or on whether its figures can still be believed. */
export type AbortCondition = Goal | ValidityCondition;

interface ValidityCondition {
  readonly validity: 'invalid';
  /** As written: `validity invalid`. */
  readonly text: string;
}

export interface Goal {
  readonly workload: string;
  readonly metric: MetricName;
  readonly comparator: Comparator;
  /** In the metric's unit: ratio 0–1, µs, per second, units, USD. */
  readonly limit: number;
  /** As written, for example `placeOrder.throttledRatio < 0.1%`. */
  readonly text: string;
}
