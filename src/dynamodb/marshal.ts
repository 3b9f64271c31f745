// From JavaScript values, as scenarios write them, to DynamoDB's wire form and back. The way there lies on
// the path of every operation. Input is `unknown`: scenarios in plain JavaScript have no compiler behind
// them. What they are told of a value that has no wire form is unstorable-value.ts.
import { type AttributeMap, type AttributeValue, setAttribute } from './attribute-value.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { MAX_NESTING_LEVELS } from './limits.ts';
import { canonicalNumber, numberProblem } from './number.ts';
import { numberFix, tooDeep, unsupported, whyNotPlain } from './unstorable-value.ts';

type MutableMap = { [name: string]: AttributeValue };

/** A value as scenarios write it and read it. */
export type NativeValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | { readonly fillerBytes: number }
  | ReadonlySet<string>
  | ReadonlySet<number | bigint>
  | ReadonlySet<Uint8Array>
  | readonly NativeValue[]
  | { readonly [name: string]: NativeValue };

/** An item as scenarios read it. */
export interface NativeItem {
  readonly [name: string]: NativeValue;
}

/**
 * An item in wire form; undefined members are left out.
 * @throws DynoLoadError OPERATION_INVALID naming the path of a value that DynamoDB cannot hold
 */
export function marshalItem(item: unknown): AttributeMap {
  if (!isPlainObject(item)) throw unsupported('', item, 'an item is a plain object');
  return marshalMembers(item, '', 1);
}

/**
 * One value in wire form: string → S, number and bigint → N, boolean → BOOL, null → NULL, Uint8Array → B, Set
 * → SS, NS or BS, array → L, plain object → M; `{ fillerBytes: n }` stays what it is.
 * @param path  where the value stands, for errors
 * @throws DynoLoadError OPERATION_INVALID
 */
export function marshalValue(value: unknown, path = ''): AttributeValue {
  return marshalNested(value, path, 1);
}

/** @param level  1 for a value right in the item, one more in each map or list around it */
function marshalNested(value: unknown, path: string, level: number): AttributeValue {
  if (level > MAX_NESTING_LEVELS) throw tooDeep(value, path);
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: numberText(value, path) };
    case 'boolean':
      return { BOOL: value };
    case 'bigint':
      return { N: bigintText(value, path) };
    case 'object':
      return value === null ? { NULL: true } : marshalObject(value, path, level);
    case 'undefined':
    case 'function':
    case 'symbol':
      throw unsupported(path, value, `DynamoDB has no type for ${typeof value}`);
  }
}

/** An item as scenarios read it. */
export function unmarshalItem(item: AttributeMap): NativeItem {
  return unmarshalMembers(item);
}

/**
 * One value as scenarios read it. A number becomes a JavaScript number where that keeps every digit, else a
 * bigint where it is whole, else the nearest JavaScript number: fractions beyond 17 digits are rounded, since
 * no native type holds them.
 */
export function unmarshalValue(value: AttributeValue): NativeValue {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return nativeNumber(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.M !== undefined) return unmarshalMembers(value.M);
  if (value.L !== undefined) return value.L.map(unmarshalValue);
  if (value.B !== undefined) return nativeBinary(value.B);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(nativeNumber));
  if (value.BS !== undefined) return new Set(value.BS.map(nativeBinary));
  return { fillerBytes: value.fillerBytes ?? 0 };
}

/** @param level  of the members */
function marshalMembers(members: object, path: string, level: number): AttributeMap {
  const map: MutableMap = {};
  for (const name in members) {
    // Any object may be read by its own names.
    const member = (members as { readonly [name: string]: unknown })[name];
    if (member === undefined) continue;
    // Strings, most values of a workload, take the shortest way; a place in the item is only spelled out
    // where it may be needed.
    const value =
      typeof member === 'string'
        ? { S: member }
        : marshalNested(member, path === '' ? name : `${path}.${name}`, level);
    if (name === '__proto__') setAttribute(map, name, value);
    else map[name] = value;
  }
  return map;
}

function marshalObject(value: object, path: string, level: number): AttributeValue {
  const fillerBytes = fillerBytesOf(value);
  if (fillerBytes !== undefined) return marshalFiller(fillerBytes, path);
  if (Array.isArray(value)) {
    return { L: value.map((element, index) => marshalNested(element, `${path}[${index}]`, level + 1)) };
  }
  if (value instanceof Uint8Array) return { B: encodeBase64(value) };
  if (value instanceof Set) return marshalSet(value, path);
  if (isPlainObject(value)) {
    return { M: marshalMembers(value, path, level + 1) };
  }
  throw unsupported(path, value, whyNotPlain(value));
}

/**
 * The filler made last. Most workloads have fillers of one size, and values never change, so that all items share it:
 * a simulated table holds each item until the end.
 */
let lastFiller: { readonly fillerBytes: number } = { fillerBytes: 0 };

function marshalFiller(fillerBytes: number, path: string): AttributeValue {
  if (fillerBytes === lastFiller.fillerBytes) return lastFiller;
  if (Number.isSafeInteger(fillerBytes) && fillerBytes >= 0) {
    lastFiller = { fillerBytes };
    return lastFiller;
  }
  throw unsupported(path, fillerBytes, 'a filler has a whole number of bytes, zero or more');
}

/** The length where an object is a filler, that is, has this one member. */
function fillerBytesOf(value: { readonly fillerBytes?: unknown }): number | undefined {
  const { fillerBytes } = value;
  if (typeof fillerBytes !== 'number') return undefined;
  for (const name in value) if (name !== 'fillerBytes') return undefined;
  return fillerBytes;
}

function marshalSet(set: ReadonlySet<unknown>, path: string): AttributeValue {
  const members = [...set];
  if (members.length === 0) throw unsupported(path, set, 'DynamoDB has no empty sets');
  if (members.every((member) => typeof member === 'string')) return { SS: members };
  if (members.every((member) => member instanceof Uint8Array)) return { BS: members.map(encodeBase64) };
  if (!members.every((member) => typeof member === 'number' || typeof member === 'bigint'))
    throw unsupported(path, set, 'the members of a set are all strings, all numbers or all Uint8Arrays');
  return {
    NS: members.map((member) =>
      typeof member === 'number' ? numberText(member, path) : bigintText(member, path),
    ),
  };
}

function numberText(value: number, path: string): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) throw unsupported(path, value, 'DynamoDB has no such number', numberFix);
  return checkedNumber(String(value), path);
}

function bigintText(value: bigint, path: string): string {
  return checkedNumber(value.toString(), path);
}

function checkedNumber(text: string, path: string): string {
  const problem = numberProblem(text);
  if (problem === undefined) return canonicalNumber(text);
  throw unsupported(path, text, problem, numberFix);
}

function nativeNumber(text: string): number | bigint {
  const near = Number(text);
  const exact = canonicalNumber(text);
  if (canonicalText(near) === exact) return near;
  return exact.includes('.') ? near : BigInt(exact);
}

function canonicalText(value: number): string | undefined {
  const text = String(value);
  return numberProblem(text) === undefined ? canonicalNumber(text) : undefined;
}

function nativeBinary(text: string): Uint8Array {
  return decodeBase64(text) ?? new Uint8Array();
}

function unmarshalMembers(map: AttributeMap): NativeItem {
  const members: { [name: string]: NativeValue } = {};
  for (const name in map) setAttribute(members, name, unmarshalValue(map[name] as AttributeValue));
  return members;
}

/**
 * Objects of another realm (a scenario loaded in its own context) count as plain: their prototype has no
 * prototype either.
 */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
