// Units per second of a measured window, for as many seconds as are needed to place keys anew. Grows as it is
// used.

/**
 * Seconds that a series holds; what comes later is counted in totals only, so that a day of load stays small.
 */
export const MAX_SERIES_SECONDS = 1_800;

/** Units in each second from the start of the measured window on. */
export class SecondSeries {
  #units = new Float64Array(32);
  #length = 0;

  /**
   * Adds units to a second, counted from the start of the measured window; seconds beyond the last one held
   * are left out.
   */
  add(second: number, units: number): void {
    if (second >= this.#length && !this.#extend(second)) return;
    this.#units[second] = (this.#units[second] as number) + units;
  }

  get total(): number {
    let sum = 0;
    for (let second = 0; second < this.#length; second++) sum += this.#units[second] as number;
    return sum;
  }

  /** The units of each second, filled up with zeros or cut to `seconds`. */
  toArray(seconds: number): number[] {
    const length = Math.min(seconds, MAX_SERIES_SECONDS);
    return Array.from({ length }, (_, second) =>
      second < this.#length ? (this.#units[second] as number) : 0,
    );
  }

  #extend(second: number): boolean {
    if (second >= MAX_SERIES_SECONDS) return false;
    if (second >= this.#units.length) {
      const length = Math.min(MAX_SERIES_SECONDS, Math.max(second + 1, 2 * this.#units.length));
      const longer = new Float64Array(length);
      longer.set(this.#units);
      this.#units = longer;
    }
    this.#length = second + 1;
    return true;
  }
}
