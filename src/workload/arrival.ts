// What arrives when: the arrivals that follow from a rate over stages. Pure arithmetic; waiting is the engine's
// part. The integral of the rate is a chain of parabolas (see rate-segments.ts) that can be inverted exactly:
// the k-th arrival depends on k alone, never on the arrivals before it.
import type { CounterRandom } from '../prng.ts';
import { US_PER_SECOND } from '../units.ts';
import { type RateShape, type Segment, type StageSpan, segmentsOf } from './rate-segments.ts';

export type { RateShape, RateStep, StageSpan } from './rate-segments.ts';

/** `even`: at equal distances in expected count. `poisson`: independent of each other, as from many users. */
export type Spacing = 'even' | 'poisson';

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
