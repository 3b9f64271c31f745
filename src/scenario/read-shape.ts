// Rates that change while the load runs, from what a scenario wrote to a shape in operations per second and µs.
import { US_PER_MS } from '../units.ts';
import type { RateShape } from '../workload/arrival.ts';
import { isFields, SpecReader, showValue } from './spec-reader.ts';

const rateExample =
  "use rate: 3000, { wcu: 1000 }, { rcu: 500, of: 'GSI1' }, ramp(…), steps(…), bursts(…), sine(…), trace(…) " +
  'or { poisson: 3000 }';

/** The rate in a member of `holder`; undefined, with an issue, where it is none. */
export function readShape(holder: SpecReader, member: string): RateShape | undefined {
  const value = holder.fields[member];
  if (typeof value === 'number') {
    const perSecond = holder.positive(member, 'operations per second are above zero');
    return perSecond === undefined ? undefined : { kind: 'constant', perSecond };
  }
  const shape = isFields(value) ? new SpecReader(value, holder.place(member), holder.issues) : undefined;
  const kind = shape?.fields['shape'];
  if (shape && typeof kind === 'string' && Object.hasOwn(readers, kind))
    return readers[kind as keyof typeof readers](shape); // Known by the line above.
  return holder.problem(member, `is ${showValue(value)}`, 'it is not a rate', rateExample);
}

const readers = {
  ramp: readRamp,
  steps: readSteps,
  bursts: readBursts,
  sine: readSine,
  trace: readTrace,
} as const;

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

function readBursts(shape: SpecReader): RateShape | undefined {
  shape.allowOnly(['shape', 'rate', 'for', 'pause', 'baseRate']);
  shape.require('for', 'a burst lasts for some time', "add for: '5s'");
  shape.require('pause', 'bursts are apart; without pauses the rate is constant', "add pause: '10s'");
  const perSecond = rateOrZero(shape, 'rate');
  const basePerSecond = shape.has('baseRate') ? rateOrZero(shape, 'baseRate') : 0;
  const onUs = shape.duration('for', { mayBeZero: false });
  const offUs = shape.duration('pause', { mayBeZero: false });
  if (perSecond === undefined || basePerSecond === undefined) return undefined;
  if (onUs === undefined || offUs === undefined) return undefined;
  if (perSecond > basePerSecond) return { kind: 'bursts', perSecond, basePerSecond, onUs, offUs };
  return shape.problem(
    'rate',
    `is ${perSecond}, not above the rate between bursts, ${basePerSecond}`,
    'a burst has more operations per second than the time around it',
    'raise rate, or lower baseRate',
  );
}

function readSine(shape: SpecReader): RateShape | undefined {
  shape.allowOnly(['shape', 'mean', 'amplitude', 'period']);
  for (const name of ['mean', 'amplitude', 'period'])
    shape.require(name, 'a wave has a mean, an amplitude and a period', `add ${name}`);
  const meanPerSecond = shape.positive('mean', 'operations per second are above zero');
  const amplitudePerSecond = shape.has('amplitude') ? rateOrZero(shape, 'amplitude') : undefined;
  const periodUs = shape.duration('period', { mayBeZero: false });
  if (meanPerSecond === undefined || amplitudePerSecond === undefined || periodUs === undefined)
    return undefined;
  if (amplitudePerSecond <= meanPerSecond)
    return { kind: 'sine', meanPerSecond, amplitudePerSecond, periodUs };
  return shape.problem(
    'amplitude',
    `is ${amplitudePerSecond}, above the mean of ${meanPerSecond}`,
    'the rate would fall below zero',
    'use an amplitude of at most the mean',
  );
}

function readTrace(shape: SpecReader): RateShape | undefined {
  shape.allowOnly(['shape', 'perSecond', 'timestampsMs']);
  if (shape.has('perSecond') === shape.has('timestampsMs'))
    return shape.problem(
      shape.has('perSecond') ? 'timestampsMs' : 'perSecond',
      shape.has('perSecond') ? 'stands beside perSecond' : 'is missing',
      'a trace is either the operations of each second or the moment of each operation',
      'write trace({ perSecond: [10, 12, 9] }) or trace({ timestampsMs: [0, 105, 230] })',
    );
  return shape.has('perSecond') ? readRates(shape) : readTimestamps(shape);
}

function readRates(shape: SpecReader): RateShape | undefined {
  const list = numbersIn(shape, 'perSecond', 'operations in each second');
  if (list === undefined) return undefined;
  if (list.some((perSecond) => perSecond > 0)) return { kind: 'trace', perSecond: list };
  return shape.problem('perSecond', 'are all 0', 'no operation would ever be due', 'give one above zero');
}

/** Later than any test lasts, three years: such a number is a date, not a time since the start. */
const MOST_TIMESTAMP_MS = 100_000_000_000;

function readTimestamps(shape: SpecReader): RateShape | undefined {
  const list = numbersIn(shape, 'timestampsMs', 'moments in ms');
  if (list === undefined) return undefined;
  const early = list.findIndex((ms, index) => index > 0 && ms < (list[index - 1] as number));
  if (early > 0)
    return shape.problem(
      `timestampsMs[${early}]`,
      `is ${list[early]}, before ${list[early - 1]}`,
      'operations come in the order of the list',
      'sort the list: toSorted((a, b) => a - b)',
    );
  if ((list.at(-1) as number) < MOST_TIMESTAMP_MS)
    return { kind: 'moments', atUs: list.map((ms) => Math.floor(ms * US_PER_MS)), perMoment: 1 };
  return shape.problem(
    'timestampsMs',
    `end with ${list.at(-1)}`,
    'they count from the start of the measured stages, and that is a date',
    'subtract the first from each',
  );
}

function numbersIn(shape: SpecReader, name: string, what: string): readonly number[] | undefined {
  const list: unknown = shape.fields[name];
  if (!Array.isArray(list) || list.length === 0)
    return shape.problem(name, `is ${showValue(list)}`, `${what} are a list of numbers`, 'write [10, 12, 9]');
  const numbers = list.filter(isAmount);
  if (numbers.length === list.length) return numbers;
  const wrong = list.findIndex((value: unknown) => !isAmount(value));
  return shape.problem(
    `${name}[${wrong}]`,
    `is ${showValue(list[wrong])}`,
    `${what} are not negative`,
    'use a number, zero or more',
  );
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function rateOrZero(reader: SpecReader, name: string): number | undefined {
  const value = reader.fields[name];
  if (isAmount(value)) return value;
  return reader.problem(
    name,
    value === undefined ? 'is missing' : `is ${showValue(value)}`,
    'operations per second are not negative',
    'use a number, zero or more',
  );
}
