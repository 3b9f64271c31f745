// A token bucket over integer microseconds: refill and spend, nothing else. Which buckets a request needs,
// and what happens when one is empty, is decided in resource-throughput.ts.

const TOKENS_PER_UNIT = 1_000_000;

/** A bucket before its first use. */
export interface TokenBucketSettings {
  /** Units per second that flow in; exact for whole numbers. */
  readonly ratePerSec: number;
  /** Units that the bucket holds at most. */
  readonly capacity: number;
  /** Units in the bucket when it starts; more than `capacity` is cut to it. */
  readonly startUnits: number;
  /** When it starts; default: time 0. */
  readonly startAtUs?: number;
}

/**
 * A bucket that admits while it holds anything, and then takes the full cost, below zero if need be:
 * otherwise an operation dearer than the bucket could never run.
 *
 * Tokens are millionths of a unit, so that one microsecond at one unit per second is one token. All steps are
 * sums of whole numbers below 2^53 and therefore exact: the same calls give the same answers on every
 * platform. Law: units granted in t seconds ≤ capacity + rate × t + the cost of one operation.
 */
export class TokenBucket {
  readonly #ratePerSec: number;
  readonly #capacityTokens: number;
  #tokens: number;
  #updatedAtUs: number;

  constructor(settings: TokenBucketSettings) {
    this.#ratePerSec = settings.ratePerSec;
    this.#capacityTokens = Math.round(settings.capacity * TOKENS_PER_UNIT);
    this.#tokens = Math.min(this.#capacityTokens, Math.round(settings.startUnits * TOKENS_PER_UNIT));
    this.#updatedAtUs = settings.startAtUs ?? 0;
  }

  /** Whether an operation may start at this moment. */
  hasTokens(atUs: number): boolean {
    this.#refill(atUs);
    return this.#tokens > 0;
  }

  /** Takes the full cost, also below zero. */
  spend(units: number, atUs: number): void {
    this.#refill(atUs);
    this.#tokens -= Math.round(units * TOKENS_PER_UNIT);
  }

  /** Units held at this moment; negative while a dear operation is being paid off. */
  unitsAt(atUs: number): number {
    this.#refill(atUs);
    return this.#tokens / TOKENS_PER_UNIT;
  }

  /** A moment before the last one seen adds nothing: late answers never mint tokens. */
  #refill(atUs: number): void {
    const elapsedUs = atUs - this.#updatedAtUs;
    if (elapsedUs <= 0) return;
    this.#updatedAtUs = atUs;
    const tokens = this.#tokens + elapsedUs * this.#ratePerSec;
    this.#tokens = tokens < this.#capacityTokens ? tokens : this.#capacityTokens;
  }
}
