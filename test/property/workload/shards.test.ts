// Laws of shards: count different keys, each chosen one among them, calculated suffixes the same each time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import { shards } from '../../../src/workload/shards.ts';

const seed = 20_260_106;

test('what writers choose is what readers ask for', () => {
  const options = fc.record(
    {
      separator: fc.constantFrom('#', '.', ''),
      firstSuffix: fc.integer({ min: 0, max: 9 }),
      width: fc.integer({ min: 0, max: 5 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.integer({ min: 1, max: 50 }),
      options,
      fc.string({ unit: 'binary' }),
      fc.nat(),
      (base, count, form, value, sequence) => {
        const made = shards(base, count, form);
        expect(new Set(made.keys).size).toBe(count);
        expect(made.keys.every((key) => key.startsWith(base))).toBe(true);
        expect(made.keys).toContain(made.random(new CounterRandom(streamKey(1, 'shards')).seek(sequence)));
        expect(made.keys).toContain(made.of(value));
        expect(shards(base, count, { ...form }).of(value)).toBe(made.of(value));
      },
    ),
    { seed },
  );
});
