// Time for whole runs over real sockets that takes no time: it stands still while requests are under way, and
// jumps to the next timer when none is. Minutes pass at once, and everything happens in the order of their time.
import type { LiveTime } from '../../src/aws/live-time.ts';
import type { Scheduler } from '../../src/clock.ts';
import type { Target } from '../../src/engine/target.ts';

interface Timer {
  readonly atMs: number;
  readonly sequence: number;
  readonly fire: () => void;
}

/** `soon` moves time a little, so that a clock that spins for the last part of a millisecond gets there. */
const SOON_MS = 0.01;

export class SteppedTime {
  readonly #startMs: number;
  #nowMs = 0;
  #sequence = 0;
  #timers: Timer[] = [];
  #watchers: { readonly atMs: number; readonly fire: () => void }[] = [];
  #underWay = 0;
  #isRunning = true;

  /** @param startMs  time of day at the start, ms since 1970 */
  constructor(startMs: number) {
    this.#startMs = startMs;
    setImmediate(this.#step);
  }

  /** Ms since the start. */
  get nowMs(): number {
    return this.#nowMs;
  }

  get wallMs(): number {
    return this.#startMs + this.#nowMs;
  }

  readonly scheduler: Scheduler = {
    monotonicMs: () => this.#nowMs,
    after: (delayMs, callback) => this.#add(delayMs, callback),
    soon: (callback) => void this.#add(SOON_MS, callback),
  };

  /** As a machine sees it whose clock is off by some ms. */
  live(offByMs = 0): LiveTime {
    return { scheduler: this.scheduler, wallMs: () => this.wallMs + offByMs };
  }

  /** A target whose requests hold time still. */
  readonly holding = (target: Target): Target => ({
    send: (request, startUs, done) => {
      this.#underWay++;
      target.send(request, startUs, (outcome, endUs) => {
        this.#underWay--;
        done(outcome, endUs);
      });
    },
  });

  /** Calls back once time has come to `atMs` by itself; unlike a timer it does not make time jump there. */
  whenPast(atMs: number, callback: () => void): void {
    this.#watchers.push({ atMs, fire: callback });
  }

  stop(): void {
    this.#isRunning = false;
  }

  #add(delayMs: number, fire: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), sequence: this.#sequence++, fire };
    const after = this.#timers.findIndex((one) => one.atMs > timer.atMs);
    this.#timers.splice(after === -1 ? this.#timers.length : after, 0, timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  readonly #step = (): void => {
    if (this.#underWay === 0) {
      const next = this.#timers.shift();
      if (next !== undefined) {
        this.#nowMs = Math.max(this.#nowMs, next.atMs);
        next.fire();
        const past = this.#watchers.filter(({ atMs }) => atMs <= this.#nowMs);
        this.#watchers = this.#watchers.filter(({ atMs }) => atMs > this.#nowMs);
        for (const { fire } of past) fire();
      }
    }
    if (this.#isRunning) setImmediate(this.#step);
  };
}
