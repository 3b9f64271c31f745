// Sort keys as texts whose order under `<` is DynamoDB's order, worked out once per entry: comparing decimals
// or UTF-8 anew at each step of a binary search was most of the cost of an insert. Strings without characters
// beyond the surrogates, nearly all of them, stay as they are.
import type { AttributeValue } from '../dynamodb/attribute-value.ts';
import { decodeBase64 } from '../dynamodb/base64.ts';
import { decimalParts } from '../dynamodb/number.ts';

/**
 * The text under which a scalar sorts among scalars of its type: strings by UTF-8 bytes, numbers by value,
 * binary by bytes.
 */
export function sortText(value: AttributeValue): string {
  if (value.S !== undefined) return textOfString(value.S);
  if (value.N !== undefined) return textOfNumber(value.N);
  return String.fromCharCode(...(decodeBase64(value.B ?? '') ?? []));
}

/**
 * One sort text for several values, whose order is that of the first, then of the second, and so on. Each
 * value ends with a mark that sorts before all that could follow within the value; the zero that the mark is
 * made of is itself followed by a one where it is part of a value.
 */
export function joinedSortText(values: readonly AttributeValue[]): string {
  let text = '';
  for (const value of values) text += beginningOfSortText(sortText(value)) + END_OF_VALUE;
  return text;
}

/** What all joined texts begin with whose value at this place begins with `text`. */
export function beginningOfSortText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\0\u0001') : text;
}

const END_OF_VALUE = '\0\0';

/**
 * The least text that stands after every text with this prefix.
 * @returns undefined where no text does
 */
export function afterPrefix(prefix: string): string | undefined {
  for (let length = prefix.length; length > 0; length--) {
    const unit = prefix.charCodeAt(length - 1);
    if (unit < 0xffff) return prefix.slice(0, length - 1) + String.fromCharCode(unit + 1);
  }
  return undefined;
}

const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;
const SURROGATE_COUNT = AFTER_SURROGATES - FIRST_SURROGATE;

function textOfString(text: string): string {
  for (let index = 0; index < text.length; index++)
    if (text.charCodeAt(index) >= FIRST_SURROGATE) return reordered(text);
  return text;
}

/**
 * UTF-8 puts what surrogate pairs stand for last; moving them above U+FFFF's place gives UTF-16 units the
 * same order.
 */
function reordered(text: string): string {
  let result = '';
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < FIRST_SURROGATE) result += String.fromCharCode(unit);
    else if (unit < AFTER_SURROGATES) result += String.fromCharCode(unit + 0x10000 - AFTER_SURROGATES);
    else result += String.fromCharCode(unit - SURROGATE_COUNT);
  }
  return result;
}

/** Keeps the power of ten, which lies in −130 … 125, positive and of three digits. */
const MAGNITUDE_OFFSET = 500;

/**
 * Sign, magnitude, digits. For negative numbers magnitude and digits count downwards, and an end mark above
 * all digits keeps
 * −1.5 before −1, as a longer run of digits is further from zero.
 */
function textOfNumber(text: string): string {
  const parts = decimalParts(text);
  if (parts === undefined || parts.digits === '') return 'b';
  const magnitude = parts.digits.length - 1 + parts.exponent;
  if (!parts.isNegative) return `c${MAGNITUDE_OFFSET + magnitude}${parts.digits}`;
  let complement = '';
  for (let index = 0; index < parts.digits.length; index++)
    complement += String.fromCharCode(105 - parts.digits.charCodeAt(index));
  return `a${MAGNITUDE_OFFSET - magnitude}${complement}~`;
}
