// Aim: a pool gives back what was acknowledged, the newest of it, and says when there is nothing.
// Method: rings of three entries, filled, emptied and overrun by hand.
import { describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import { hotspot, latest, sequential } from '../../../src/workload/distribution.ts';
import { addToPool, isPool, isPoolEmpty, PoolEmpty, pool } from '../../../src/workload/pool.ts';

const random = new CounterRandom(streamKey(1, 'pool'));

function poolOf(keep: number, ...entries: number[]) {
  const made = pool<number>({ keep });
  for (const entry of entries) addToPool(made, entry);
  return made;
}

describe('take', () => {
  test('oldest first, each once', () => {
    const made = poolOf(3, 1, 2, 3);
    expect([made.take(), made.take(), made.take()]).toEqual([1, 2, 3]);
    expect(() => made.take()).toThrow(PoolEmpty);
  });

  test('only the newest are kept', () => {
    const made = poolOf(3, 1, 2, 3, 4, 5);
    expect([made.take(), made.take(), made.take()]).toEqual([3, 4, 5]);
  });

  test('what is added after something was taken comes last', () => {
    const made = poolOf(3, 1, 2, 3);
    made.take();
    addToPool(made, 4);
    addToPool(made, 5);
    expect([made.take(), made.take(), made.take()]).toEqual([3, 4, 5]);
  });

  test('order holds while the ring grows', () => {
    const made = pool<number>();
    const taken: number[] = [];
    for (let entry = 0; entry < 1_000; entry++) {
      addToPool(made, entry);
      if (entry % 3 === 0) taken.push(made.take());
    }
    expect(taken).toEqual(taken.map((_, index) => index));
  });
});

describe('pick', () => {
  test('leaves the entry where it is', () => {
    const made = poolOf(3, 7);
    expect([made.pick(random), made.pick(random), made.take()]).toEqual([7, 7, 7]);
  });

  test('counts from the oldest', () => {
    const made = poolOf(3, 1, 2, 3, 4);
    const picked = [0, 1, 2].map((sequence) => made.pick(random.seek(sequence), sequential()));
    expect(picked).toEqual([2, 3, 4]);
    expect(made.pick(random, hotspot({ share: 1, of: 0.1 }))).toBe(2);
  });

  test('latest prefers the newest', () => {
    const made = poolOf(100, ...Array.from({ length: 100 }, (_, index) => index));
    const seen = new Array<number>(100).fill(0);
    for (let sequence = 0; sequence < 5_000; sequence++)
      (seen[made.pick(random.seek(sequence), latest())] as number)++;
    expect(Math.max(...seen)).toBe(seen[99]);
  });

  test('an entry may be undefined', () => {
    const made = pool<undefined>();
    addToPool(made, undefined);
    expect(made.pick(random)).toBeUndefined();
    expect(made.take()).toBeUndefined();
    expect(() => made.take()).toThrow(PoolEmpty);
  });
});

describe('an empty pool', () => {
  function thrownBy(action: () => unknown): unknown {
    try {
      return action();
    } catch (error) {
      return error;
    }
  }

  test.each([
    { name: 'pick', action: () => pool().pick(random) },
    { name: 'take', action: () => pool().take() },
  ])('$name throws what isPoolEmpty knows', ({ action }) => {
    expect(isPoolEmpty(thrownBy(action))).toBe(true);
  });

  test('is recognised from another copy of the module', () => {
    expect(isPoolEmpty({ [Symbol.for('dyno-load.pool.empty')]: true })).toBe(true);
  });

  test.each([null, undefined, 'empty', new Error('other'), {}])('%s is something else', (error) => {
    expect(isPoolEmpty(error)).toBe(false);
  });
});

test.each([0, -1, 1.5, Number.NaN])('a pool that keeps %d is refused', (keep) => {
  expect(() => pool({ keep })).toThrow('SCENARIO_INVALID');
});

test('pools are recognised among other data', () => {
  expect(isPool(pool())).toBe(true);
  for (const other of [null, 5, {}, { take: () => 1 }]) expect(isPool(other)).toBe(false);
});
