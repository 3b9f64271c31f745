// Aim: events fire at their moments, virtual time jumps, and both clocks let the rest of the process have its turn.
// Method: a fake scheduler whose time moves only when it is told to.
import { describe, expect, test } from 'vitest';
import { type Scheduler, SystemClock, VirtualClock } from '../../src/clock.ts';
import { CounterRandom, streamKey } from '../../src/prng.ts';

/** Runs callbacks in the order of their time; each turn of the event loop takes `turnMs`. */
class FakeScheduler implements Scheduler {
  nowMs = 0;
  turns = 0;
  readonly #turnMs: number;
  #waiting: { atMs: number; callback: () => void }[] = [];

  constructor(turnMs = 0.1) {
    this.#turnMs = turnMs;
  }

  monotonicMs(): number {
    return this.nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const entry = { atMs: this.nowMs + delayMs, callback };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== entry);
    };
  }

  soon(callback: () => void): void {
    this.after(this.#turnMs, callback);
  }

  async runUntilIdle(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const next = this.#waiting.sort((a, b) => a.atMs - b.atMs).shift();
      if (next === undefined) return;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.turns++;
      next.callback();
    }
  }
}

const logger = (log: string[], name: string) => ({
  fire: (nowUs: number) => void log.push(`${name}@${nowUs}`),
});

describe('virtual time', () => {
  test('jumps from event to event and ends when none is left', async () => {
    const scheduler = new FakeScheduler();
    const clock = new VirtualClock(scheduler);
    const log: string[] = [];
    clock.schedule(3_600_000_000, 0, logger(log, 'late'));
    clock.schedule(5, 0, logger(log, 'early'));
    const run = clock.run();
    await scheduler.runUntilIdle();
    await run;
    expect(log).toEqual(['early@5', 'late@3600000000']);
  });

  test('an event in the past fires now, since time never goes back', async () => {
    const scheduler = new FakeScheduler();
    const clock = new VirtualClock(scheduler);
    const log: string[] = [];
    clock.schedule(100, 0, { fire: () => clock.schedule(50, 0, logger(log, 'past')) });
    const run = clock.run();
    await scheduler.runUntilIdle();
    await run;
    expect(log).toEqual(['past@100']);
  });

  test('stops at once when told to, and forgets what was to come', async () => {
    const scheduler = new FakeScheduler();
    const clock = new VirtualClock(scheduler);
    const log: string[] = [];
    clock.schedule(1, 0, { fire: () => clock.stop() });
    clock.schedule(2, 0, logger(log, 'never'));
    const run = clock.run();
    await scheduler.runUntilIdle();
    await run;
    expect(log).toEqual([]);
  });

  test('gives the event loop a turn every 50 ms', async () => {
    const scheduler = new FakeScheduler();
    const clock = new VirtualClock(scheduler);
    // Each event takes 0.1 ms; 10,000 of them take 1,000 ms: at least 19 turns in between, and far fewer than events.
    const slow = {
      fire: (nowUs: number) => {
        scheduler.nowMs += 0.1;
        if (nowUs < 10_000) clock.schedule(nowUs + 1, 0, slow);
      },
    };
    clock.schedule(1, 0, slow);
    const run = clock.run();
    await scheduler.runUntilIdle();
    await run;
    expect(scheduler.turns).toBeGreaterThan(9);
    expect(scheduler.turns).toBeLessThan(40);
  });

  test('promise reactions finish before the next event when asked for', async () => {
    const scheduler = new FakeScheduler();
    const clock = new VirtualClock(scheduler);
    const log: string[] = [];
    clock.schedule(1, 0, {
      fire: () => {
        void Promise.resolve()
          .then(() => Promise.resolve())
          .then(() => log.push('reaction'));
        clock.settle(() => log.push('settled'));
      },
    });
    clock.schedule(1, 1, logger(log, 'next'));
    const run = clock.run();
    await scheduler.runUntilIdle();
    await run;
    expect(log).toEqual(['reaction', 'settled', 'next@1']);
  });
});

describe('wall clock', () => {
  test('fires each event at its moment or later, never before', async () => {
    const scheduler = new FakeScheduler();
    const clock = new SystemClock(scheduler);
    const fired: number[] = [];
    for (const atUs of [40_000, 1_000, 7_500]) {
      clock.schedule(atUs, 0, { fire: (nowUs) => void fired.push(nowUs - atUs) });
    }
    const run = clock.run();
    clock.schedule(60_000, 0, { fire: () => clock.stop() });
    await scheduler.runUntilIdle();
    await run;
    expect(fired).toHaveLength(3);
    for (const latenessUs of fired) {
      expect(latenessUs).toBeGreaterThanOrEqual(0);
      expect(latenessUs).toBeLessThanOrEqual(1_000);
    }
  });

  test('an origin yet to come: nothing is due before, and time stands at 0', async () => {
    const scheduler = new FakeScheduler();
    const clock = new SystemClock(scheduler);
    const fired: number[] = [];
    const before: number[] = [];
    clock.schedule(0, 0, { fire: () => void fired.push(scheduler.nowMs) });
    clock.schedule(5_000, 0, { fire: () => clock.stop() });
    scheduler.after(150, () => before.push(clock.nowUs()));
    const run = clock.run(200);
    await scheduler.runUntilIdle();
    await run;
    expect(before).toEqual([0]);
    expect(fired).toHaveLength(1);
    expect(fired[0]).toBeGreaterThanOrEqual(200);
    expect(fired[0]).toBeLessThan(201);
    expect(clock.nowUs()).toBeGreaterThanOrEqual(5_000);
  });

  test('an origin that has passed: what was due meanwhile fires at once', async () => {
    const scheduler = new FakeScheduler();
    scheduler.nowMs = 300;
    const clock = new SystemClock(scheduler);
    const log: number[] = [];
    clock.schedule(40_000, 0, { fire: (nowUs) => void log.push(nowUs) });
    clock.schedule(200_000, 0, { fire: () => clock.stop() });
    const run = clock.run(200);
    await scheduler.runUntilIdle();
    await run;
    expect(log[0]).toBeGreaterThanOrEqual(100_000);
    expect(log[0]).toBeLessThan(101_000);
  });

  test('an event due earlier than the one waited for is not missed', async () => {
    const scheduler = new FakeScheduler();
    const clock = new SystemClock(scheduler);
    const log: string[] = [];
    clock.schedule(1_000_000, 0, { fire: () => clock.stop() });
    const run = clock.run();
    scheduler.after(10, () => clock.schedule(20_000, 0, logger(log, 'earlier')));
    await scheduler.runUntilIdle();
    await run;
    expect(log).toEqual(['earlier@20000']);
  });

  /** Timers as Node's are: whole milliseconds, never early, and up to 1.1 ms late. */
  class NodeLikeScheduler extends FakeScheduler {
    readonly #random = new CounterRandom(streamKey(1, 'timers'));

    override after(delayMs: number, callback: () => void): () => void {
      return super.after(Math.max(1, Math.floor(delayMs)) + 1.1 * this.#random.float(), callback);
    }

    override soon(callback: () => void): void {
      super.after(0.02, callback);
    }
  }

  // At worst an event is due just beyond the spin window of 0.3 ms: the shortest timer takes 1 ms, and is 1.1
  // ms late: 1.8 ms, and a turn of 0.02 ms. Where events are rare, the process sleeps in between; where they
  // are closer than the window, it looks for the next one all the time: 0.2 ms are 10 turns.
  test.each([
    { ratePerSec: 100, latestUs: 1_820, mostTurnsPerEvent: 20 },
    { ratePerSec: 1_000, latestUs: 1_820, mostTurnsPerEvent: 20 },
    { ratePerSec: 5_000, latestUs: 40, mostTurnsPerEvent: 12 },
  ])(
    'at $ratePerSec events a second none is later than $latestUs µs, at $mostTurnsPerEvent turns for each or fewer',
    async ({ ratePerSec, latestUs, mostTurnsPerEvent }) => {
      const scheduler = new NodeLikeScheduler();
      const clock = new SystemClock(scheduler);
      const spacingUs = 1_000_000 / ratePerSec;
      const count = 1_000;
      const lateness: number[] = [];
      // As the open loop does it: each event schedules the next.
      const event = {
        fire: (nowUs: number) => {
          lateness.push(nowUs - lateness.length * spacingUs);
          if (lateness.length === count) clock.stop();
          else clock.schedule(lateness.length * spacingUs, 0, event);
        },
      };
      clock.schedule(0, 0, event);
      const run = clock.run();
      await scheduler.runUntilIdle();
      await run;
      expect(lateness).toHaveLength(count);
      // The first event waits for the first timer; from the second on the clock is under way.
      expect(Math.min(...lateness)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...lateness.slice(2))).toBeLessThanOrEqual(latestUs);
      expect(scheduler.turns / count).toBeLessThanOrEqual(mostTurnsPerEvent);
    },
  );
});
