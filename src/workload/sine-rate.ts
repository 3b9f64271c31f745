// A rate that swings about its mean: how high it is at a moment, how much it asks for between two. In closed
// form, so that a long run rounds no worse than a short one. What else a rate can be is rate-shape.ts.
import { US_PER_SECOND } from '../units.ts';

/** `mean + amplitude × sin(2π t ÷ period)`: rises from its mean; the amplitude is at most the mean. */
export interface SineRate {
  readonly kind: 'sine';
  readonly meanPerSecond: number;
  readonly amplitudePerSecond: number;
  readonly periodUs: number;
}

/** A sine with both its rates multiplied. */
export function scaleSine(sine: SineRate, factor: number): SineRate {
  return {
    ...sine,
    meanPerSecond: sine.meanPerSecond * factor,
    amplitudePerSecond: sine.amplitudePerSecond * factor,
  };
}

/** The rate at a moment of the sine's own time, operations per second; never below 0. */
export function sineRateAt({ meanPerSecond, amplitudePerSecond, periodUs }: SineRate, atUs: number): number {
  const rate = meanPerSecond + amplitudePerSecond * Math.sin((2 * Math.PI * (atUs % periodUs)) / periodUs);
  return Math.max(0, rate);
}

/**
 * The integral of a sine's rate: mean × t + amplitude × period ÷ 2π × (cos a − cos b), written as a product of
 * sines, since the difference of two cosines loses digits.
 */
export function expectedOfSine(sine: SineRate, fromUs: number, toUs: number): number {
  const { meanPerSecond, amplitudePerSecond, periodUs } = sine;
  const lengthUs = toUs - fromUs;
  const halfway = (Math.PI * ((2 * (fromUs % periodUs) + lengthUs) % (2 * periodUs))) / periodUs;
  const halfLength = (Math.PI * (lengthUs % (2 * periodUs))) / periodUs;
  const wave = (amplitudePerSecond * periodUs * Math.sin(halfway) * Math.sin(halfLength)) / Math.PI;
  return (meanPerSecond * lengthUs + wave) / US_PER_SECOND;
}

/** The slope of `expectedOfSine` in its end, operations per µs. */
export function sineRatePerUs(sine: SineRate, atUs: number): number {
  return sineRateAt(sine, atUs) / US_PER_SECOND;
}

/** The highest rate between two moments of the sine's own time: its crest where there is one, else an end. */
export function highestOfSine(sine: SineRate, fromUs: number, toUs: number): number {
  const { periodUs } = sine;
  const crest = Math.ceil((fromUs - periodUs / 4) / periodUs) * periodUs + periodUs / 4;
  if (crest <= toUs) return sine.meanPerSecond + sine.amplitudePerSecond;
  return Math.max(sineRateAt(sine, fromUs), sineRateAt(sine, toUs));
}
