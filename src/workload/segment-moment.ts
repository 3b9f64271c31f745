// The moment within a segment at which so many arrivals are expected: the inverse of the rate's integral, by a
// formula where there is one and by a guarded search along a sine.
import { US_PER_SECOND } from '../units.ts';
import type { Segment } from './rate-segments.ts';
import type { Curve } from './rate-shape.ts';
import { expectedOfSine, sineRatePerUs } from './sine-rate.ts';

/**
 * The moment at which a segment has had `count` arrivals, as a whole µs inside it.
 * @param count  0 … what the segment expects
 */
export function momentOf(segment: Segment, count: number): number {
  const lengthUs = segment.endUs - segment.startUs;
  const { curve } = segment;
  const us = curve === undefined ? straightUs(segment, count) : curveUs(curve, count, lengthUs);
  // A thousandth of a µs makes up for rounding (2999.9999999996), so that even spacings of whole µs come out
  // whole.
  const whole = Math.floor(us + 1e-3);
  return segment.startUs + (whole < lengthUs ? whole : lengthUs - 1);
}

/** Solves `from·t + slope·t²/2 = count` for t in the form that loses no digits. */
function straightUs(segment: Segment, count: number): number {
  const from = segment.fromPerSecond;
  if (from === segment.toPerSecond) return (count * US_PER_SECOND) / from;
  if (count === 0) return 0;
  const lengthUs = segment.endUs - segment.startUs;
  const slope = ((segment.toPerSecond - from) * US_PER_SECOND) / lengthUs;
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * count));
  return (2 * count * US_PER_SECOND) / (from + root);
}

function curveUs(curve: Curve, count: number, lengthUs: number): number {
  if (curve.kind === 'sine') return sineUs(curve, count, lengthUs);
  const { offsetsUs, perMoment } = curve;
  // Floating point may put the last count a hair beyond the last moment.
  const index = Math.min(offsetsUs.length - 1, Math.floor(count / perMoment + 1e-9));
  return offsetsUs[index] as number; // A segment that expects arrivals has moments.
}

const MOST_ROUNDS = 100;
const CLOSE_ENOUGH_US = 1e-4;

/**
 * Newton's method, kept within bounds that close in: the wave adds at most amplitude × period ÷ π to what the
 * mean alone would give, and where a trough makes Newton leap out of the bounds, they are halved.
 */
function sineUs({ sine, fromUs }: Extract<Curve, { kind: 'sine' }>, count: number, lengthUs: number): number {
  const meanPerUs = sine.meanPerSecond / US_PER_SECOND;
  const waveUs = (sine.amplitudePerSecond / sine.meanPerSecond) * (sine.periodUs / Math.PI);
  let low = Math.max(0, count / meanPerUs - waveUs);
  let high = Math.min(lengthUs, count / meanPerUs + waveUs);
  let us = Math.min(high, Math.max(low, count / meanPerUs));
  for (let round = 0; round < MOST_ROUNDS && high - low > CLOSE_ENOUGH_US; round++) {
    const excess = expectedOfSine(sine, fromUs, fromUs + us) - count;
    if (excess > 0) high = us;
    else low = us;
    const step = excess / sineRatePerUs(sine, fromUs + us);
    const next = us - step;
    if (Math.abs(step) < CLOSE_ENOUGH_US) return next;
    us = next > low && next < high ? next : (low + high) / 2;
  }
  return us;
}
