// Aim: random numbers depend on (seed, stream, sequence, draw) and on nothing else, and look uniform.
// Method: rows for each promise; counts in bins against the binomial spread at a fixed seed.
import { describe, expect, test } from 'vitest';
import { CounterRandom, hashText, streamKey } from '../../src/prng.ts';

function drawsAt(seed: number, name: string, sequence: number, count = 5): number[] {
  const random = new CounterRandom(streamKey(seed, name)).seek(sequence);
  return Array.from({ length: count }, () => random.float());
}

describe('random numbers by place', () => {
  test('the same place gives the same numbers, whatever was drawn before', () => {
    const random = new CounterRandom(streamKey(1, 'placeOrder'));
    for (let sequence = 0; sequence < 100; sequence++) random.seek(sequence).float();
    random.seek(7);
    expect([random.float(), random.float()]).toEqual(drawsAt(1, 'placeOrder', 7, 2));
  });

  test.each([
    ['another seed', drawsAt(2, 'placeOrder', 7)],
    ['another stream', drawsAt(1, 'readOrder', 7)],
    ['another sequence', drawsAt(1, 'placeOrder', 8)],
    ['a sequence that differs only above 32 bits', drawsAt(1, 'placeOrder', 7 + 2 ** 32)],
    ['a seed that differs only above 32 bits', drawsAt(1 + 2 ** 32, 'placeOrder', 7)],
  ])('%s gives other numbers', (_, draws) => {
    expect(draws).not.toEqual(drawsAt(1, 'placeOrder', 7));
  });

  test('an offset opens draws that the operation itself does not reach', () => {
    const random = new CounterRandom(streamKey(1, 'a'));
    random.seek(3, 5);
    expect(random.float()).toBe(drawsAt(1, 'a', 3, 6)[5]);
  });

  test('a choice takes one draw however many there are to choose from', () => {
    const random = new CounterRandom(streamKey(1, 'a'));
    const afterChoice = (count: number) => {
      random.seek(1).int(count);
      return random.float();
    };
    expect(new Set([1, 2, 7, 1_000_000].map(afterChoice)).size).toBe(1);
  });
});

describe('distribution', () => {
  test.each([
    ['over sequences', (index: number) => drawsAt(1, 'u', index, 1)[0] as number],
    ['over draws', (index: number) => new CounterRandom(streamKey(1, 'u')).seek(0, index).float()],
    ['over seeds', (index: number) => drawsAt(index, 'u', 0, 1)[0] as number],
  ])('numbers are uniform %s', (_, draw) => {
    const bins = new Array<number>(10).fill(0);
    for (let index = 0; index < 20_000; index++) (bins[Math.floor(draw(index) * 10)] as number)++;
    // Each bin expects 2,000 with a standard deviation of 42; five of them make a false alarm once in a million.
    for (const count of bins) expect(Math.abs(count - 2_000)).toBeLessThan(5 * 42.4);
  });

  test('the next draw does not follow from the last', () => {
    let above = 0;
    for (let sequence = 0; sequence < 10_000; sequence++) {
      const [first, second] = drawsAt(1, 'pairs', sequence, 2) as [number, number];
      if (second > first) above++;
    }
    expect(Math.abs(above - 5_000)).toBeLessThan(250);
  });

  test('a stream of identifiers has none twice', () => {
    const random = new CounterRandom(streamKey(1, 'ids'));
    const identifiers = new Set<string>();
    for (let sequence = 0; sequence < 50_000; sequence++) identifiers.add(random.seek(sequence).uuid());
    expect(identifiers.size).toBe(50_000);
  });
});

test('a uuid is of version 4 and variant 1', () => {
  expect(new CounterRandom(streamKey(1, 'u')).uuid()).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test.each([1, 5, 12])('an identifier has the length asked for: %i', (length) => {
  expect(new CounterRandom(streamKey(1, 'u')).id(length)).toMatch(new RegExp(`^[0-9a-z]{${length}}$`));
});

test('picking from nothing is an error', () => {
  expect(() => new CounterRandom(streamKey(1, 'u')).pick([])).toThrow(RangeError);
});

test('a text hash tells apart texts that differ in one character or in length', () => {
  const texts = ['', 'a', 'b', 'aa', 'STATUS#PENDING', 'STATUS#PENDING#1', 'STATUS#PENDING#2', 'é', 'ए'];
  expect(new Set(texts.map((text) => hashText(text, 1))).size).toBe(texts.length);
});

test.each([0, -1, Number.NaN])('int(%s) has nothing to choose from and says so', (belowExclusive) => {
  const random = new CounterRandom(streamKey(1, 'placeOrder'));
  expect(() => random.int(belowExclusive)).toThrow(/^random\.int\(.+\) has no number to choose from$/);
});
