// The part of a run in which what happens on a table or index is recorded. Limits work all the time.
import { US_PER_SECOND } from '../units.ts';

/** A span of time and its seconds; by default all of the run. Moments never go back. */
export class MeasuredWindow {
  #fromUs = 0;
  #untilUs = Number.POSITIVE_INFINITY;
  #lastUs = 0;

  /** @param untilUs  the first moment that does not belong to it */
  set(fromUs: number, untilUs: number): void {
    this.#fromUs = fromUs;
    this.#untilUs = untilUs;
  }

  /** The second of the window in which a request falls; −1 outside. */
  secondOf(atUs: number): number {
    this.#lastUs = atUs;
    if (atUs < this.#fromUs || atUs >= this.#untilUs) return -1;
    return Math.floor((atUs - this.#fromUs) / US_PER_SECOND);
  }

  /**
   * The window as far as it was reached.
   * @param endUs  where load ended, if before the end of the window; by default the last request seen ends an open
   *   window
   */
  reached(endUs = this.#untilUs): { readonly fromUs: number; readonly untilUs: number } {
    const end = Math.min(endUs, this.#untilUs);
    const untilUs = Number.isFinite(end) ? end : this.#lastUs + 1;
    return { fromUs: this.#fromUs, untilUs: Math.max(this.#fromUs, untilUs) };
  }
}
