// Law: a pool behaves as a plain list that forgets its oldest entry when it is longer than it may be.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import { addToPool, isPoolEmpty, pool } from '../../../src/workload/pool.ts';

const seed = 20_260_105;

test('any mix of adding, taking and picking', () => {
  const action = fc.constantFrom('add', 'add', 'add', 'take', 'pick');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(action, { maxLength: 300 }), (keep, actions) => {
      const random = new CounterRandom(streamKey(1, 'pool'));
      const made = pool<number>({ keep });
      const list: number[] = [];
      for (const [step, name] of actions.entries()) {
        if (name === 'add') {
          addToPool(made, step);
          list.push(step);
          if (list.length > keep) list.shift();
        } else if (list.length === 0) {
          expect(isPoolEmpty(thrownBy(() => (name === 'take' ? made.take() : made.pick(random))))).toBe(true);
        } else if (name === 'take') {
          expect(made.take()).toBe(list.shift());
        } else {
          expect(made.pick(random.seek(step))).toBe(list[random.seek(step).int(list.length)]);
        }
      }
    }),
    { seed, numRuns: 300 },
  );
});

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
