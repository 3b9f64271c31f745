// Aim: our HMAC is the one of node:crypto. Method: the same generated keys and texts for both, several texts
// for each key.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyedHash } from '../../../src/http/keyed-hash.ts';

test('gives what createHmac gives, text after text', () => {
  const key = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 512 });
  fc.assert(
    fc.property(key, fc.array(text, { minLength: 1, maxLength: 4 }), (bytes, texts) => {
      const keyed = new KeyedHash(bytes);
      for (const each of texts)
        expect(keyed.hex(each)).toBe(createHmac('sha256', bytes).update(each).digest('hex'));
    }),
    { seed: 5, numRuns: 300 },
  );
});
