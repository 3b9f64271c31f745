// When provisioned capacity was raised and lowered, and when it may be lowered again: four times on a UTC day
// whenever one likes, and after that once an hour has passed since the last time.
// @see "Quotas in Amazon DynamoDB", section "Decreasing provisioned throughput",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30; that
//   hours without a decrease save nothing up, by a capture of 2026-10-09 ("ack-api-quirks dynamodb", finding
//   DDB-TABLE-326), read 2026-11-30
import { MS_PER_DAY, MS_PER_HOUR } from '../../units.ts';

/** Decreases of a UTC day that need not wait for each other. */
const FREE_DECREASES = 4;

/** Moments are ms since 1970, UTC. */
export class CapacityHistory {
  lastIncreaseMs: number | undefined;
  #decreases: number[] = [];

  get lastDecreaseMs(): number | undefined {
    return this.#decreases.at(-1);
  }

  decreasesOn(wallMs: number): number {
    const dayStartMs = dayStart(wallMs);
    return this.#decreases.filter((atMs) => atMs >= dayStartMs).length;
  }

  /** When the next decrease may be made: now, where it may be made at once. */
  nextDecreaseMs(wallMs: number): number {
    const last = this.lastDecreaseMs;
    if (last === undefined || this.decreasesOn(wallMs) < FREE_DECREASES) return wallMs;
    return Math.max(wallMs, Math.min(last + MS_PER_HOUR, dayStart(wallMs) + MS_PER_DAY));
  }

  increase(wallMs: number): void {
    this.lastIncreaseMs = wallMs;
  }

  decrease(wallMs: number): void {
    // Of earlier days only the last matters, for the description; today's are few by their own rule.
    this.#decreases = [...this.#decreases.slice(-32), wallMs];
  }
}

function dayStart(wallMs: number): number {
  return wallMs - (wallMs % MS_PER_DAY);
}
