// What time it is on the service's clock: CloudWatch cuts minutes by that one, not by ours. Read from the `Date`
// header of answers, which counts whole seconds; several answers narrow it down.
import { type LiveTime, waitMs } from './live-time.ts';

/** One answer: when it was asked for and received on our clock, and its date. All ms since 1970. */
export interface DatedAnswer {
  readonly sentMs: number;
  readonly receivedMs: number;
  /** Whole seconds, cut off. */
  readonly dateMs: number;
}

const SECOND_MS = 1_000;

/** The distance between two clocks, known to lie in an interval that answers narrow. */
export class ServiceClock {
  #leastMs = Number.NEGATIVE_INFINITY;
  #mostMs = Number.POSITIVE_INFINITY;

  /** Whether an answer was seen; otherwise the clocks are taken for equal. */
  get isKnown(): boolean {
    return this.#mostMs !== Number.POSITIVE_INFINITY;
  }

  /** Service time less ours, ms: the middle of what is possible. */
  get offsetMs(): number {
    return this.isKnown ? (this.#leastMs + this.#mostMs) / 2 : 0;
  }

  /** How far `offsetMs` may be off, ms. */
  get errorMs(): number {
    return this.isKnown ? (this.#mostMs - this.#leastMs) / 2 : Number.POSITIVE_INFINITY;
  }

  /** Takes one answer in. Where it contradicts the others, a clock was set: what was known is forgotten. */
  observe({ sentMs, receivedMs, dateMs }: DatedAnswer): void {
    const leastMs = dateMs - receivedMs;
    const mostMs = dateMs + SECOND_MS - sentMs;
    const isContradiction = leastMs > this.#mostMs || mostMs < this.#leastMs;
    this.#leastMs = isContradiction ? leastMs : Math.max(this.#leastMs, leastMs);
    this.#mostMs = isContradiction ? mostMs : Math.min(this.#mostMs, mostMs);
  }
}

const MOST_ANSWERS = 12;
const ENOUGH_MS = 60;
// No divisor of a second, so that answers fall on different parts of it.
const BETWEEN_MS = 130;

/**
 * Asks for dates until the distance is known to about a tenth of a second.
 * @param date  the date of one answer, ms since 1970; undefined where it carries none
 */
export async function readServiceClock(
  date: () => Promise<number | undefined>,
  time: LiveTime,
  signal?: AbortSignal,
): Promise<ServiceClock> {
  const clock = new ServiceClock();
  for (let count = 0; count < MOST_ANSWERS && clock.errorMs > ENOUGH_MS; count++) {
    if (count > 0) await waitMs(time, BETWEEN_MS, signal);
    const sentMs = time.wallMs();
    const dateMs = await date();
    if (dateMs === undefined || signal?.aborted) break;
    clock.observe({ sentMs, receivedMs: time.wallMs(), dateMs });
  }
  return clock;
}
