// What a secondary index holds of an item, and how a write changes it: an entry is there only if the item has
// every key attribute of the index. Entries point at the table's entry and are projected when they are read,
// so that an index costs no copy of any attribute.
import { validationError } from '../dynamodb/api-error.ts';
import {
  type AttributeMap,
  type AttributeValue,
  attributeOf,
  attributeTypeOf,
  setAttribute,
} from '../dynamodb/attribute-value.ts';
import { indexWriteUnits } from '../dynamodb/consumed-capacity.ts';
import { heldNamesOf } from '../dynamodb/held-names.ts';
import { attributeNameBytes, valueSizeBytes } from '../dynamodb/item-size.ts';
import { MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES } from '../dynamodb/limits.ts';
import { type KeyAttribute, type KeySchema, keyAttributes, type Projection } from '../dynamodb/table-spec.ts';
import { isSameItem, isSameValue } from './same-value.ts';
import { isMultiAttribute, partitionTextOf, sortTextOf } from './table-key.ts';

/** What an index holds, apart from its entries. */
export interface IndexShape {
  readonly name: string;
  readonly keys: KeySchema;
  readonly projection: Projection;
  /** Names of the attributes that entries hold; undefined where they hold all. */
  readonly heldNames: readonly string[] | undefined;
}

/** The shape of an index on a table: its own key, the table's key, and what is projected besides. */
export function indexShape(
  { name, keys, projection }: Pick<IndexShape, 'name' | 'keys' | 'projection'>,
  tableKeys: KeySchema,
): IndexShape {
  return { name, keys, projection, heldNames: heldNamesOf({ keys, projection }, tableKeys) };
}

/** Names of the key attributes of a schema. */
export function keyNames(keys: KeySchema): readonly string[] {
  return keyAttributes(keys).map(({ name }) => name);
}

/** Where an entry stands before and after a write, and what the change costs. */
export interface IndexChange<I extends IndexShape> {
  readonly index: I;
  /** Undefined where there is no entry before (after). */
  readonly before: EntryPlace | undefined;
  readonly after: EntryPlace | undefined;
  readonly isSameKey: boolean;
  /** Write units, both places together. */
  readonly units: number;
}

export interface EntryPlace {
  readonly partition: string;
  readonly sort: string;
  readonly sizeBytes: number;
}

/** Bytes of the items before and after one write; shared by all indexes of the table. */
export interface WriteSizes {
  readonly beforeBytes: number;
  readonly afterBytes: number;
  /** Whether both items hold the same; found out once, by the first index that holds whole items. */
  isSameItem?: boolean;
}

/**
 * The change that a write makes to one index; undefined where the entry stays as it is.
 * @param before  the item before; undefined where there is none
 * @param after  the item after
 * @param sizes  bytes of both items
 */
export function indexChange<I extends IndexShape>(
  index: I,
  before: AttributeMap | undefined,
  after: AttributeMap | undefined,
  sizes: WriteSizes,
): IndexChange<I> | undefined {
  const from = before === undefined ? undefined : entryPlace(index, before, sizes.beforeBytes);
  const to = after === undefined ? undefined : entryPlace(index, after, sizes.afterBytes);
  if (from === undefined && to === undefined) return undefined;
  const isSameKey =
    from !== undefined && to !== undefined && from.partition === to.partition && from.sort === to.sort;
  // Where there are places there are items.
  const isSameEntry = isSameKey && isSameHolding(index, before as AttributeMap, after as AttributeMap, sizes);
  if (isSameEntry) return undefined;
  const units = indexWriteUnits({
    beforeBytes: from?.sizeBytes,
    afterBytes: to?.sizeBytes,
    isSameKey,
    isSameEntry,
  });
  return { index, before: from, after: to, isSameKey, units };
}

/**
 * Checks the index keys that an item has; those that it lacks keep it out of the index and are no error.
 * @throws ApiError ValidationException: wrong type, empty or too long
 */
export function checkIndexKeys(index: IndexShape, item: AttributeMap): void {
  const { partition, sort, furtherPartition, furtherSort } = index.keys;
  checkIndexKey(index, partition, item[partition.name], MAX_PARTITION_KEY_BYTES);
  for (const attribute of furtherPartition ?? noAttributes)
    checkIndexKey(index, attribute, item[attribute.name], MAX_PARTITION_KEY_BYTES);
  if (sort !== undefined) checkIndexKey(index, sort, item[sort.name], MAX_SORT_KEY_BYTES);
  for (const attribute of furtherSort ?? noAttributes)
    checkIndexKey(index, attribute, item[attribute.name], MAX_SORT_KEY_BYTES);
}

const noAttributes: readonly KeyAttribute[] = [];

/**
 * Checks that no index key is an empty text or binary, as transactions do up front.
 * @throws ApiError ValidationException
 */
export function checkNoEmptyIndexKey({ name, keys }: IndexShape, item: AttributeMap): void {
  for (const keyName of keyNames(keys)) {
    const value = item[keyName];
    if (value?.S === '' || value?.B === '')
      throw emptyIndexKey(name, keyName, value.S === '' ? 'string' : 'binary');
  }
}

/** What an index shows of an item. */
export function heldItem({ heldNames }: IndexShape, item: AttributeMap): AttributeMap {
  if (heldNames === undefined) return item;
  const held: { [name: string]: AttributeValue } = {};
  for (const name of heldNames) {
    const value = attributeOf(item, name);
    if (value !== undefined) setAttribute(held, name, value);
  }
  return held;
}

function entryPlace(index: IndexShape, item: AttributeMap, itemBytes: number): EntryPlace | undefined {
  const { keys } = index;
  if (item[keys.partition.name] === undefined) return undefined;
  if (keys.sort !== undefined && item[keys.sort.name] === undefined) return undefined;
  if (isMultiAttribute(keys) && !keyAttributes(keys).every(({ name }) => item[name] !== undefined))
    return undefined;
  return {
    partition: partitionTextOf(item, keys),
    sort: sortTextOf(item, keys),
    sizeBytes: index.heldNames === undefined ? itemBytes : heldBytes(index.heldNames, item),
  };
}

function heldBytes(heldNames: readonly string[], item: AttributeMap): number {
  let sizeBytes = 0;
  for (const name of heldNames) {
    const value = attributeOf(item, name);
    if (value !== undefined) sizeBytes += attributeNameBytes(name) + valueSizeBytes(value);
  }
  return sizeBytes;
}

function isSameHolding(
  { heldNames }: IndexShape,
  before: AttributeMap,
  after: AttributeMap,
  sizes: WriteSizes,
): boolean {
  if (before === after) return true;
  if (heldNames === undefined) {
    sizes.isSameItem ??= sizes.beforeBytes === sizes.afterBytes && isSameItem(before, after);
    return sizes.isSameItem;
  }
  return heldNames.every((name) => isSameValue(attributeOf(before, name), attributeOf(after, name)));
}

function checkIndexKey(
  { name: indexName }: IndexShape,
  { name, type }: KeyAttribute,
  value: AttributeValue | undefined,
  maxBytes: number,
): void {
  if (value === undefined) return;
  if (value[type] === undefined)
    throw validationError(
      `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${type} ` +
        `Actual: ${attributeTypeOf(value)} IndexName: ${indexName}`,
    );
  if (type === 'N') return;
  const sizeBytes = valueSizeBytes(value);
  if (sizeBytes === 0) throw emptyIndexKey(indexName, name, type === 'S' ? 'string' : 'binary');
  if (sizeBytes > maxBytes)
    throw validationError(
      `One or more parameter values were invalid: Size of ${maxBytes === MAX_PARTITION_KEY_BYTES ? 'hashkey' : 'rangekey'} ` +
        `has exceeded the maximum size limit of${maxBytes} bytes`,
    );
}

function emptyIndexKey(indexName: string, keyName: string, kind: 'string' | 'binary'): Error {
  return validationError(
    'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
      `The AttributeValue for a key attribute cannot contain an empty ${kind} value. ` +
      `IndexName: ${indexName}, IndexKey: ${keyName}`,
  );
}
