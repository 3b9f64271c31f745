// Global indexes that follow their table late: what a write changes in them is done some time after it. Only
// where the model has such a lag; usually readers find it at once.

/** Changes that are still to be done, in the order in which they were made. */
export class IndexLag {
  readonly #lagUs: number;
  #nowUs: number | undefined = undefined;
  readonly #changes: { readonly dueUs: number; readonly apply: () => void }[] = [];

  constructor(lagUs: number) {
    this.#lagUs = lagUs;
  }

  /** Comes to a moment, and does what is due by then. Moments never go back. */
  advance(atUs: number): void {
    this.#nowUs = atUs;
    let done = 0;
    while (done < this.#changes.length && (this.#changes[done]?.dueUs ?? 0) <= atUs)
      this.#changes[done++]?.apply();
    if (done > 0) this.#changes.splice(0, done);
  }

  /** Does a change later; before the first request, at once. */
  delay(apply: () => void): void {
    if (this.#nowUs === undefined) apply();
    else this.#changes.push({ dueUs: this.#nowUs + this.#lagUs, apply });
  }
}
