// Which workers of a load are ready, at work, over or lost, and whoever waits until that is so or so. What
// follows for the load from a worker that is lost is crew-load.ts.
import type { WorkerEnd } from './messages.ts';

/** The workers of one load, by their numbers. Each is at work until it is over or lost, and stays what it became. */
export class WorkerRoster {
  readonly #ends: (WorkerEnd | undefined)[];
  readonly #lost: Map<number, string>;
  readonly #ready = new Set<number>();
  #changed: () => void = () => undefined;

  /** @param lost  why a worker is gone already */
  constructor(workerCount: number, lost: ReadonlyMap<number, string>) {
    this.#ends = Array.from({ length: workerCount });
    this.#lost = new Map(lost);
  }

  /** Those from which more is to come. */
  get atWork(): readonly number[] {
    return Array.from(this.#ends.keys()).filter((worker) => this.isAtWork(worker));
  }

  /** Whether all that are at work are ready as well. */
  get areReady(): boolean {
    return this.atWork.every((worker) => this.#ready.has(worker));
  }

  /** How each worker ended; undefined for those that have not, or were lost. */
  get ends(): readonly (WorkerEnd | undefined)[] {
    return this.#ends;
  }

  /** Why workers were lost. */
  get losses(): readonly string[] {
    return [...this.#lost.values()];
  }

  isAtWork(worker: number): boolean {
    return this.#ends[worker] === undefined && !this.#lost.has(worker);
  }

  ready(worker: number): void {
    this.#ready.add(worker);
  }

  end(worker: number, end: WorkerEnd): void {
    this.#ends[worker] = end;
  }

  lose(worker: number, why: string): void {
    this.#lost.set(worker, why);
  }

  /** Looks whether what is waited for holds now. To be called after whatever may have changed that. */
  changed(): void {
    this.#changed();
  }

  /** Resolves once something holds; it is looked at now and at each change. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#changed;
      this.#changed = () => {
        before();
        if (holds()) resolve();
      };
      if (holds()) resolve();
    });
  }
}
