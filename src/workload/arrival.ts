// What arrives when: the arrivals that follow from a rate over stages. Pure arithmetic; waiting is the engine's
// part. The integral of the rate is a chain of segments (see rate-segments.ts) that can be inverted
// (segment-moment.ts): the k-th arrival depends on k alone, never on the arrivals before it.
import type { CounterRandom } from '../prng.ts';
import { type Segment, type StageSpan, segmentsOf } from './rate-segments.ts';
import type { RateShape } from './rate-shape.ts';
import { momentOf } from './segment-moment.ts';

export type { StageSpan } from './rate-segments.ts';
export { type RateShape, scaleShape } from './rate-shape.ts';

/** `even`: at equal distances in expected count. `poisson`: independent of each other, as from many users. */
export type Spacing = 'even' | 'poisson';

/** What arrivals are made of; equal options make equal arrivals. */
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
  let highest = 0;
  for (const segment of segmentsOf(shape, stages)) highest = Math.max(highest, segment.highestPerSecond);
  return highest;
}

/** The common walk: where the integral of the rate reaches a count. Counts asked for never go down. */
abstract class SegmentWalk implements Arrivals {
  readonly #segments: Iterator<Segment, undefined>;
  #segment: Segment | undefined;
  atUs = 0;
  stageIndex = 0;
  sequence = -1;

  constructor(segments: Iterator<Segment, undefined>) {
    this.#segments = segments;
    this.#advance();
  }

  abstract next(): boolean;

  /** Goes to the moment at which the integral passes `count`; false beyond the last segment. */
  protected goTo(count: number): boolean {
    // A segment of rate zero ends at the count at which it starts, and is passed by.
    while (this.#segment !== undefined && count >= this.#segment.countAtEnd) this.#advance();
    const segment = this.#segment;
    if (segment === undefined) return false;
    this.sequence++;
    this.stageIndex = segment.stageIndex;
    // A search along a sine may miss by less than a µs; times never go back all the same.
    this.atUs = Math.max(this.atUs, momentOf(segment, count - segment.countAtStart));
    return true;
  }

  #advance(): void {
    this.#segment = this.#segments.next().value;
  }
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

  constructor(segments: Iterator<Segment, undefined>, random: CounterRandom) {
    super(segments);
    this.#random = random;
  }

  next(): boolean {
    this.#count -= Math.log(1 - this.#random.seek(this.sequence + 1).float());
    return this.goTo(this.#count);
  }
}
