// A rate as a function of time: its shape, laid over the stages of a run, as a chain of segments made one after
// another, since a day of short bursts has many. A shape's own time runs only during measured stages: an
// unmeasured stage holds the rate at which the shape stands, so a warm-up before them has the shape's first
// rate. Each stage multiplies by its factor.
import { assert } from '../errors.ts';
import { type Curve, type RateShape, rateAt, type Stretch, straight, stretchesOf } from './rate-shape.ts';
import { scaleSine } from './sine-rate.ts';

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
 * A stretch of time over which the rate changes linearly or along a curve, with the expected count of arrivals
 * before it and up to its end.
 */
export interface Segment {
  readonly stageIndex: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  readonly highestPerSecond: number;
  readonly curve: Curve | undefined;
  readonly countAtStart: number;
  readonly countAtEnd: number;
}

/** The segments of a shape over stages, in order and without gaps; of rate zero where nothing arrives. */
export function* segmentsOf(shape: RateShape, stages: readonly StageSpan[]): Generator<Segment, undefined> {
  const measuredUs = stages.reduce(
    (sum, stage) => sum + (stage.isMeasured ? stage.endUs - stage.startUs : 0),
    0,
  );
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
      yield segment;
      startUs = segment.endUs;
      count = segment.countAtEnd;
    }
  }
  return undefined;
}

function toSegment(
  stretch: Stretch,
  from: { stageIndex: number; startUs: number; count: number; rateFactor: number },
): Segment {
  const { rateFactor } = from;
  const fromPerSecond = stretch.fromPerSecond * rateFactor;
  const toPerSecond = stretch.toPerSecond * rateFactor;
  assert(fromPerSecond >= 0 && toPerSecond >= 0, `rates are not negative, got ${fromPerSecond}/s`);
  return {
    stageIndex: from.stageIndex,
    startUs: from.startUs,
    endUs: from.startUs + stretch.lengthUs,
    fromPerSecond,
    toPerSecond,
    highestPerSecond: stretch.highestPerSecond * rateFactor,
    curve: stretch.curve && scaleCurve(stretch.curve, rateFactor),
    countAtStart: from.count,
    countAtEnd: snap(from.count + stretch.expected * rateFactor),
  };
}

function scaleCurve(curve: Curve, factor: number): Curve {
  if (curve.kind === 'sine') return { ...curve, sine: scaleSine(curve.sine, factor) };
  return { ...curve, perMoment: curve.perMoment * factor };
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
  return straight(lengthUs, perSecond, perSecond);
}
