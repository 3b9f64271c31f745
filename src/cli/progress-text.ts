// The words of the progress line while load runs. Rates are those of the last second or so, the rest is since
// the start of the variant.
import { formatLatency, formatPercent } from '../analysis/wording.ts';
import type { RunProgress } from '../engine/run-progress.ts';
import type { PrepareProgress } from '../engine/target.ts';
import type { PlannedStage } from '../scenario/run-plan.ts';
import { US_PER_SECOND } from '../units.ts';

const LEAST_RATE_SPAN_US = US_PER_SECOND;

const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;

/** Whole seconds as a clock would count them down: `52s`, `1m 52s`, `1h 1m 52s`. */
export function spanText(wholeSeconds: number): string {
  const seconds = wholeSeconds % SECONDS_PER_MINUTE;
  const minutes = Math.floor(wholeSeconds / SECONDS_PER_MINUTE) % MINUTES_PER_HOUR;
  const hours = Math.floor(wholeSeconds / SECONDS_PER_MINUTE / MINUTES_PER_HOUR);
  return `${hours > 0 ? `${hours}h ` : ''}${wholeSeconds >= SECONDS_PER_MINUTE ? `${minutes}m ` : ''}${seconds}s`;
}

/** What is done before load and after it, and how far it is. */
export function preparingText({ what, done, of, unit }: PrepareProgress): string {
  if (of === 0) return what;
  return unit === 's'
    ? `${what}, ${spanText(done)} of ${spanText(of)}`
    : `${what} ${count(done)} of ${count(of)}`;
}

/** Follows one variant: each call of `line` tells how it stands. */
export class RunningText {
  readonly #stages: readonly PlannedStage[];
  readonly #isVirtual: boolean;
  #before: RunProgress | undefined;
  #rates = '';

  constructor(stages: readonly PlannedStage[], isVirtual: boolean) {
    this.#stages = stages;
    this.#isVirtual = isVirtual;
  }

  /**
   * For example `steady, 18s left · due 3,000/s, done 1,000/s · p99 9.9 ms · 67 % throttled (IndexWrite… on
   * GSI1) · 14 in flight`.
   */
  line(now: RunProgress): string {
    this.#updateRates(now);
    const parts = [
      this.#stageText(now),
      this.#rates,
      now.responseP99Us === undefined ? '' : `p99 ${formatLatency(now.responseP99Us)}`,
      throttledText(now),
      now.dropped > 0 ? `${count(now.dropped)} dropped` : '',
      `${count(now.inFlight)} in flight`,
    ];
    return parts.filter((part) => part !== '').join(' · ');
  }

  #stageText({ atUs }: RunProgress): string {
    const stage = this.#stages.find((one) => atUs < one.endUs);
    if (stage === undefined) return 'drain';
    const endUs = this.#stages.at(-1)?.endUs ?? 0;
    const leftUs = Math.ceil(Math.max(0, endUs - atUs) / US_PER_SECOND) * US_PER_SECOND;
    return `${stage.name}, ${spanText(leftUs / US_PER_SECOND)} left${this.#isVirtual ? ' (virtual time)' : ''}`;
  }

  #updateRates(now: RunProgress): void {
    const before = this.#before;
    if (before !== undefined && now.atUs - before.atUs < LEAST_RATE_SPAN_US) return;
    this.#before = now;
    if (before === undefined) return;
    const seconds = (now.atUs - before.atUs) / US_PER_SECOND;
    const perSecond = (amount: number) => count(Math.round(amount / seconds));
    this.#rates = `due ${perSecond(now.planned - before.planned)}/s, done ${perSecond(now.ok - before.ok)}/s`;
  }
}

function throttledText({ throttled, finished, topThrottle }: RunProgress): string {
  if (throttled === 0) return '';
  const ratio = `${formatPercent(throttled / Math.max(1, finished))} throttled`;
  if (topThrottle === undefined) return ratio;
  const where = topThrottle.resource.split('/')[1] ?? 'the table';
  return `${ratio} (${topThrottle.reason} on ${where})`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
