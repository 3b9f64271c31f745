// A rate as a function of time: its shape, laid over the stages of a run, as a chain of straight segments.
// A shape's own time runs only during measured stages: an unmeasured stage holds the rate at which the shape
// stands, so a warm-up before them has the shape's first rate. Each stage multiplies by its factor.
import { assert } from '../errors.ts';
import { US_PER_SECOND } from '../units.ts';

/** One level of a stepped rate. */
export interface RateStep {
  readonly perSecond: number;
  readonly durationUs: number;
}

/**
 * Operations per second over the measured time. A ramp spans all of it; the last step holds until its end.
 */
export type RateShape =
  | { readonly kind: 'constant'; readonly perSecond: number }
  | { readonly kind: 'ramp'; readonly fromPerSecond: number; readonly toPerSecond: number }
  | { readonly kind: 'steps'; readonly steps: readonly RateStep[] };

/**
 * A stage on the time axis; stages follow each other without gaps and the first starts at 0. Times are
 * integer µs.
 */
export interface StageSpan {
  readonly startUs: number;
  readonly endUs: number;
  readonly isMeasured: boolean;
  /** Multiplies the rate; ≥ 0. */
  readonly rateFactor: number;
}

/**
 * A stretch of time over which the rate changes linearly, with the expected count of arrivals before it and
 * up to its end.
 */
export interface Segment {
  readonly stageIndex: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  readonly countAtStart: number;
  readonly countAtEnd: number;
}

/** Rates at a stretch of the shape's own time, before any stage's factor. */
interface Stretch {
  readonly lengthUs: number;
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
}

/** The segments of a shape over stages, in order and without gaps; of rate zero where nothing arrives. */
export function segmentsOf(shape: RateShape, stages: readonly StageSpan[]): Segment[] {
  const measuredUs = stages.reduce(
    (sum, stage) => sum + (stage.isMeasured ? stage.endUs - stage.startUs : 0),
    0,
  );
  const segments: Segment[] = [];
  let shapeUs = 0;
  let count = 0;
  for (const [stageIndex, stage] of stages.entries()) {
    const lengthUs = stage.endUs - stage.startUs;
    const stretches = stage.isMeasured
      ? stretchesOf(shape, measuredUs, shapeUs, shapeUs + lengthUs)
      : [holdAt(shape, measuredUs, shapeUs, lengthUs)];
    if (stage.isMeasured) shapeUs += lengthUs;
    let startUs = stage.startUs;
    for (const stretch of stretches) {
      const segment = toSegment(stretch, { stageIndex, startUs, count, rateFactor: stage.rateFactor });
      segments.push(segment);
      startUs = segment.endUs;
      count = segment.countAtEnd;
    }
  }
  return segments;
}

function toSegment(
  stretch: Stretch,
  from: { stageIndex: number; startUs: number; count: number; rateFactor: number },
): Segment {
  const fromPerSecond = stretch.fromPerSecond * from.rateFactor;
  const toPerSecond = stretch.toPerSecond * from.rateFactor;
  assert(fromPerSecond >= 0 && toPerSecond >= 0, `rates are not negative, got ${fromPerSecond}/s`);
  const expected = (((fromPerSecond + toPerSecond) / 2) * stretch.lengthUs) / US_PER_SECOND;
  return {
    stageIndex: from.stageIndex,
    startUs: from.startUs,
    endUs: from.startUs + stretch.lengthUs,
    fromPerSecond,
    toPerSecond,
    countAtStart: from.count,
    countAtEnd: snap(from.count + expected),
  };
}

/**
 * A count that is whole but for rounding (300.00000000000006 of 3,000/s × 0.1 s) is made whole, or `ceil`
 * would add an arrival.
 */
function snap(count: number): number {
  const whole = Math.round(count);
  return Math.abs(count - whole) < 1e-6 + whole * 1e-13 ? whole : count;
}

function holdAt(shape: RateShape, measuredUs: number, atUs: number, lengthUs: number): Stretch {
  const perSecond = rateAt(shape, measuredUs, atUs);
  return { lengthUs, fromPerSecond: perSecond, toPerSecond: perSecond };
}

function rateAt(shape: RateShape, measuredUs: number, atUs: number): number {
  if (shape.kind === 'constant') return shape.perSecond;
  if (shape.kind === 'ramp') {
    const share = measuredUs === 0 ? 0 : atUs / measuredUs;
    return shape.fromPerSecond + (shape.toPerSecond - shape.fromPerSecond) * share;
  }
  return stepAt(shape.steps, atUs)?.perSecond ?? 0;
}

function stepAt(steps: readonly RateStep[], atUs: number): RateStep | undefined {
  let endUs = 0;
  for (const step of steps) {
    endUs += step.durationUs;
    if (atUs < endUs) return step;
  }
  return steps.at(-1);
}

/** The straight stretches of a shape between two moments of its own time. */
function stretchesOf(shape: RateShape, measuredUs: number, fromUs: number, toUs: number): Stretch[] {
  if (shape.kind !== 'steps')
    return [
      {
        lengthUs: toUs - fromUs,
        fromPerSecond: rateAt(shape, measuredUs, fromUs),
        toPerSecond: rateAt(shape, measuredUs, toUs),
      },
    ];
  const stretches: Stretch[] = [];
  for (let atUs = fromUs; atUs < toUs; ) {
    const endUs = Math.min(toUs, endOfStep(shape.steps, atUs));
    stretches.push(holdAt(shape, measuredUs, atUs, endUs - atUs));
    atUs = endUs;
  }
  return stretches;
}

function endOfStep(steps: readonly RateStep[], atUs: number): number {
  let endUs = 0;
  for (const step of steps) {
    endUs += step.durationUs;
    if (atUs < endUs) return endUs;
  }
  return Number.POSITIVE_INFINITY;
}
