// Random attribute values and items in wire form, for property tests. Strings hold any Unicode; sets have no
// repeated members.
import fc from 'fast-check';
import type { AttributeMap, AttributeValue } from '../../src/dynamodb/attribute-value.ts';
import { encodeBase64 } from '../../src/dynamodb/base64.ts';

const base64 = fc.uint8Array({ maxLength: 12 }).map(encodeBase64);
const numberText = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }).map(String),
  fc.integer({ min: -99_999, max: 99_999 }).map((hundredths) => String(hundredths / 100)),
);

/** Attribute names, awkward ones among them. */
const attributeName = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'größe', '__proto__', 'constructor'),
  fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }),
);

const { value } = fc.letrec<{ value: AttributeValue; map: AttributeMap }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ S: fc.string({ maxLength: 12, unit: 'grapheme' }) }),
    fc.record({ N: numberText }),
    fc.record({ B: base64 }),
    fc.record({ BOOL: fc.boolean() }),
    fc.constant<AttributeValue>({ NULL: true }),
    fc.record({ SS: fc.uniqueArray(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 4 }) }),
    fc.record({ NS: fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 4 }) }),
    fc.record({ BS: fc.uniqueArray(base64, { minLength: 1, maxLength: 4 }) }),
    fc.record({ L: fc.array(tie('value'), { maxLength: 4 }) }),
    fc.record({ M: tie('map') }),
  ),
  map: fc.dictionary(attributeName, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

/** A value of any type, nested up to three deep. */
export const attributeValue: fc.Arbitrary<AttributeValue> = value;

/** An item of up to six attributes. */
export const attributeMap: fc.Arbitrary<AttributeMap> = fc.dictionary(attributeName, value, {
  maxKeys: 6,
  noNullPrototype: true,
});
