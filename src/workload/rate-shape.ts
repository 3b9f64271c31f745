// The forms that a rate can take over the shape's own time, which runs from 0 during measured stages only. Each
// is told as stretches: straight lines, arcs of a sine, or moments read from a trace. Stages and their factors
// are rate-segments.ts, the arithmetic of a sine is sine-rate.ts.
import { US_PER_SECOND } from '../units.ts';
import { expectedOfSine, highestOfSine, type SineRate, scaleSine, sineRateAt } from './sine-rate.ts';

/** One level of a stepped rate. */
export interface RateStep {
  readonly perSecond: number;
  readonly durationUs: number;
}

/** Operations per second over the measured time. */
export type RateShape =
  | { readonly kind: 'constant'; readonly perSecond: number }
  /** Straight, over all of the measured time. */
  | { readonly kind: 'ramp'; readonly fromPerSecond: number; readonly toPerSecond: number }
  /** The last step holds until the end. */
  | { readonly kind: 'steps'; readonly steps: readonly RateStep[] }
  | BurstRate
  | SineRate
  /** The rate of each second; nothing comes after the last. */
  | { readonly kind: 'trace'; readonly perSecond: readonly number[] }
  | MomentRate;

/** `perSecond` for `onUs`, then `basePerSecond` for `offUs`, again and again. */
export interface BurstRate {
  readonly kind: 'bursts';
  readonly perSecond: number;
  readonly basePerSecond: number;
  readonly onUs: number;
  readonly offUs: number;
}

/** `perMoment` operations at each of these moments (µs, ascending); nothing comes after the last. */
export interface MomentRate {
  readonly kind: 'moments';
  readonly atUs: readonly number[];
  readonly perMoment: number;
}

/** How a rate goes where it is no straight line. */
export type Curve =
  /** The arc of a sine from `fromUs` of its own time. */
  | { readonly kind: 'sine'; readonly sine: SineRate; readonly fromUs: number }
  /** Moments since the start of the stretch, each with `perMoment` operations. */
  | { readonly kind: 'moments'; readonly offsetsUs: readonly number[]; readonly perMoment: number };

/** The rate over a stretch of the shape's own time, before any stage's factor. */
export interface Stretch {
  readonly lengthUs: number;
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  readonly highestPerSecond: number;
  /** Operations expected in it. */
  readonly expected: number;
  /** Absent: a straight line. */
  readonly curve: Curve | undefined;
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
    case 'bursts':
      return {
        ...shape,
        perSecond: shape.perSecond * factor,
        basePerSecond: shape.basePerSecond * factor,
      };
    case 'sine':
      return scaleSine(shape, factor);
    case 'trace':
      return { ...shape, perSecond: shape.perSecond.map((perSecond) => perSecond * factor) };
    case 'moments':
      return { ...shape, perMoment: shape.perMoment * factor };
  }
}

/** The rate of a shape at one moment of its own time; of moments, how many there are in that second. */
export function rateAt(shape: RateShape, measuredUs: number, atUs: number): number {
  switch (shape.kind) {
    case 'constant':
      return shape.perSecond;
    case 'ramp': {
      const share = measuredUs === 0 ? 0 : atUs / measuredUs;
      return shape.fromPerSecond + (shape.toPerSecond - shape.fromPerSecond) * share;
    }
    case 'sine':
      return sineRateAt(shape, atUs);
    case 'moments': {
      const secondUs = Math.floor(atUs / US_PER_SECOND) * US_PER_SECOND;
      return momentsBetween(shape, secondUs, secondUs + US_PER_SECOND).length * shape.perMoment;
    }
    default:
      return levelAt(shape, atUs).perSecond;
  }
}

/** The stretches of a shape between two moments of its own time, in order and without gaps. */
export function* stretchesOf(
  shape: RateShape,
  measuredUs: number,
  fromUs: number,
  toUs: number,
): Generator<Stretch> {
  if (shape.kind === 'constant' || shape.kind === 'ramp') {
    const ends = [rateAt(shape, measuredUs, fromUs), rateAt(shape, measuredUs, toUs)] as const;
    yield straight(toUs - fromUs, ...ends);
    return;
  }
  for (let atUs = fromUs; atUs < toUs; ) {
    const endUs = Math.min(toUs, bendAfter(shape, atUs));
    yield stretchOf(shape, atUs, endUs);
    atUs = endUs;
  }
}

/** A straight stretch. */
export function straight(lengthUs: number, fromPerSecond: number, toPerSecond: number): Stretch {
  return {
    lengthUs,
    fromPerSecond,
    toPerSecond,
    highestPerSecond: Math.max(fromPerSecond, toPerSecond),
    expected: (((fromPerSecond + toPerSecond) / 2) * lengthUs) / US_PER_SECOND,
    curve: undefined,
  };
}

type BentShape = Exclude<RateShape, { kind: 'constant' | 'ramp' }>;

/** The next moment at which the form changes; a sine is one arc from end to end. */
function bendAfter(shape: BentShape, atUs: number): number {
  if (shape.kind === 'sine') return Number.POSITIVE_INFINITY;
  if (shape.kind === 'moments') return (Math.floor(atUs / US_PER_SECOND) + 1) * US_PER_SECOND;
  return levelAt(shape, atUs).untilUs;
}

function stretchOf(shape: BentShape, fromUs: number, toUs: number): Stretch {
  const lengthUs = toUs - fromUs;
  if (shape.kind === 'sine') {
    return {
      lengthUs,
      fromPerSecond: sineRateAt(shape, fromUs),
      toPerSecond: sineRateAt(shape, toUs),
      highestPerSecond: highestOfSine(shape, fromUs, toUs),
      expected: expectedOfSine(shape, fromUs, toUs),
      curve: { kind: 'sine', sine: shape, fromUs },
    };
  }
  if (shape.kind === 'moments') {
    const offsetsUs = momentsBetween(shape, fromUs, toUs).map((atUs) => atUs - fromUs);
    const expected = offsetsUs.length * shape.perMoment;
    const curve: Curve = { kind: 'moments', offsetsUs, perMoment: shape.perMoment };
    return { ...straight(lengthUs, expected, expected), expected, curve };
  }
  const { perSecond } = levelAt(shape, fromUs);
  return straight(lengthUs, perSecond, perSecond);
}

interface Level {
  readonly perSecond: number;
  readonly untilUs: number;
}

/** The level of a shape that goes in levels. */
function levelAt(shape: Exclude<BentShape, SineRate | MomentRate>, atUs: number): Level {
  switch (shape.kind) {
    case 'steps':
      return stepAt(shape.steps, atUs);
    case 'bursts': {
      const startUs = atUs - (atUs % (shape.onUs + shape.offUs));
      const onUntilUs = startUs + shape.onUs;
      return atUs < onUntilUs
        ? { perSecond: shape.perSecond, untilUs: onUntilUs }
        : { perSecond: shape.basePerSecond, untilUs: onUntilUs + shape.offUs };
    }
    case 'trace': {
      const second = Math.floor(atUs / US_PER_SECOND);
      const perSecond = shape.perSecond[second];
      if (perSecond === undefined) return { perSecond: 0, untilUs: Number.POSITIVE_INFINITY };
      return { perSecond, untilUs: (second + 1) * US_PER_SECOND };
    }
  }
}

function stepAt(steps: readonly RateStep[], atUs: number): Level {
  let untilUs = 0;
  for (const { durationUs, perSecond } of steps) {
    untilUs += durationUs;
    if (atUs < untilUs) return { perSecond, untilUs };
  }
  return { perSecond: steps.at(-1)?.perSecond ?? 0, untilUs: Number.POSITIVE_INFINITY };
}

function momentsBetween({ atUs }: MomentRate, fromUs: number, toUs: number): readonly number[] {
  return atUs.slice(firstAtOrAfter(atUs, fromUs), firstAtOrAfter(atUs, toUs));
}

function firstAtOrAfter(sorted: readonly number[], valueUs: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < valueUs) low = middle + 1;
    else high = middle;
  }
  return low;
}
