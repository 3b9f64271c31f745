// Aim: an index is charged for the change of its entry, and holds what its projection says. Method: the rows
// of the table of index write costs (GSI.html#GSI.ThroughputConsiderations.Writes, and the capture that
// identical entries are free), each by hand.
import { describe, expect, test } from 'vitest';
import type { AttributeMap } from '../../../src/dynamodb/attribute-value.ts';
import { itemSizeBytes } from '../../../src/dynamodb/item-size.ts';
import type { Projection } from '../../../src/dynamodb/table-spec.ts';
import { checkIndexKeys, heldItem, indexChange, indexShape } from '../../../src/simulator/index-entries.ts';
import { ordersTable, statusIndex } from '../../support/simulated-orders.ts';

function shape(projection: Projection) {
  return indexShape({ name: 'GSI1', keys: statusIndex.keys, projection }, ordersTable.keys);
}

const all = shape({ kind: 'ALL' });
const keysOnly = shape({ kind: 'KEYS_ONLY' });
const key = { PK: { S: 'c' }, SK: { N: '1' } };

function item(status: string | undefined, bytes = 100, more: AttributeMap = {}): AttributeMap {
  const indexed = status === undefined ? {} : { status: { S: status }, date: { S: '2026-01-01' } };
  return { ...key, ...indexed, body: { fillerBytes: bytes }, ...more };
}

function unitsOfChange(
  index: typeof all,
  before: AttributeMap | undefined,
  after: AttributeMap | undefined,
): number | undefined {
  const sizes = {
    beforeBytes: before === undefined ? 0 : itemSizeBytes(before),
    afterBytes: after === undefined ? 0 : itemSizeBytes(after),
  };
  return indexChange(index, before, after, sizes)?.units;
}

describe('index write units', () => {
  test.each<[string, AttributeMap | undefined, AttributeMap | undefined, number | undefined]>([
    ['nothing before and after', undefined, undefined, undefined],
    ['an item without the index key', undefined, item(undefined), undefined],
    ['an entry that comes', undefined, item('open', 1_500), 2],
    ['an entry that goes with its item', item('open', 1_500), undefined, 2],
    ['an entry that goes because its key is removed', item('open', 1_500), item(undefined), 2],
    ['an entry rewritten as it was', item('open', 1_500), item('open', 1_500), undefined],
    ['an entry that grows: the larger of both', item('open', 100), item('open', 2_500), 3],
    ['an entry that shrinks: the larger of both', item('open', 2_500), item('open', 100), 3],
    ['a key that moves: both entries, each rounded', item('open', 1_500), item('done', 100), 3],
  ])('of %s', (_, before, after, units) => {
    expect(unitsOfChange(all, before, after)).toBe(units);
  });

  test('of a narrow index are free for attributes that it does not hold', () => {
    expect(unitsOfChange(keysOnly, item('open', 100), item('open', 9_000))).toBeUndefined();
    expect(unitsOfChange(keysOnly, undefined, item('open', 9_000))).toBe(1);
  });

  test('see no change where only the order of set members changed', () => {
    const before = item('open', 10, { tags: { SS: ['a', 'b'] } });
    expect(unitsOfChange(all, before, item('open', 10, { tags: { SS: ['b', 'a'] } }))).toBeUndefined();
    expect(unitsOfChange(all, before, item('open', 10, { tags: { SS: ['b', 'c'] } }))).toBe(1);
  });

  test('see a change where the order of list elements changed', () => {
    const before = item('open', 10, { steps: { L: [{ S: 'a' }, { S: 'b' }] } });
    expect(unitsOfChange(all, before, item('open', 10, { steps: { L: [{ S: 'b' }, { S: 'a' }] } }))).toBe(1);
  });
});

describe('what an index shows', () => {
  const whole = item('open', 10, { note: { S: 'n' }, extra: { S: 'e' } });

  test.each<[string, Projection, readonly string[]]>([
    ['ALL: the whole item', { kind: 'ALL' }, ['PK', 'SK', 'body', 'date', 'extra', 'note', 'status']],
    ['KEYS_ONLY: both keys', { kind: 'KEYS_ONLY' }, ['PK', 'SK', 'date', 'status']],
    [
      'INCLUDE: both keys and what is listed',
      { kind: 'INCLUDE', attributes: ['note', 'absent'] },
      ['PK', 'SK', 'date', 'note', 'status'],
    ],
  ])('%s', (_, projection, names) => {
    expect(Object.keys(heldItem(shape(projection), whole)).toSorted()).toEqual(names);
  });

  test('under ALL is the stored item itself, not a copy', () => {
    expect(heldItem(all, whole)).toBe(whole);
  });
});

test.each<[string, AttributeMap, string]>([
  [
    'of the wrong type',
    { status: { N: '1' } },
    'Type mismatch for Index Key status Expected: S Actual: N IndexName: GSI1',
  ],
  [
    'that is empty',
    { date: { S: '' } },
    'cannot contain an empty string value. IndexName: GSI1, IndexKey: date',
  ],
  ['that is too long', { status: { S: 'x'.repeat(2_049) } }, 'exceeded the maximum size limit of2048 bytes'],
])('an index key %s is refused', (_, attributes, message) => {
  expect(() => checkIndexKeys(all, { ...key, ...attributes })).toThrow(message);
});

test('indexes that hold whole items compare them once for all', () => {
  let reads = 0;
  const counted = (): AttributeMap => ({
    ...item('open'),
    get more() {
      reads++;
      return { S: 'x' };
    },
  });
  const [before, after] = [counted(), counted()];
  const sizes = { beforeBytes: itemSizeBytes(before), afterBytes: itemSizeBytes(after) };
  reads = 0;
  for (let count = 0; count < 20; count++) expect(indexChange(all, before, after, sizes)).toBeUndefined();
  expect(reads).toBe(2);
});
