// A scenario as its author writes it: one question, parameters, tables, data, load and goals. The types carry
// what the compiler can check; `validate.ts` checks the rest, and all of it for scenarios in plain
// JavaScript.
import type { ModelConstants } from '../capacity/capacity-model.ts';
import type { Duration } from '../units.ts';
import type { LatencyStatistic } from './metric.ts';
import type { Choices, Chosen } from './parameters.ts';
import type { IndexOf, TableDefinition } from './table-definition.ts';
import type { Workload } from './workload.ts';

/**
 * A span of time with one level of load. Measured unless `measured: false`; `rateFactor` multiplies every
 * rate.
 */
export interface StageDefinition {
  readonly name: string;
  readonly duration: Duration;
  readonly measured?: boolean;
  readonly rateFactor?: number;
}

type Comparison = '<' | '<=' | '>' | '>=';
type RatioGoal = `${Comparison} ${number}${'%' | ''}`;
type LatencyGoal = `${Comparison} ${number}${' ms' | ' s'}`;
type RateGoal = `${Comparison} ${number}${'/s' | ' /s' | ''}`;
type CountGoal = `${Comparison} ${number}`;
type PriceGoal = `${Comparison} ${number}${' USD' | ''}`;

type RatioMetric =
  | 'throttledRatio'
  | 'attemptThrottledRatio'
  | 'failedRatio'
  | 'conflictRatio'
  | 'conditionFailedRatio'
  | 'unprocessedRatio'
  | 'droppedRatio';
type LatencyMetric = `${'response' | 'service'}.${LatencyStatistic}`;
type RateMetric = 'plannedPerSecond' | 'startedPerSecond' | 'achievedPerSecond';
type CountMetric =
  | 'writeUnitsPerOperation'
  | 'readUnitsPerOperation'
  | 'readUnitsPerReturnedItem'
  | 'requestsPerOperation';

/** Goals by `workload.metric`, each with a limit in the metric's unit. `W`: names of the workloads. */
export type Thresholds<W extends string> = { readonly [M in `${W}.${RatioMetric}`]?: RatioGoal } & {
  readonly [M in `${W}.${LatencyMetric}`]?: LatencyGoal;
} & { readonly [M in `${W}.${RateMetric}`]?: RateGoal } & {
  readonly [M in `${W}.${CountMetric}`]?: CountGoal;
} & { readonly [M in `${W}.costPerMillion`]?: PriceGoal };

type EndedRatio = Exclude<RatioMetric, 'attemptThrottledRatio' | 'unprocessedRatio'>;

/**
 * Conditions by `workload.metric` on what ended in ten seconds, and `validity`: the figures of such a span would be
 * invalid. `W`: names of the workloads.
 */
export type AbortConditions<W extends string> = { readonly [M in `${W}.${EndedRatio}`]?: RatioGoal } & {
  readonly [M in `${W}.${LatencyMetric}`]?: LatencyGoal;
} & { readonly validity?: 'invalid' };

/** What `defineScenario` takes. `P`: parameters, `T`: table or tables, `D`: data, `W`: workloads. */
export interface ScenarioSpec<P, T, D, W> {
  /** The question that the scenario answers; reports lead with it. */
  readonly question: string;
  /**
   * Lists of values, or named choices of anything. Their product gives the variants, the first of which is
   * the baseline.
   */
  readonly parameters?: P;
  /** Leaves a combination out of the product. */
  skip?(parameters: Chosen<P>): boolean;
  /** One table, or several by name. */
  tables(parameters: Chosen<P>): T;
  /** Preloads, pools, and whatever else the workloads share. */
  data?(parameters: Chosen<P>): D;
  /** Warm-up of 10 s and 30 s of measured load unless given. */
  readonly stages?: readonly StageDefinition[];
  /** The moment that the scenario's clock shows at the start; 2026-01-01T00:00:00Z unless given. */
  readonly startsAt?: string;
  readonly seed?: number;
  /**
   * Constants of the capacity model that take the place of a preset's, for example `{ splitDelaySeconds: 120 }`. AWS
   * publishes few of them; the README lists all with their defaults.
   */
  readonly model?: ModelConstants;
  workloads(parameters: Chosen<P>, data: D): W;
  readonly thresholds?: Thresholds<keyof NoInfer<W> & string>;
  /**
   * Ends a variant early once one of these holds over the last 10 s of measured stages; the others go on. Written
   * like thresholds, the other way round: `{ 'placeOrder.throttledRatio': '> 50%' }`.
   */
  readonly abort?: AbortConditions<keyof NoInfer<W> & string>;
}

/** A scenario; the default export of a scenario file. */
export interface Scenario {
  readonly kind: 'scenario';
}

/**
 * A symbol of the global registry, so that a second copy of this package in one process is understood as
 * well.
 */
const marker = Symbol.for('dyno-load.scenario');

/** A scenario with what it was made of, not yet validated. */
export interface MarkedScenario extends Scenario {
  readonly [marker]: unknown;
}

/**
 * A scenario for `export default`. Names are checked where they are written: parameters, workloads, metrics,
 * units and indexes that do not exist are errors in the editor.
 */
export function defineScenario<
  const P extends { readonly [name: string]: Choices },
  const T extends TableDefinition | { readonly [name: string]: TableDefinition },
  D extends object,
  W extends { readonly [name: string]: Workload<IndexOf<T>> },
>(spec: ScenarioSpec<P, T, D, W>): Scenario {
  const scenario: MarkedScenario = { kind: 'scenario', [marker]: spec };
  return scenario;
}

/** Whether a value was made by `defineScenario`. */
export function isScenario(value: unknown): value is MarkedScenario {
  return typeof value === 'object' && value !== null && marker in value;
}

/** What a scenario was made of; anything at all where its file is plain JavaScript. */
export function specOf(scenario: MarkedScenario): unknown {
  return scenario[marker];
}
