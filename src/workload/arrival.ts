// What arrives when: a rate as a function of time, and the arrivals that follow from it. Pure arithmetic;
// waiting is the engine's part.
//
// A shape's own time runs only during measured stages: an unmeasured stage holds the rate at which the shape
// stands, so a warm-up before them has the shape's first rate. Each stage multiplies by its factor. The rate
// is then a chain of straight segments, whose integral is a chain of parabolas that can be inverted exactly:
// the k-th arrival depends on k alone, never on the arrivals before it.
import { assert } from '../errors.ts';
import type { CounterRandom } from '../prng.ts';
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

/** `even`: at equal distances in expected count. `poisson`: independent of each other, as from many users. */
export type Spacing = 'even' | 'poisson';

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

export interface ArrivalsOptions {
  readonly shape: RateShape;
  readonly spacing: Spacing;
  readonly stages: readonly StageSpan[];
  /**
   * A stream of its own for these arrivals; one number is drawn for each Poisson arrival, none for even ones.
   */
  readonly random: CounterRandom;
}

/**
 * Arrivals one after another; the same object moves along. Its members have meaning after `next()` returned
 * true.
 */
export interface Arrivals {
  /** Integer µs, inside the stage. */
  readonly atUs: number;
  readonly stageIndex: number;
  /** 0, 1, 2 … */
  readonly sequence: number;
  /** Moves to the next arrival; false when the last stage is over. */
  next(): boolean;
}

/** Arrivals of a shape over stages, in order. */
export function createArrivals({ shape, spacing, stages, random }: ArrivalsOptions): Arrivals {
  const segments = segmentsOf(shape, stages);
  return spacing === 'even' ? new EvenArrivals(segments) : new PoissonArrivals(segments, random);
}

/** How many arrivals fall into a stage: exact for even spacing, the expectation to ±1 for Poisson. */
export function plannedCount(shape: RateShape, stages: readonly StageSpan[], stageIndex: number): number {
  let count = 0;
  for (const segment of segmentsOf(shape, stages))
    if (segment.stageIndex === stageIndex)
      count += Math.ceil(segment.countAtEnd) - Math.ceil(segment.countAtStart);
  return count;
}

/** The highest rate of all stages, in operations per second. */
export function highestPerSecond(shape: RateShape, stages: readonly StageSpan[]): number {
  return segmentsOf(shape, stages).reduce(
    (highest, segment) => Math.max(highest, segment.fromPerSecond, segment.toPerSecond),
    0,
  );
}

/** The same shape with all rates multiplied; durations stay. */
export function scaleShape(shape: RateShape, factor: number): RateShape {
  switch (shape.kind) {
    case 'constant':
      return { ...shape, perSecond: shape.perSecond * factor };
    case 'ramp':
      return {
        ...shape,
        fromPerSecond: shape.fromPerSecond * factor,
        toPerSecond: shape.toPerSecond * factor,
      };
    case 'steps':
      return {
        ...shape,
        steps: shape.steps.map((step) => ({ ...step, perSecond: step.perSecond * factor })),
      };
  }
}

/**
 * A stretch of time over which the rate changes linearly, with the expected count of arrivals before it and
 * up to its end.
 */
interface Segment {
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

function segmentsOf(shape: RateShape, stages: readonly StageSpan[]): Segment[] {
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

/** The common walk: where the integral of the rate reaches a count. Counts asked for never go down. */
abstract class SegmentWalk implements Arrivals {
  readonly #segments: readonly Segment[];
  #index = 0;
  atUs = 0;
  stageIndex = 0;
  sequence = -1;

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  abstract next(): boolean;

  /** Goes to the moment at which the integral passes `count`; false beyond the last segment. */
  protected goTo(count: number): boolean {
    let segment = this.#segments[this.#index];
    // A segment of rate zero ends at the count at which it starts, and is passed by.
    while (segment !== undefined && count >= segment.countAtEnd) segment = this.#segments[++this.#index];
    if (segment === undefined) return false;
    this.sequence++;
    this.stageIndex = segment.stageIndex;
    this.atUs = momentOf(segment, count - segment.countAtStart);
    return true;
  }
}

/**
 * Solves `from·t + slope·t²/2 = count` for t in the form that loses no digits, and rounds down into the
 * segment.
 */
function momentOf(segment: Segment, count: number): number {
  const from = segment.fromPerSecond;
  const lengthUs = segment.endUs - segment.startUs;
  let us: number;
  if (from === segment.toPerSecond) us = (count * US_PER_SECOND) / from;
  else {
    const slope = ((segment.toPerSecond - from) * US_PER_SECOND) / lengthUs;
    const root = Math.sqrt(Math.max(0, from * from + 2 * slope * count));
    us = count === 0 ? 0 : (2 * count * US_PER_SECOND) / (from + root);
  }
  // A thousandth of a µs makes up for rounding (2999.9999999996), so that even spacings of whole µs come out
  // whole.
  const whole = Math.floor(us + 1e-3);
  return segment.startUs + (whole < lengthUs ? whole : lengthUs - 1);
}

class EvenArrivals extends SegmentWalk {
  next(): boolean {
    return this.goTo(this.sequence + 1);
  }
}

/**
 * Time rescaling: unit-rate exponential gaps on the axis of expected counts, carried over to time by the
 * inverse integral.
 */
class PoissonArrivals extends SegmentWalk {
  readonly #random: CounterRandom;
  #count = 0;

  constructor(segments: readonly Segment[], random: CounterRandom) {
    super(segments);
    this.#random = random;
  }

  next(): boolean {
    this.#count -= Math.log(1 - this.#random.seek(this.sequence + 1).float());
    return this.goTo(this.#count);
  }
}
