// Aim: units as DynamoDB charges and reports them. Method: the published examples as rows, arithmetic in the
// row's name.
import { describe, expect, test } from 'vitest';
import {
  type ConsumedCapacity,
  indexWriteUnits,
  mergeConsumed,
  type ReadConsistency,
  readUnits,
  tableWriteUnits,
  totalUnits,
  toWireConsumedCapacity,
  writeUnits,
} from '../../../src/dynamodb/consumed-capacity.ts';

test.each([
  [0, 1],
  [1, 1],
  [1024, 1],
  [1025, 2],
  [3584, 4],
  [409_600, 400],
])('%i bytes written take %i units', (sizeBytes, units) => {
  expect(writeUnits(sizeBytes)).toBe(units);
});

test.each<[number, ReadConsistency, number]>([
  [0, 'eventual', 0.5],
  [0, 'strong', 1],
  [0, 'transactional', 2],
  [4096, 'strong', 1],
  [4097, 'strong', 2],
  [41_779, 'strong', 11],
  [41_779, 'eventual', 5.5],
  [1536, 'transactional', 2],
])('%i bytes read %s take %d units', (sizeBytes, consistency, units) => {
  expect(readUnits(sizeBytes, consistency)).toBe(units);
});

test.each([
  ['a new item by its size', undefined, 2000, 2],
  ['a replaced item by the larger of the two', 3072, 100, 3],
  ['a grown item by the larger of the two', 100, 3072, 3],
  ['a deleted item by its size', 2500, undefined, 3],
  ['an absent item by the minimum', undefined, undefined, 1],
] as const)('tableWriteUnits counts %s', (_, before, after, units) => {
  expect(tableWriteUnits(before, after)).toBe(units);
});

test.each([
  ['no entry before or after: nothing', undefined, undefined, false, false, 0],
  ['a new entry: its size', undefined, 1500, false, false, 2],
  ['an entry that goes: its size', 2500, undefined, false, false, 3],
  ['an entry that stays as it was: nothing', 2500, 2500, true, true, 0],
  ['an entry that changes in place: the larger', 2500, 100, true, false, 3],
  ['an entry whose key moves: both, each rounded on its own', 2355, 2355, false, false, 6],
] as const)('indexWriteUnits counts for %s', (_, beforeBytes, afterBytes, isSameKey, isSameEntry, units) => {
  expect(indexWriteUnits({ beforeBytes, afterBytes, isSameKey, isSameEntry })).toBe(units);
});

const write: ConsumedCapacity = {
  tableName: 't',
  table: { readUnits: 0, writeUnits: 2 },
  localIndexes: { l1: { readUnits: 0, writeUnits: 1 } },
  globalIndexes: { g1: { readUnits: 0, writeUnits: 3 } },
};
const read: ConsumedCapacity = { tableName: 't', table: { readUnits: 0.5, writeUnits: 0 } };

describe('sums', () => {
  test('totalUnits folds indexes in', () => {
    expect(totalUnits([write, read])).toEqual({ readUnits: 0.5, writeUnits: 6 });
  });

  test('mergeConsumed has one entry per table, arm by arm', () => {
    const other = { ...read, tableName: 'u' };
    const second = {
      ...write,
      globalIndexes: { g1: { readUnits: 0, writeUnits: 1 }, g2: { readUnits: 1, writeUnits: 0 } },
    };
    expect(mergeConsumed([write, other, second, read])).toEqual([
      {
        tableName: 't',
        table: { readUnits: 0.5, writeUnits: 4 },
        localIndexes: { l1: { readUnits: 0, writeUnits: 2 } },
        globalIndexes: { g1: { readUnits: 0, writeUnits: 4 }, g2: { readUnits: 1, writeUnits: 0 } },
      },
      other,
    ]);
  });

  test('mergeConsumed of nothing is nothing', () => {
    expect(mergeConsumed([])).toEqual([]);
  });
});

test('an index named as what every object inherits has units of its own', () => {
  const arms = (name: string): ConsumedCapacity[] => [
    {
      tableName: 't',
      table: { readUnits: 0, writeUnits: 1 },
      globalIndexes: { [name]: { readUnits: 0, writeUnits: 1 } },
    },
  ];
  const [merged] = mergeConsumed([...arms('constructor'), ...arms('toString')]);
  expect(merged?.globalIndexes).toEqual({
    constructor: { readUnits: 0, writeUnits: 1 },
    toString: { readUnits: 0, writeUnits: 1 },
  });
});

describe('toWireConsumedCapacity', () => {
  const plain = { isTransactional: false };

  test.each([undefined, 'NONE'] as const)('says nothing at %s', (mode) => {
    expect(toWireConsumedCapacity(write, mode, plain)).toBeUndefined();
  });

  test('gives one sum at TOTAL', () => {
    expect(toWireConsumedCapacity(write, 'TOTAL', plain)).toEqual({ TableName: 't', CapacityUnits: 6 });
  });

  test('gives every charged arm at INDEXES', () => {
    expect(toWireConsumedCapacity(write, 'INDEXES', plain)).toEqual({
      TableName: 't',
      CapacityUnits: 6,
      Table: { CapacityUnits: 2 },
      LocalSecondaryIndexes: { l1: { CapacityUnits: 1 } },
      GlobalSecondaryIndexes: { g1: { CapacityUnits: 3 } },
    });
  });

  test('leaves index maps out where no index was charged', () => {
    expect(toWireConsumedCapacity(read, 'INDEXES', plain)).toEqual({
      TableName: 't',
      CapacityUnits: 0.5,
      Table: { CapacityUnits: 0.5 },
    });
  });

  test('says reads and writes apart in transactions only', () => {
    expect(toWireConsumedCapacity(write, 'INDEXES', { isTransactional: true })).toEqual({
      TableName: 't',
      CapacityUnits: 6,
      WriteCapacityUnits: 6,
      Table: { CapacityUnits: 2, WriteCapacityUnits: 2 },
      LocalSecondaryIndexes: { l1: { CapacityUnits: 1, WriteCapacityUnits: 1 } },
      GlobalSecondaryIndexes: { g1: { CapacityUnits: 3, WriteCapacityUnits: 3 } },
    });
    expect(toWireConsumedCapacity(read, 'TOTAL', { isTransactional: true })).toEqual({
      TableName: 't',
      CapacityUnits: 0.5,
      ReadCapacityUnits: 0.5,
    });
  });
});
