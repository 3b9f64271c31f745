// The clock port: time, and events at their moments. Everything above it runs the same on virtual time (events
// one after another, as fast as the processor allows) and on the wall clock. A callback interface and not
// promises: one event costs a heap step and a call. In which order events come is event-heap.ts.
import { type ClockEvent, EventHeap } from './event-heap.ts';

/**
 * Time in µs since the start of a variant, and the events of that time. Events at one moment fire in the
 * order of their rank.
 */
export interface Clock {
  readonly kind: 'virtual' | 'wall-clock';
  nowUs(): number;
  schedule(atUs: number, rank: number, event: ClockEvent): void;
  /**
   * Asks that promise reactions started by the current event finish before the next event fires (needed by
   * flows); in virtual time `settled` is called then. On the wall clock promise reactions run by themselves
   * and `settled` is never called.
   */
  settle(settled: () => void): void;
  /**
   * Fires events until `stop`, or, in virtual time, until none is left.
   * @param originMs  on the wall clock: the scheduler's reading at which this time is 0, perhaps yet to come;
   *   absent: now
   */
  run(originMs?: number): Promise<void>;
  stop(): void;
}

/** What the clocks need of the world: a monotonic reading and ways to come back later. */
export interface Scheduler {
  /** Monotonic milliseconds with a fraction. */
  monotonicMs(): number;
  /** Comes back after at least `delayMs`; returns a way to cancel. */
  after(delayMs: number, callback: () => void): () => void;
  /** Comes back after pending input, output and promise reactions had their turn. */
  soon(callback: () => void): void;
}

/** The scheduler of the running process. */
export const processScheduler: Scheduler = {
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (callback) => void setImmediate(callback),
};

/**
 * What to add to a reading of this thread's `processScheduler` for one that all threads of the process share:
 * each thread counts from its own start, but from the same clock.
 */
export function sharedOffsetMs(): number {
  return Number(process.hrtime.bigint()) / NS_PER_MS - performance.now();
}

const NS_PER_MS = 1_000_000;

const VIRTUAL_SLICE_MS = 50;
const EVENTS_BETWEEN_CHECKS = 512;

/**
 * Virtual time: jumps from event to event. Gives the event loop a turn every 50 ms, so that Ctrl-C and
 * progress work.
 */
export class VirtualClock implements Clock {
  readonly kind = 'virtual';
  readonly #heap = new EventHeap();
  readonly #scheduler: Scheduler;
  #nowUs = 0;
  #isStopped = false;
  #settling: (() => void)[] = [];

  constructor(scheduler: Scheduler = processScheduler) {
    this.#scheduler = scheduler;
  }

  nowUs(): number {
    return this.#nowUs;
  }

  schedule(atUs: number, rank: number, event: ClockEvent): void {
    this.#heap.push(atUs < this.#nowUs ? this.#nowUs : atUs, rank, event);
  }

  settle(settled: () => void): void {
    this.#settling.push(settled);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    const scheduler = this.#scheduler;
    const turn = () => new Promise<void>((resolve) => scheduler.soon(resolve));
    await turn();
    this.#finishSettling();
    while (!this.#isStopped && this.#heap.size > 0) {
      this.#runSlice(scheduler.monotonicMs() + VIRTUAL_SLICE_MS);
      await turn();
      this.#finishSettling();
    }
    this.#heap.clear();
  }

  #finishSettling(): void {
    if (this.#settling.length === 0) return;
    const settled = this.#settling;
    this.#settling = [];
    for (const callback of settled) callback();
  }

  #runSlice(untilMs: number): void {
    const heap = this.#heap;
    let countdown = EVENTS_BETWEEN_CHECKS;
    while (heap.size > 0 && !this.#isStopped && this.#settling.length === 0) {
      this.#nowUs = heap.nextAtUs;
      heap.pop().fire(this.#nowUs);
      if (--countdown > 0) continue;
      if (this.#scheduler.monotonicMs() >= untilMs) return;
      countdown = EVENTS_BETWEEN_CHECKS;
    }
  }
}

const WALL_BATCH = 256;
const SPIN_BELOW_MS = 0.3;

/**
 * The wall clock, at 0 until `run`: fires each event at its moment or, when late, at once; input and output
 * get their turn between batches.
 */
export class SystemClock implements Clock {
  readonly kind = 'wall-clock';
  readonly #heap = new EventHeap();
  readonly #scheduler: Scheduler;
  /** The moment of `run`; what is done before that, such as the user's own setup, takes no time of this clock. */
  #originMs: number | undefined;
  #finish: (() => void) | undefined;
  #cancelWake: (() => void) | undefined;
  #wakeAtUs = Number.POSITIVE_INFINITY;
  #isFiring = false;
  #isStopped = false;

  constructor(scheduler: Scheduler = processScheduler) {
    this.#scheduler = scheduler;
  }

  nowUs(): number {
    return Math.max(0, this.#sinceOriginUs());
  }

  /** Below 0 where the origin is yet to come. */
  #sinceOriginUs(): number {
    if (this.#originMs === undefined) return 0;
    return Math.round((this.#scheduler.monotonicMs() - this.#originMs) * 1_000);
  }

  schedule(atUs: number, rank: number, event: ClockEvent): void {
    this.#heap.push(atUs, rank, event);
    if (this.#finish && !this.#isFiring && atUs < this.#wakeAtUs) this.#armWake();
  }

  settle(): void {
    // Promise reactions run by themselves between wall-clock events.
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelWake?.();
    this.#finish?.();
  }

  run(originMs = this.#scheduler.monotonicMs()): Promise<void> {
    this.#originMs = originMs;
    return new Promise((resolve) => {
      this.#finish = resolve;
      if (this.#isStopped) resolve();
      else this.#armWake();
    });
  }

  #armWake(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    this.#wakeAtUs = this.#heap.nextAtUs;
    if (this.#isStopped || this.#heap.size === 0) return;
    const delayMs = (this.#wakeAtUs - this.#sinceOriginUs()) / 1_000;
    if (delayMs < SPIN_BELOW_MS) this.#scheduler.soon(this.#fireDue);
    else this.#cancelWake = this.#scheduler.after(Math.max(1, Math.floor(delayMs)), this.#fireDue);
  }

  readonly #fireDue = (): void => {
    this.#isFiring = true;
    let nowUs = this.#sinceOriginUs();
    for (let count = 0; count < WALL_BATCH && !this.#isStopped && this.#heap.nextAtUs <= nowUs; count++) {
      this.#heap.pop().fire(nowUs);
      nowUs = this.#sinceOriginUs();
    }
    this.#isFiring = false;
    this.#armWake();
  };
}
