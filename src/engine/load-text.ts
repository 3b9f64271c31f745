// The load of a workload in the words that a report shows.
import type { PlannedLoad } from '../scenario/run-plan.ts';
import { formatDuration } from '../units.ts';
import type { RateShape } from '../workload/arrival.ts';

/** For example `3,000/s`, `100/s to 3,000/s (Poisson)` or `8 at once`. */
export function loadText(load: PlannedLoad): string {
  if (load.kind === 'closed')
    return `${load.concurrency} at once${load.pauseUs > 0 ? `, ${formatDuration(load.pauseUs)} apart` : ''}`;
  return `${shapeText(load.shape)}${load.spacing === 'poisson' ? ' (Poisson)' : ''}`;
}

function shapeText(shape: RateShape): string {
  switch (shape.kind) {
    case 'constant':
      return rate(shape.perSecond);
    case 'ramp':
      return `${rate(shape.fromPerSecond)} to ${rate(shape.toPerSecond)}`;
    case 'steps':
      return shape.steps
        .map((step) => `${rate(step.perSecond)} for ${formatDuration(step.durationUs)}`)
        .join(', ');
    case 'bursts':
      return (
        `bursts of ${rate(shape.perSecond)} for ${formatDuration(shape.onUs)}, ` +
        `${rate(shape.basePerSecond)} for ${formatDuration(shape.offUs)} between`
      );
    case 'sine':
      return (
        `${rate(shape.meanPerSecond)} ± ${rate(shape.amplitudePerSecond)} ` +
        `in waves of ${formatDuration(shape.periodUs)}`
      );
    case 'trace':
      return `a trace of ${amount(shape.perSecond.length)} s, at most ${rate(highest(shape.perSecond))}`;
    case 'moments':
      return `a trace of ${amount(shape.atUs.length)} timestamps${timesEach(shape.perMoment)}`;
  }
}

function timesEach(perMoment: number): string {
  return perMoment === 1 ? '' : `, ${amount(perMoment)} operations each`;
}

/** Not `Math.max(...)`: a day has more seconds than a call takes arguments. */
function highest(rates: readonly number[]): number {
  return rates.reduce((most, one) => Math.max(most, one), 0);
}

function rate(perSecond: number): string {
  return `${amount(perSecond)}/s`;
}

function amount(value: number): string {
  return Number(value.toFixed(3)).toLocaleString('en-US');
}
