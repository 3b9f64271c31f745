// Aim: a preloaded item is the same whenever it is made again, and follows seed, name and start.
// Method: items that show what their generator was given.
import { describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import { latest, sequential } from '../../../src/workload/distribution.ts';
import { bindPreload, isPreload, preload } from '../../../src/workload/preload.ts';

const makeItems = (count = 1_000) =>
  preload({ count, item: ({ index, random, nowIso }) => ({ PK: `P#${index}`, n: random.int(1e9), nowIso }) });

const binding = { name: 'stock', seed: 7, startsAtMs: Date.UTC(2026, 5, 1) };

describe('at', () => {
  test('gives the same item every time, in any order', () => {
    const items = makeItems();
    const first = items.at(5);
    items.at(900);
    expect(items.at(5)).toEqual(first);
    expect(items.at(6).n).not.toBe(first.n);
  });

  test('draws from the stream of seed and name, at the place of the index', () => {
    const items = makeItems();
    bindPreload(items, binding);
    const n = new CounterRandom(streamKey(7, 'preload:stock')).seek(42).int(1e9);
    expect(items.at(42)).toEqual({ PK: 'P#42', n, nowIso: '2026-06-01T00:00:00.000Z' });
  });

  test('works before a scenario is planned', () => {
    const n = new CounterRandom(streamKey(1, 'preload:')).seek(0).int(1e9);
    expect(makeItems().at(0)).toEqual({ PK: 'P#0', n, nowIso: '2026-01-01T00:00:00.000Z' });
  });

  test.each([
    { name: 'other seed', other: { ...binding, seed: 8 } },
    { name: 'other name', other: { ...binding, name: 'customers' } },
  ])('an $name makes other items', ({ other }) => {
    const [one, two] = [makeItems(), makeItems()];
    bindPreload(one, binding);
    bindPreload(two, other);
    expect(one.at(3).n).not.toBe(two.at(3).n);
  });

  test('an item may be made out of another one of the same preload', () => {
    const items = preload({
      count: 10,
      item: ({ index, random }): { parent: number; n: number } => {
        const parent = index === 0 ? 0 : items.at(index - 1).n;
        return { parent, n: random.int(1e9) };
      },
    });
    expect(items.at(3).parent).toBe(items.at(2).n);
    expect(items.at(3).n).toBe(new CounterRandom(streamKey(1, 'preload:')).seek(3).int(1e9));
  });

  test('a generator that throws leaves the preload usable', () => {
    let mustThrow = true;
    const items = preload({
      count: 2,
      item: ({ random }) => {
        if (mustThrow) throw new Error('mine');
        return { n: random.int(1e9) };
      },
    });
    expect(() => items.at(0)).toThrow('mine');
    mustThrow = false;
    expect(items.at(0)).toEqual(items.at(0));
  });

  test.each([-1, 10, 0.5, Number.NaN])('there is no item %d of 10', (index) => {
    expect(() => makeItems(10).at(index)).toThrow('SCENARIO_INVALID');
  });
});

describe('pick', () => {
  const random = new CounterRandom(streamKey(1, 'w'));

  test('is an item of the preload and uses one draw', () => {
    const items = makeItems(10);
    const picked = items.pick(random.seek(4));
    const next = random.float();
    expect(picked).toEqual(items.at(Number(picked.PK.slice(2))));
    random.seek(4).float();
    expect(random.float()).toBe(next);
  });

  test('follows a distribution', () => {
    expect(makeItems(10).pick(random.seek(13), sequential()).PK).toBe('P#3');
    expect(makeItems(1).pick(random.seek(13), latest()).PK).toBe('P#0');
  });

  test('from nothing is an error that says so', () => {
    expect(() => makeItems(0).pick(random)).toThrow('item 0 of a preload with 0 items');
  });
});

test('table and count are told', () => {
  expect(preload({ table: 'main', count: 3, item: () => ({}) })).toMatchObject({ table: 'main', count: 3 });
  expect(makeItems().table).toBeUndefined();
});

test.each([-1, 1.5, Number.NaN])('a count of %d is refused', (count) => {
  expect(() => makeItems(count)).toThrow('SCENARIO_INVALID');
});

test('preloads are recognised among other data', () => {
  expect(isPreload(makeItems())).toBe(true);
  for (const other of [null, undefined, 5, {}, { count: 3, at: () => ({}) }])
    expect(isPreload(other)).toBe(false);
});
