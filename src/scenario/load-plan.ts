// From a workload's load and policy to numbers: rates per second, microseconds, and defaults. Rates in units
// stay so until operations are known.
import { US_PER_SECOND } from '../units.ts';
import type { RateShape, Spacing } from '../workload/arrival.ts';
import type { PlannedPolicy } from './run-plan.ts';
import { isFields, SpecReader, showValue } from './spec-reader.ts';

/** A rate in units per second on a table (`of` undefined) or index. */
export interface UnitRate {
  readonly kind: 'units';
  readonly unit: 'write' | 'read';
  readonly perSecond: number;
  readonly of: string | undefined;
}

export type CheckedLoad =
  | { readonly kind: 'open'; readonly rate: RateShape | UnitRate; readonly spacing: Spacing }
  | { readonly kind: 'closed'; readonly concurrency: number; readonly pauseUs: number };

/** The members of a workload that this file reads. */
export const loadMembers = ['rate', 'concurrency', 'pause', 'maxInFlight', 'timeout', 'retry', 'expect'];

const rateExample =
  "use rate: 3000, { wcu: 1000 }, { rcu: 500, of: 'GSI1' }, ramp(…), steps(…) or { poisson: 3000 }";

/** How much load a workload offers; undefined where that is wrong. */
export function readLoad(workload: SpecReader): CheckedLoad | undefined {
  const concurrency = workload.wholeNumber('concurrency', { least: 1, unit: 'operations at once' });
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
    if (rate.has('wcu') || rate.has('rcu')) return readUnitRate(rate);
    if (rate.has('poisson')) {
      rate.allowOnly(['poisson']);
      const shape = readShape(rate, 'poisson');
      return shape && { kind: 'open', rate: shape, spacing: 'poisson' };
    }
  }
  const shape = readShape(workload, 'rate');
  return shape && { kind: 'open', rate: shape, spacing: 'even' };
}

function readUnitRate(rate: SpecReader): CheckedLoad | undefined {
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
  return { kind: 'open', rate: { kind: 'units', unit, perSecond, of }, spacing: 'even' };
}

function readShape(holder: SpecReader, member: string): RateShape | undefined {
  const value = holder.fields[member];
  if (typeof value === 'number') {
    const perSecond = holder.positive(member, 'operations per second are above zero');
    return perSecond === undefined ? undefined : { kind: 'constant', perSecond };
  }
  const shape = isFields(value) ? new SpecReader(value, holder.place(member), holder.issues) : undefined;
  if (shape?.fields['shape'] === 'ramp') return readRamp(shape);
  if (shape?.fields['shape'] === 'steps') return readSteps(shape);
  return holder.problem(member, `is ${showValue(value)}`, 'it is not a rate', rateExample);
}

function readRamp(shape: SpecReader): RateShape | undefined {
  shape.allowOnly(['shape', 'from', 'to']);
  const from = rateOrZero(shape, 'from');
  const to = rateOrZero(shape, 'to');
  if (from === undefined || to === undefined) return undefined;
  if (from + to > 0) return { kind: 'ramp', fromPerSecond: from, toPerSecond: to };
  return shape.problem(
    'to',
    'is 0, as is from',
    'no operation would ever be due',
    'ramp to a rate above zero',
  );
}

function readSteps(shape: SpecReader): RateShape | undefined {
  const list = shape.fields['steps'];
  if (!Array.isArray(list) || list.length === 0)
    return shape.problem(
      'steps',
      `is ${showValue(list)}`,
      'steps are a list',
      "write steps([{ rate: 10, for: '10s' }])",
    );
  const steps = list.flatMap((value: unknown, index) => {
    const step = SpecReader.of(value, shape.place(`steps[${index}]`), shape.issues, 'a step');
    step?.allowOnly(['rate', 'for']);
    step?.require('for', 'a step lasts for some time', "add for: '10s'");
    const perSecond = step && rateOrZero(step, 'rate');
    const durationUs = step?.duration('for', { mayBeZero: false });
    return perSecond === undefined || durationUs === undefined ? [] : [{ perSecond, durationUs }];
  });
  if (steps.length < list.length) return undefined;
  if (steps.some(({ perSecond }) => perSecond > 0)) return { kind: 'steps', steps };
  return shape.problem('steps', 'are all 0', 'no operation would ever be due', 'give one a rate above zero');
}

function rateOrZero(reader: SpecReader, name: string): number | undefined {
  const value = reader.fields[name];
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  return reader.problem(
    name,
    value === undefined ? 'is missing' : `is ${showValue(value)}`,
    'operations per second are not negative',
    'use a number, zero or more',
  );
}

/** The rules of a workload as far as the user set them. */
export interface CheckedPolicy extends Omit<PlannedPolicy, 'maxInFlight'> {
  readonly maxInFlight: number | undefined;
}

const DEFAULT_TIMEOUT_US = 10 * US_PER_SECOND;

/** The rules of a workload. */
export function readPolicy(workload: SpecReader, load: CheckedLoad | undefined): CheckedPolicy {
  const maxInFlight = workload.wholeNumber('maxInFlight', { least: 1, unit: 'operations in flight' });
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
    retry: workload.oneOf('retry', ['none', 'sdk'] as const) ?? 'none',
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
