// Aim: rates that change are planned as they were written, and each mistake is told with its place. Method:
// scenarios of one workload, planned or refused.
import { expect, test } from 'vitest';
import { DynoLoadError, formatError } from '../../../src/errors.ts';
import { bursts, defineScenario, put, type Rate, sine, trace } from '../../../src/index.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';

/** What a file in plain JavaScript may hold in the place of a rate. */
function scenarioOf(rate: unknown) {
  return defineScenario({
    question: 'q',
    stages: [{ name: 'only', duration: '10s' }],
    tables: () => ({ keys: { partition: 'PK' } }),
    // The types are what is left out here.
    workloads: () => ({ w: put({ rate: rate as Rate, item: { PK: 'a' } }) }),
  });
}

function plannedWith(rate: unknown) {
  const valid = validateScenario(scenarioOf(rate), { file: 'own.ts' });
  return planRuns(valid, { scenarioName: 'own' }).plans[0]?.workloads[0];
}

/** All three parts of what is said against a rate; empty where it is taken. */
function refusalOf(rate: unknown): string {
  try {
    plannedWith(rate);
    return '';
  } catch (error) {
    if (error instanceof DynoLoadError) return formatError(error);
    throw error;
  }
}

test.each([
  {
    rate: bursts({ rate: 100, for: '2s', pause: '8s' }),
    shape: { kind: 'bursts', perSecond: 100, basePerSecond: 0, onUs: 2_000_000, offUs: 8_000_000 },
  },
  {
    rate: bursts({ rate: 100, for: '2s', pause: '500ms', baseRate: 5 }),
    shape: { kind: 'bursts', perSecond: 100, basePerSecond: 5, onUs: 2_000_000, offUs: 500_000 },
  },
  {
    rate: sine({ mean: 50, amplitude: 20, period: '1m' }),
    shape: { kind: 'sine', meanPerSecond: 50, amplitudePerSecond: 20, periodUs: 60_000_000 },
  },
  { rate: trace({ perSecond: [1, 0, 2.5] }), shape: { kind: 'trace', perSecond: [1, 0, 2.5] } },
  {
    rate: trace({ timestampsMs: [0, 1.5, 1.5, 9_000] }),
    shape: { kind: 'moments', atUs: [0, 1_500, 1_500, 9_000_000], perMoment: 1 },
  },
])('$rate', ({ rate, shape }) => {
  expect(plannedWith(rate)?.load).toEqual({ kind: 'open', shape, spacing: 'even' });
});

test('Poisson goes with a changing rate', () => {
  const load = plannedWith({ poisson: sine({ mean: 5, amplitude: 5, period: '5s' }) })?.load;
  expect(load).toMatchObject({ spacing: 'poisson', shape: { kind: 'sine' } });
});

test.each([
  {
    name: 'one that ends early',
    rate: trace({ perSecond: [1, 2] }),
    note: 'the trace ends after 2s of 10s measured, and nothing is due after it',
  },
  {
    name: 'one that is cut',
    rate: trace({ timestampsMs: [0, 15_000] }),
    note: 'the trace lasts 15s and is cut at 10s, the end of the measured stages',
  },
])('a trace of another length is noted: $name', ({ rate, note }) => {
  expect(plannedWith(rate)?.notes).toEqual([note]);
});

test('a trace that fits needs no note', () => {
  expect(plannedWith(trace({ perSecond: new Array<number>(10).fill(1) }))?.notes).toEqual([]);
});

test.each([
  { rate: { shape: 'burst', rate: 1 }, texts: ['w.rate', 'it is not a rate', 'bursts(…)'] },
  { rate: { shape: 'toString' }, texts: ['w.rate', 'it is not a rate'] },
  { rate: { shape: 'bursts', rate: 5, for: '1s' }, texts: ['rate.pause', 'is missing'] },
  { rate: { shape: 'bursts', rate: 5, for: '1s', pause: '0s' }, texts: ['rate.pause', 'no time'] },
  {
    rate: { shape: 'bursts', rate: 5, for: '1s', pause: '1s', base: 3 },
    texts: ['rate.base', 'is not known'],
  },
  {
    rate: { shape: 'bursts', rate: 5, for: '1s', pause: '1s', baseRate: 5 },
    texts: ['rate.rate', 'not above the rate between bursts'],
  },
  {
    rate: { shape: 'sine', mean: 5, amplitude: 6, period: '1s' },
    texts: ['rate.amplitude', 'above the mean'],
  },
  { rate: { shape: 'sine', mean: 0, amplitude: 0, period: '1s' }, texts: ['rate.mean', 'is 0'] },
  { rate: { shape: 'sine', mean: 5, period: '1s' }, texts: ['rate.amplitude', 'is missing'] },
  { rate: { shape: 'trace' }, texts: ['rate.perSecond', 'is missing'] },
  {
    rate: { shape: 'trace', perSecond: [1], timestampsMs: [1] },
    texts: ['rate.timestampsMs', 'stands beside perSecond'],
  },
  {
    rate: { shape: 'trace', perSecond: [] },
    texts: ['rate.perSecond', 'an empty list', 'a list of numbers'],
  },
  { rate: { shape: 'trace', perSecond: [0, 0] }, texts: ['rate.perSecond', 'are all 0'] },
  { rate: { shape: 'trace', perSecond: [1, -1] }, texts: ['rate.perSecond[1]', 'is -1'] },
  { rate: { shape: 'trace', timestampsMs: [1, '2'] }, texts: ['rate.timestampsMs[1]', 'is "2"'] },
  { rate: { shape: 'trace', timestampsMs: [3, 2] }, texts: ['rate.timestampsMs[1]', 'is 2, before 3'] },
  {
    rate: { shape: 'trace', timestampsMs: [1_764_547_200_000] },
    texts: ['rate.timestampsMs', 'that is a date', 'subtract the first'],
  },
  {
    rate: { poisson: { shape: 'trace', timestampsMs: [1] } },
    texts: ['rate.poisson', 'a trace of timestamps', 'perSecond'],
  },
])('refused: $rate', ({ rate, texts }) => {
  const refusal = refusalOf(rate);
  for (const text of texts) expect(refusal).toContain(text);
});
