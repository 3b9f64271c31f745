// From a workload's load and policy to numbers: rates per second, microseconds, and defaults. Rates in units
// stay so until operations are known.
import { US_PER_SECOND } from '../units.ts';
import type { RateShape, Spacing } from '../workload/arrival.ts';
import { readRetry } from './read-retry.ts';
import { readShape } from './read-shape.ts';
import type { PlannedPolicy } from './run-plan.ts';
import { isFields, SpecReader } from './spec-reader.ts';

/** A rate in units per second on a table (`of` undefined) or index. */
export interface UnitRate {
  readonly kind: 'units';
  readonly unit: 'write' | 'read';
  readonly perSecond: number;
  readonly of: string | undefined;
}

/**
 * The load of a workload, read and checked; a rate in units becomes one in operations once its items are
 * known.
 */
export type CheckedLoad =
  | { readonly kind: 'open'; readonly rate: RateShape | UnitRate; readonly spacing: Spacing }
  | { readonly kind: 'closed'; readonly concurrency: number; readonly pauseUs: number };

/** The members of a workload that this file reads. */
export const loadMembers = ['rate', 'concurrency', 'pause', 'maxInFlight', 'timeout', 'retry', 'expect'];

/** How much load a workload offers; undefined where that is wrong. */
export function readLoad(workload: SpecReader): CheckedLoad | undefined {
  const concurrency = workload.wholeNumber('concurrency', {
    least: 1,
    most: MOST_IN_FLIGHT,
    unit: 'operations at once',
    limit: {
      why: `at most ${MOST_IN_FLIGHT.toLocaleString('en-US')} operations are under way at once, each of them held in memory`,
      fix: 'use less concurrency, or a rate',
    },
  });
  const pauseUs = workload.duration('pause', { mayBeZero: true }) ?? 0;
  if (workload.has('rate') && workload.has('concurrency'))
    return workload.problem(
      'rate',
      'stands beside concurrency',
      'load is either so many operations a second or so many at once',
      'keep one of the two',
    );
  if (workload.has('pause') && !workload.has('concurrency'))
    workload.problem(
      'pause',
      'is set without concurrency',
      'a rate already says when operations come',
      'leave it out',
    );
  if (workload.has('concurrency'))
    return concurrency === undefined ? undefined : { kind: 'closed', concurrency, pauseUs };
  if (workload.has('rate')) return readRate(workload);
  return workload.problem(
    'rate',
    'is missing',
    'each workload says how much load it offers',
    'add rate: 100',
  );
}

function readRate(workload: SpecReader): CheckedLoad | undefined {
  const value = workload.fields['rate'];
  const at = workload.place('rate');
  if (isFields(value)) {
    const rate = new SpecReader(value, at, workload.issues);
    if (isInUnits(rate)) return readUnitRate(rate, 'even');
    if (rate.has('poisson')) return readPoisson(rate);
  }
  const shape = readShape(workload, 'rate');
  return shape && { kind: 'open', rate: shape, spacing: 'even' };
}

const isInUnits = (rate: SpecReader): boolean => rate.has('wcu') || rate.has('rcu');

function readPoisson(rate: SpecReader): CheckedLoad | undefined {
  rate.allowOnly(['poisson']);
  const value = rate.fields['poisson'];
  if (isFields(value)) {
    const inner = new SpecReader(value, rate.place('poisson'), rate.issues);
    if (isInUnits(inner)) return readUnitRate(inner, 'poisson');
  }
  const shape = readShape(rate, 'poisson');
  if (shape?.kind === 'moments') return twiceTold(rate);
  return shape && { kind: 'open', rate: shape, spacing: 'poisson' };
}

function twiceTold(rate: SpecReader): undefined {
  return rate.problem(
    'poisson',
    'is a trace of timestamps',
    'they already say when each operation comes, and poisson would draw the moments anew',
    'leave poisson out, or give the trace as perSecond',
  );
}

function readUnitRate(rate: SpecReader, spacing: Spacing): CheckedLoad | undefined {
  rate.allowOnly(['wcu', 'rcu', 'of']);
  if (rate.has('wcu') && rate.has('rcu'))
    rate.problem(
      'rcu',
      'stands beside wcu',
      'a rate is in write units or in read units',
      'keep one of the two',
    );
  const unit = rate.has('wcu') ? 'write' : 'read';
  const perSecond = rate.positive(rate.has('wcu') ? 'wcu' : 'rcu', 'units per second are above zero');
  const of = rate.text('of', 'the table or index');
  if (perSecond === undefined) return undefined;
  return { kind: 'open', rate: { kind: 'units', unit, perSecond, of }, spacing };
}

/** The rules of a workload as far as the user set them. */
export interface CheckedPolicy extends Omit<PlannedPolicy, 'maxInFlight'> {
  readonly maxInFlight: number | undefined;
}

const DEFAULT_TIMEOUT_US = 10 * US_PER_SECOND;

/** The rules of a workload. */
export function readPolicy(workload: SpecReader, load: CheckedLoad | undefined): CheckedPolicy {
  const maxInFlight = workload.wholeNumber('maxInFlight', {
    least: 1,
    most: MOST_IN_FLIGHT_SET,
    unit: 'operations in flight',
    limit: {
      why: `at most ${MOST_IN_FLIGHT_SET.toLocaleString('en-US')} operations are under way at once, each of them held in memory`,
      fix: 'leave it out for four seconds of the peak rate, or use less',
    },
  });
  if (load?.kind === 'closed' && maxInFlight !== undefined && maxInFlight < load.concurrency)
    workload.problem(
      'maxInFlight',
      `is ${maxInFlight}, below the concurrency of ${load.concurrency}`,
      'operations above it are dropped',
      'leave it out: with concurrency it follows from that',
    );
  return {
    maxInFlight,
    timeoutUs: workload.duration('timeout', { mayBeZero: false }) ?? DEFAULT_TIMEOUT_US,
    retry: readRetry(workload) ?? 'none',
    expect: readExpected(workload),
  };
}

const expectable = ['conditionFailed', 'conflict'] as const;

function readExpected(workload: SpecReader): PlannedPolicy['expect'] {
  const names = workload.names('expect', 'expected outcomes') ?? [];
  for (const name of names)
    if (!expectable.some((known) => known === name))
      workload.problem(
        'expect',
        `has "${name}"`,
        'only a condition that did not hold and a conflict can be part of the plan',
        "use 'conditionFailed', 'conflict' or both",
      );
  return expectable.filter((known) => names.includes(known));
}

const LEAST_IN_FLIGHT = 256;
const MOST_IN_FLIGHT = 20_000;
/** What a user may set all the same. */
const MOST_IN_FLIGHT_SET = 1_000_000;
/**
 * Seconds of the peak rate that may be in flight: a target that takes longer is saturated, and more in flight
 * would only hide it.
 */
const SECONDS_IN_FLIGHT = 4;

/**
 * Operations in flight at most, unless the user says so: four seconds of the peak rate, within 256 and
 * 20,000.
 */
export function defaultMaxInFlight(peakPerSecond: number): number {
  return Math.min(MOST_IN_FLIGHT, Math.max(LEAST_IN_FLIGHT, Math.ceil(SECONDS_IN_FLIGHT * peakPerSecond)));
}
