// Bytes of an item as DynamoDB counts them for capacity and for the 400 KB limit. The 100 bytes of storage
// overhead per item are no part of it.
// @see "DynamoDB item sizes and formats",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html, read
//   2026-11-30
import type { AttributeMap, AttributeValue } from './attribute-value.ts';
import { decimalParts } from './number.ts';

/** Bytes of a whole item: for each attribute its name in UTF-8 and its value. */
export function itemSizeBytes(item: AttributeMap): number {
  let sizeBytes = 0;
  for (const name in item)
    sizeBytes += attributeNameBytes(name) + valueSizeBytes(item[name] as AttributeValue);
  return sizeBytes;
}

/**
 * Bytes of one value, its name excluded. Sets cost the sum of their members; lists and maps cost 3, plus 1
 * for each member. A filler costs what a string of its length costs.
 */
export function valueSizeBytes(value: AttributeValue): number {
  if (value.S !== undefined) return utf8Bytes(value.S);
  if (value.N !== undefined) return numberSizeBytes(value.N);
  if (value.fillerBytes !== undefined) return value.fillerBytes;
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  if (value.M !== undefined) return mapSizeBytes(value.M);
  if (value.L !== undefined) return listSizeBytes(value.L);
  if (value.B !== undefined) return base64Bytes(value.B);
  if (value.SS !== undefined) return sumOf(value.SS, utf8Bytes);
  if (value.NS !== undefined) return sumOf(value.NS, numberSizeBytes);
  if (value.BS !== undefined) return sumOf(value.BS, base64Bytes);
  return 0;
}

/**
 * Bytes of a number: one, plus one for each pair of digits from the first to the last pair that is not zero,
 * plus one for a minus sign; zero costs 1. Pairs are aligned on the decimal point. The guide's rule (half a
 * byte per significant digit, plus one) contradicts measurements; a second rule that fits them (pairs counted
 * apart on both sides of the point) gives one byte less for numbers such as 120 or 0.015, and the larger
 * figure is taken.
 *
 * @param text  a valid number in any notation
 * @see `nubo-db/dynoxide CHANGELOG.md` #187 and `architect/dynalite db/index.js`, read 2026-11-30
 */
export function numberSizeBytes(text: string): number {
  const length = text.length;
  let digitCount = 0;
  let last = 0;
  for (; digitCount < length; digitCount++) {
    const code = text.charCodeAt(digitCount);
    if (code < 48 || code > 57) return decimalSizeBytes(text);
    if (code !== 48) last = digitCount;
  }
  if (length === 0 || text.charCodeAt(0) === 48) return decimalSizeBytes(text);
  return 2 + ((length - 1) >> 1) - ((length - 1 - last) >> 1);
}

/** Bytes of a text in UTF-8; a lone surrogate counts 3, as its replacement character does. */
export function utf8Bytes(text: string): number {
  const length = text.length;
  for (let index = 0; index < length; index++)
    if (text.charCodeAt(index) > 0x7f) return index + wideBytes(text, index);
  return length;
}

/** Bytes that a base64 text stands for. */
export function base64Bytes(text: string): number {
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === 61) length--;
  return Math.floor((length * 3) / 4);
}

/** Names recur in every item, so their sizes are kept; the bound guards against data used as names. */
const MAX_KEPT_NAMES = 4_096;
const keptNames = new Map<string, number>();

/** Bytes of an attribute name in UTF-8. */
export function attributeNameBytes(name: string): number {
  const kept = keptNames.get(name);
  if (kept !== undefined) return kept;
  const sizeBytes = utf8Bytes(name);
  if (keptNames.size < MAX_KEPT_NAMES) keptNames.set(name, sizeBytes);
  return sizeBytes;
}

function wideBytes(text: string, from: number): number {
  let sizeBytes = 0;
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) sizeBytes += 1;
    else if (code < 0x800) sizeBytes += 2;
    else if (isPair(code, text.charCodeAt(index + 1))) {
      sizeBytes += 4;
      index++;
    } else sizeBytes += 3;
  }
  return sizeBytes;
}

function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}

function decimalSizeBytes(text: string): number {
  const parts = decimalParts(text);
  if (parts === undefined || parts.digits === '') return 1;
  const firstPair = Math.floor((parts.exponent + parts.digits.length - 1) / 2);
  const lastPair = Math.floor(parts.exponent / 2);
  return 2 + firstPair - lastPair + (parts.isNegative ? 1 : 0);
}

function listSizeBytes(list: readonly AttributeValue[]): number {
  let sizeBytes = 3 + list.length;
  for (const element of list) sizeBytes += valueSizeBytes(element);
  return sizeBytes;
}

function mapSizeBytes(map: AttributeMap): number {
  let sizeBytes = 3;
  for (const name in map)
    sizeBytes += 1 + attributeNameBytes(name) + valueSizeBytes(map[name] as AttributeValue);
  return sizeBytes;
}

function sumOf(members: readonly string[], sizeOf: (member: string) => number): number {
  let sizeBytes = 0;
  for (const member of members) sizeBytes += sizeOf(member);
  return sizeBytes;
}
