// When provisioned capacity was raised and lowered, and how often it may still be lowered today.
// @see "Quotas in Amazon DynamoDB", section "Decreasing provisioned throughput",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30

const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;
/** Decreases at hand when a UTC day begins, and at most at any time; one more comes with each hour. */
const DECREASES_HELD = 4;

/** Moments are ms since 1970, UTC. */
export class CapacityHistory {
  lastIncreaseMs: number | undefined;
  #decreases: number[] = [];

  get lastDecreaseMs(): number | undefined {
    return this.#decreases.at(-1);
  }

  decreasesOn(wallMs: number): number {
    const dayStartMs = wallMs - (wallMs % MS_PER_DAY);
    return this.#decreases.filter((atMs) => atMs >= dayStartMs).length;
  }

  mayDecrease(wallMs: number): boolean {
    const dayStartMs = wallMs - (wallMs % MS_PER_DAY);
    let held = DECREASES_HELD;
    let fromMs = dayStartMs;
    for (const atMs of [...this.#decreases.filter((one) => one >= dayStartMs), wallMs]) {
      const hours =
        Math.floor((atMs - dayStartMs) / MS_PER_HOUR) - Math.floor((fromMs - dayStartMs) / MS_PER_HOUR);
      held = Math.min(DECREASES_HELD, held + hours) - 1;
      fromMs = atMs;
    }
    return held >= 0;
  }

  increase(wallMs: number): void {
    this.lastIncreaseMs = wallMs;
  }

  decrease(wallMs: number): void {
    // Of earlier days only the last matters, for the description; today's are few by their own rule.
    this.#decreases = [...this.#decreases.slice(-32), wallMs];
  }
}
