// Aim: number arithmetic and order are exact. Method: random decimals against bigint arithmetic on a common
// scale.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberSizeBytes } from '../../../src/dynamodb/item-size.ts';
import {
  addNumbers,
  canonicalNumber,
  compareNumbers,
  decimalParts,
  subtractNumbers,
} from '../../../src/dynamodb/number.ts';

const seed = 20_260_111;

const SCALE = 20;

/** A decimal of up to 15 digits with its point moved, beside its value × 10^20 as a bigint. */
const decimal = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
    fc.integer({ min: -SCALE, max: 5 }),
    fc.boolean(),
  )
  .map(([digits, exponent, hasExponent]) => ({
    text: hasExponent ? `${digits}e${exponent}` : canonicalNumber(`${digits}e${exponent}`),
    scaled: digits * 10n ** BigInt(exponent + SCALE),
  }));

function scaledText(scaled: bigint): string {
  return canonicalNumber(`${scaled}e-${SCALE}`);
}

test('sums and differences are those of the scaled integers', () => {
  fc.assert(
    fc.property(decimal, decimal, (left, right) => {
      expect(addNumbers(left.text, right.text)).toBe(scaledText(left.scaled + right.scaled));
      expect(subtractNumbers(left.text, right.text)).toBe(scaledText(left.scaled - right.scaled));
    }),
    { seed },
  );
});

test('order is that of the scaled integers', () => {
  fc.assert(
    fc.property(decimal, decimal, (left, right) => {
      const expected = left.scaled < right.scaled ? -1 : left.scaled > right.scaled ? 1 : 0;
      expect(Math.sign(compareNumbers(left.text, right.text))).toBe(expected);
    }),
    { seed },
  );
});

test('the canonical text is its own canonical text, and equal to what it came from', () => {
  fc.assert(
    fc.property(decimal, ({ text }) => {
      const canonical = canonicalNumber(text);
      expect(canonicalNumber(canonical)).toBe(canonical);
      expect(compareNumbers(canonical, text)).toBe(0);
    }),
    { seed },
  );
});

test('the size of a number never falls below the rule that counts digits apart on both sides of the point', () => {
  fc.assert(
    fc.property(decimal, ({ text }) => {
      const parts = decimalParts(text);
      if (parts === undefined || parts.digits === '') return;
      const fraction = Math.min(parts.digits.length, Math.max(0, -parts.exponent));
      const whole = parts.digits.length - fraction;
      const counted = 1 + Math.ceil(whole / 2) + Math.ceil(fraction / 2) + (parts.isNegative ? 1 : 0);
      const sizeBytes = numberSizeBytes(text);
      expect(sizeBytes).toBeGreaterThanOrEqual(counted);
      expect(sizeBytes).toBeLessThanOrEqual(counted + 1);
    }),
    { seed },
  );
});
