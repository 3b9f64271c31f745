// Aim: writer and reader agree on the keys of a sharded value, now and in later releases.
// Method: keys written out; the default hash against values computed from its published description.
import { describe, expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import { hashShardValue, shards } from '../../../src/workload/shards.ts';
import { chiSquare } from '../../support/goodness-of-fit.ts';

describe('keys', () => {
  test.each([
    { name: 'one shard is the base alone', made: shards('S', 1), keys: ['S'] },
    { name: 'suffixes count from 0', made: shards('S', 3), keys: ['S#0', 'S#1', 'S#2'] },
    { name: 'or from another number', made: shards('S', 2, { firstSuffix: 1 }), keys: ['S#1', 'S#2'] },
    { name: 'with another separator', made: shards('S', 2, { separator: '.' }), keys: ['S.0', 'S.1'] },
    {
      name: 'filled with zeros',
      made: shards('S', 2, { width: 3, firstSuffix: 9 }),
      keys: ['S#009', 'S#010'],
    },
    { name: 'one shard has no suffix whatever the options', made: shards('S', 1, { width: 3 }), keys: ['S'] },
  ])('$name', ({ made, keys }) => {
    expect(made.keys).toEqual(keys);
  });

  test('equal calls give the same object, other calls another', () => {
    expect(shards('A', 4)).toBe(shards('A', 4));
    expect(shards('A', 4, { width: 2 })).toBe(shards('A', 4, { width: 2 }));
    expect(shards('A', 4)).not.toBe(shards('A', 5));
    expect(shards('A', 4)).not.toBe(shards('A', 4, { width: 2 }));
    expect(shards('A', 4)).not.toBe(shards('B', 4));
  });

  test('bases without end, and hashes made anew for each call, do no harm', () => {
    for (let call = 0; call < 5_000; call++) {
      expect(shards(`TENANT#${call}`, 2).keys[1]).toBe(`TENANT#${call}#1`);
      expect(shards('S', 7, { hash: () => call }).of('x')).toBe(`S#${call % 7}`);
    }
  });
});

describe('random', () => {
  test.each([1, 2, 16])('draws once with %d shards', (count) => {
    const random = new CounterRandom(streamKey(1, 's')).seek(3);
    shards('S', count).random(random);
    const once = new CounterRandom(streamKey(1, 's')).seek(3);
    once.float();
    expect(random.float()).toBe(once.float());
  });

  test('all shards get their part', () => {
    const random = new CounterRandom(streamKey(2, 's'));
    const made = shards('S', 10);
    const seen = new Array<number>(10).fill(0);
    for (let sequence = 0; sequence < 50_000; sequence++)
      (seen[made.keys.indexOf(made.random(random.seek(sequence)))] as number)++;
    const { statistic, limit } = chiSquare(seen, new Array<number>(10).fill(5_000));
    expect(statistic).toBeLessThan(limit);
  });
});

describe('of', () => {
  test('a value always has the same shard, and numbers are their text', () => {
    const made = shards('S', 10);
    expect(made.of('ORDER#1')).toBe(made.of('ORDER#1'));
    expect(made.of(42)).toBe(made.of('42'));
    expect(made.keys).toContain(made.of('anything'));
  });

  test('one shard takes every value', () => {
    expect(shards('S', 1).of('x')).toBe('S');
  });

  test.each([
    { name: 'numbered ids', value: (index: number) => `ORDER#${index}` },
    { name: 'plain numbers', value: (index: number) => index },
    { name: 'zero-padded numbers', value: (index: number) => String(index).padStart(12, '0') },
    { name: 'ids that differ at the front', value: (index: number) => `${index}-customer-of-the-shop` },
  ])('$name spread evenly', ({ value }) => {
    for (const count of [2, 5, 10, 16]) {
      const made = shards('S', count);
      const places = new Map(made.keys.map((key, index) => [key, index]));
      const seen = new Array<number>(count).fill(0);
      for (let index = 0; index < 20_000; index++)
        (seen[places.get(made.of(value(index))) as number] as number)++;
      const { statistic, limit } = chiSquare(seen, new Array<number>(count).fill(20_000 / count));
      expect(statistic).toBeLessThan(limit);
    }
  });

  test.each([
    { hash: 7, key: 'S#1' },
    { hash: -1, key: 'S#2' },
    { hash: -3, key: 'S#0' },
  ])('a hash of $hash by three shards is $key', ({ hash, key }) => {
    expect(shards('S', 3, { hash: () => hash }).of('x')).toBe(key);
  });

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY])('a hash of %d is refused', (hash) => {
    expect(() => shards('S', 3, { hash: () => hash }).of('x')).toThrow('SCENARIO_INVALID');
  });
});

describe('hashShardValue', () => {
  // Never change these: keys that users have stored were chosen by them.
  test.each([
    { value: '', hash: 2_872_998_923 },
    { value: 'a', hash: 444_641_715 },
    { value: 'ORDER#1', hash: 388_557_692 },
    { value: 'ORDER#2', hash: 1_120_571_542 },
    { value: '12345', hash: 1_900_009_723 },
    { value: 'é', hash: 2_387_039_943 },
    { value: '日本', hash: 4_026_831_135 },
    { value: '🙂', hash: 1_074_728_266 },
  ])('$value has $hash', ({ value, hash }) => {
    expect(hashShardValue(value)).toBe(hash);
  });

  test('text beyond ASCII is hashed as its UTF-8 bytes', () => {
    for (const value of ['é', '€', '𝄞', 'naïve – 日本語 🙂', 'lone \ud800 surrogate', 'end \udc00'])
      expect(hashShardValue(value)).toBe(hashOfBytes(new TextEncoder().encode(value)));
  });
});

/** The description of the hash, written over bytes with big integers. */
function hashOfBytes(bytes: Uint8Array): number {
  const word = (value: bigint) => value & 0xffff_ffffn;
  let hash = 2_166_136_261n;
  for (const byte of bytes) hash = word((hash ^ BigInt(byte)) * 16_777_619n);
  hash = word((hash ^ (hash >> 16n)) * 0x85eb_ca6bn);
  hash = word((hash ^ (hash >> 13n)) * 0xc2b2_ae35n);
  return Number(hash ^ (hash >> 16n));
}

test.each([
  { name: 'no shards', make: () => shards('S', 0) },
  { name: 'half a shard', make: () => shards('S', 1.5) },
  { name: 'more shards than can be meant', make: () => shards('S', 1e9) },
  { name: 'an empty base', make: () => shards('', 3) },
  { name: 'a negative first suffix', make: () => shards('S', 3, { firstSuffix: -1 }) },
])('$name are refused', ({ make }) => {
  expect(make).toThrow('SCENARIO_INVALID');
});
