// Laws of even arrivals over random shapes and stages: the count of any stage, and up to any moment, is the
// integral of the rate to one; times never go back and lie in their stage; the plan counts what comes. The
// integral is computed here in another way: by the middle of small pieces of time, which is exact for rates
// that are straight between the bends; a sine by the difference of cosines, timestamps by counting them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import {
  createArrivals,
  plannedCount,
  type RateShape,
  type StageSpan,
} from '../../../src/workload/arrival.ts';

const seed = 20_260_104;
const PIECE_US = 100_000;

const rate = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.double({ min: 0, max: 200, noNaN: true }));
const ratio = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const tenths = (most: number) => fc.integer({ min: 1, max: most }).map((count) => count * PIECE_US);
const shape: fc.Arbitrary<RateShape> = fc.oneof(
  fc.record({ kind: fc.constant('constant' as const), perSecond: rate }),
  fc.record({ kind: fc.constant('ramp' as const), fromPerSecond: rate, toPerSecond: rate }),
  fc.record({
    kind: fc.constant('steps' as const),
    steps: fc.array(fc.record({ perSecond: rate, durationUs: tenths(50) }), { minLength: 1, maxLength: 5 }),
  }),
  fc
    .record({ high: rate, low: rate, onUs: tenths(20), offUs: tenths(20) })
    .map(({ high, low, onUs, offUs }): RateShape => {
      const [basePerSecond, perSecond] = [Math.min(high, low), Math.max(high, low)];
      return { kind: 'bursts', perSecond, basePerSecond, onUs, offUs };
    }),
  fc
    .record({ mean: fc.double({ min: 0.01, max: 200, noNaN: true }), depth: ratio, periodUs: tenths(100) })
    .map(({ mean, depth, periodUs }): RateShape => {
      return { kind: 'sine', meanPerSecond: mean, amplitudePerSecond: mean * depth, periodUs };
    }),
  fc.record({
    kind: fc.constant('trace' as const),
    perSecond: fc.array(rate, { minLength: 1, maxLength: 20 }),
  }),
  fc
    .record({
      atUs: fc.array(fc.integer({ min: 0, max: 20_000_000 }), { minLength: 1, maxLength: 200 }),
      perMoment: fc.constantFrom(0.5, 1, 1.7, 3),
    })
    .map(({ atUs, perMoment }): RateShape => {
      return { kind: 'moments', atUs: atUs.sort((a, b) => a - b), perMoment };
    }),
);
const stages = fc
  .array(
    fc.record({
      lengthUs: tenths(60),
      isMeasured: fc.boolean(),
      rateFactor: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 3, noNaN: true })),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((list): StageSpan[] => {
    let startUs = 0;
    return list.map(({ lengthUs, isMeasured, rateFactor }) => {
      const stage = { startUs, endUs: startUs + lengthUs, isMeasured, rateFactor };
      startUs = stage.endUs;
      return stage;
    });
  });

function rateOf(form: RateShape, measuredUs: number, shapeUs: number): number {
  switch (form.kind) {
    case 'constant':
      return form.perSecond;
    case 'ramp': {
      const share = measuredUs === 0 ? 0 : shapeUs / measuredUs;
      return form.fromPerSecond * (1 - share) + form.toPerSecond * share;
    }
    case 'steps': {
      let endUs = 0;
      const step = form.steps.find(({ durationUs }) => shapeUs < (endUs += durationUs));
      return (step ?? form.steps.at(-1))?.perSecond ?? 0;
    }
    case 'bursts':
      return shapeUs % (form.onUs + form.offUs) < form.onUs ? form.perSecond : form.basePerSecond;
    case 'sine':
      return form.meanPerSecond + form.amplitudePerSecond * Math.sin((2 * Math.PI * shapeUs) / form.periodUs);
    case 'trace':
      return form.perSecond[Math.floor(shapeUs / 1_000_000)] ?? 0;
    case 'moments': {
      const second = Math.floor(shapeUs / 1_000_000);
      return form.perMoment * form.atUs.filter((atUs) => Math.floor(atUs / 1_000_000) === second).length;
    }
  }
}

/** Operations of a piece of the shape's own time. */
function countOf(form: RateShape, measuredUs: number, fromUs: number): number {
  const toUs = fromUs + PIECE_US;
  if (form.kind === 'moments')
    return form.perMoment * form.atUs.filter((atUs) => atUs >= fromUs && atUs < toUs).length;
  if (form.kind === 'sine') {
    const angular = (2 * Math.PI) / form.periodUs;
    const wave =
      (form.amplitudePerSecond / angular) * (Math.cos(angular * fromUs) - Math.cos(angular * toUs));
    return (form.meanPerSecond * PIECE_US + wave) / 1_000_000;
  }
  return (rateOf(form, measuredUs, fromUs + PIECE_US / 2) * PIECE_US) / 1_000_000;
}

/** The integral of the rate up to the end of each piece of time. */
function integralOf(form: RateShape, spans: readonly StageSpan[]): number[] {
  const measuredUs = spans.reduce((sum, span) => sum + (span.isMeasured ? span.endUs - span.startUs : 0), 0);
  const sums: number[] = [];
  let sum = 0;
  let shapeUs = 0;
  for (const { startUs, endUs, isMeasured, rateFactor } of spans)
    for (let atUs = startUs; atUs < endUs; atUs += PIECE_US) {
      const held = (rateOf(form, measuredUs, shapeUs) * PIECE_US) / 1_000_000;
      sum += rateFactor * (isMeasured ? countOf(form, measuredUs, shapeUs) : held);
      sums.push(sum);
      if (isMeasured) shapeUs += PIECE_US;
    }
  return sums;
}

test('counts are the integral to one, times go forward inside their stage', () => {
  fc.assert(
    fc.property(shape, stages, (form, spans) => {
      const arrivals = createArrivals({
        shape: form,
        spacing: 'even',
        stages: spans,
        random: new CounterRandom(streamKey(1, 'arrivals')),
      });
      const integral = integralOf(form, spans);
      const perPiece = integral.map(() => 0);
      const perStage = spans.map(() => 0);
      const misplaced: number[] = [];
      let lastUs = 0;
      while (arrivals.next()) {
        const { atUs, stageIndex } = arrivals;
        const stage = spans[stageIndex] as StageSpan;
        if (!(Number.isInteger(atUs) && atUs >= lastUs && atUs >= stage.startUs && atUs < stage.endUs))
          misplaced.push(atUs);
        (perPiece[Math.floor(atUs / PIECE_US)] as number)++;
        (perStage[stageIndex] as number)++;
        lastUs = atUs;
      }
      expect(misplaced).toEqual([]);
      let count = 0;
      for (const [piece, wanted] of integral.entries()) {
        count += perPiece[piece] as number;
        expect(Math.abs(count - wanted)).toBeLessThan(1 + 1e-6);
      }
      expect(perStage).toEqual(spans.map((_, stageIndex) => plannedCount(form, spans, stageIndex)));
    }),
    { seed, numRuns: 400 },
  );
});
