// A goal: a threshold on one metric of one workload, as the scenario states it and in the metric's base unit.
import type { MetricName } from './metric.ts';

/** How a metric is held against the limit of a goal. */
export type Comparator = '<' | '<=' | '>' | '>=';

/** A condition on which a variant ends early: on one metric, or on whether its figures can still be believed. */
export type AbortCondition = Goal | ValidityCondition;

interface ValidityCondition {
  readonly validity: 'invalid';
  /** As written: `validity invalid`. */
  readonly text: string;
}

/** One threshold of a scenario, read from its text. */
export interface Goal {
  readonly workload: string;
  readonly metric: MetricName;
  readonly comparator: Comparator;
  /** In the metric's unit: ratio 0–1, µs, per second, units, USD. */
  readonly limit: number;
  /** As written, for example `placeOrder.throttledRatio < 0.1%`. */
  readonly text: string;
}
