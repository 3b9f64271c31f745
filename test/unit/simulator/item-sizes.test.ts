// Aim: texts that look alike when they are put together, or have one hash, are different keys; long keys fill pages.
// Method: keys by hand.
import { describe, expect, test } from 'vitest';
import { hashText } from '../../../src/prng.ts';
import { ItemSizes } from '../../../src/simulator/item-sizes.ts';

/** Two texts of one hash; among 2^17 texts there are two, as hashes have 32 bits. */
function textsOfOneHash(): readonly [string, string] {
  const byHash = new Map<number, string>();
  for (let number = 0; number < 2 ** 19; number++) {
    const text = `text-${number}`;
    const hash = hashText(text, hashText('p', 0));
    const other = byHash.get(hash);
    if (other !== undefined) return [other, text];
    byHash.set(hash, text);
  }
  throw new Error('no two texts have one hash');
}

describe('sizes by key', () => {
  test.each([
    ['that join to the same text', ['ab', 'c'], ['a', 'bc']],
    ['of which one has no sort key', ['ab', ''], ['', 'ab']],
    ['that differ in their last bits alone', ['p', '\u0081'], ['p', '\u0101']],
    ['of one hash', ...textsOfOneHash().map((sort) => ['p', sort])],
  ] as [string, [string, string], [string, string]][])('tell keys apart %s', (_, first, second) => {
    const sizes = new ItemSizes();
    sizes.add(...first, 1);
    expect(sizes.find(...second)).toBe(-1);
    sizes.add(...second, 2);
    expect(sizes.bytesOf(sizes.find(...first))).toBe(1);
    expect(sizes.bytesOf(sizes.find(...second))).toBe(2);
  });

  test('hold keys of the greatest length, over many pages', () => {
    const sizes = new ItemSizes();
    const keyOf = (number: number) => ['\uffff'.repeat(2_048), `${number}`.padStart(1_024, 'é')] as const;
    for (let number = 0; number < 300; number++) sizes.add(...keyOf(number), number + 1);
    for (let number = 0; number < 300; number++)
      expect(sizes.bytesOf(sizes.find(...keyOf(number)))).toBe(number + 1);
    expect(sizes.find(...keyOf(300))).toBe(-1);
  });
});
