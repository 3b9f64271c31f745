// Aim: what reads cost, rule by rule as "DynamoDB read and write operations" and captures have them (PartiQL
// has a file of its own). Method: items of exact sizes and one request; the names of the rows are the rules.
import { describe, expect, test } from 'vitest';
import {
  costOf,
  costs,
  count,
  inState,
  item,
  KB,
  key,
  partition,
  send,
} from '../../../support/priced-requests.ts';
import { attributes } from '../../../support/simulated-orders.ts';

const strong = { ConsistentRead: true };
/** Ten items of 4,178 bytes: 41,780 bytes, 40.8 KB. */
const tenItems = count(10, (index) => item({ s: `s${index}` }, 4_178));

describe('1.2 reads', () => {
  costs([
    [
      'GetItem pays for each started 4 KB, half of it eventually',
      [item({}, 4 * KB)],
      'GetItem',
      { Key: key() },
      { t: 0.5 },
    ],
    ['GetItem of one byte more pays for two', [item({}, 4 * KB + 1)], 'GetItem', { Key: key() }, { t: 1 }],
    [
      'GetItem strongly consistent pays twice as much',
      [item({}, 4 * KB + 1)],
      'GetItem',
      { Key: key(), ...strong },
      { t: 2 },
    ],
    [
      'GetItem pays for the whole item whatever is projected',
      [item({}, 9 * KB)],
      'GetItem',
      { Key: key(), ProjectionExpression: 's' },
      { t: 1.5 },
    ],
    ['GetItem of an absent item costs 0.5 eventually', [], 'GetItem', { Key: key() }, { t: 0.5 }],
    [
      'GetItem of an absent item costs 1 strongly consistent',
      [],
      'GetItem',
      { Key: key(), ...strong },
      { t: 1 },
    ],
    // 1.5 KB → 4 KB, 6.5 KB → 8 KB: 3 units strongly.
    [
      'BatchGetItem rounds each key on its own',
      [item({}, 1.5 * KB), item({ s: 'b' }, 6.5 * KB)],
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key(), key('b')], ...strong } } },
      { t: 3 },
    ],
    [
      'BatchGetItem pays 0.5 for each absent key',
      [],
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key(), key('b')] } } },
      { t: 1 },
    ],
    [
      'BatchGetItem pays 1 for each absent key strongly consistent',
      [],
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key(), key('b')], ...strong } } },
      { t: 2 },
    ],
    [
      'BatchGetItem sums tables apart',
      [item({}, 5 * KB)],
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key()] }, u: { Keys: [key()] } } },
      { t: 1, u: 0.5 },
    ],
    [
      'TransactGetItems pays two for each started 4 KB',
      [item({}, 4 * KB + 1)],
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 't', Key: key() } }] },
      { t: 4 },
    ],
    [
      'TransactGetItems pays 2 for an absent item',
      [],
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 't', Key: key() } }] },
      { t: 2 },
    ],
    [
      'TransactGetItems rounds each item on its own',
      [item({}, KB), item({ s: 'b' }, KB)],
      'TransactGetItems',
      { TransactItems: ['s', 'b'].map((s) => ({ Get: { TableName: 't', Key: key(s) } })) },
      { t: 4 },
    ],
    // 41,780 bytes → 44 KB: 11 strongly.
    ['Query sums the bytes it evaluates and rounds once', tenItems, 'Query', partition, { t: 5.5 }],
    [
      'Query strongly consistent pays twice as much',
      tenItems,
      'Query',
      { ...partition, ...strong },
      { t: 11 },
    ],
    [
      'Query pays for what its filter leaves out',
      tenItems,
      'Query',
      { ...partition, FilterExpression: 'attribute_exists(absent)' },
      { t: 5.5 },
    ],
    [
      'Query pays for what its projection leaves out',
      tenItems,
      'Query',
      { ...partition, ProjectionExpression: 's' },
      { t: 5.5 },
    ],
    [
      'Query that counts pays for the items',
      tenItems,
      'Query',
      { ...partition, Select: 'COUNT' },
      { t: 5.5 },
    ],
    [
      'Query with a Limit pays for the items up to it',
      tenItems,
      'Query',
      { ...partition, Limit: 2 },
      { t: 1.5 },
    ],
    ['Query of nothing costs 0.5 eventually', [], 'Query', partition, { t: 0.5 }],
    ['Query of nothing costs 1 strongly consistent', [], 'Query', { ...partition, ...strong }, { t: 1 }],
    ['Scan sums the bytes it evaluates and rounds once', tenItems, 'Scan', {}, { t: 5.5 }],
    [
      'Scan pays for what its filter leaves out',
      tenItems,
      'Scan',
      { FilterExpression: 'attribute_exists(absent)' },
      { t: 5.5 },
    ],
    ['Scan that counts pays for the items', tenItems, 'Scan', { Select: 'COUNT' }, { t: 5.5 }],
    ['Scan of nothing costs at least 0.5', [], 'Scan', {}, { t: 0.5 }],
    // Entries of the narrow index hold p, s, city and note: far below 4 KB, whatever the items weigh.
    [
      'Query of a global index pays for its entries, on the arm of the index',
      [item({ city: 'x', note: 'n' }, 30 * KB)],
      'Query',
      {
        IndexName: 'narrow',
        KeyConditionExpression: 'city = :c',
        ExpressionAttributeValues: attributes({ ':c': 'x' }),
      },
      { t: 0, narrow: 0.5 },
    ],
    [
      'Scan of a global index pays for its entries, on the arm of the index',
      [item({ state: 'open', at: '1' }, 30 * KB)],
      'Scan',
      { IndexName: 'wide' },
      { t: 0, wide: 4 },
    ],
    ['Query of a global index that holds nothing costs 0.5', [], 'Query', inState, { t: 0, wide: 0.5 }],
    [
      'Query of a local index that holds what is asked for pays for its entries, on the arm of the index',
      [item({ rank: '1' }, 9 * KB)],
      'Query',
      { IndexName: 'localWide', ...partition },
      { t: 0, localWide: 1.5 },
    ],
    // Three items of 9 KB: 3 × 1.5 on the table, besides the entries.
    [
      'Query of a local index that has to fetch pays for each item rounded on its own besides',
      count(3, (index) => item({ s: `s${index}`, mark: 'm' }, 9 * KB)),
      'Query',
      { IndexName: 'localKeys', ...partition, Select: 'ALL_ATTRIBUTES' },
      { t: 4.5, localKeys: 0.5 },
    ],
    [
      'Query of a local index that has to fetch pays twice as much strongly consistent',
      count(3, (index) => item({ s: `s${index}`, mark: 'm' }, 9 * KB)),
      'Query',
      { IndexName: 'localKeys', ...partition, Select: 'ALL_ATTRIBUTES', ...strong },
      { t: 9, localKeys: 1 },
    ],
    // 4 entries → one block of 4 KB, and 4 items of 300 bytes → a block each: 20 KB.
    [
      'Query of a local index fetches small items at 4 KB each',
      count(4, (index) => item({ s: `s${index}`, mark: 'm' }, 300)),
      'Query',
      { IndexName: 'localKeys', ...partition, ProjectionExpression: 'body', ...strong },
      { t: 4, localKeys: 1 },
    ],
    [
      'Query of a local index for its keys alone fetches nothing',
      count(3, (index) => item({ s: `s${index}`, mark: 'm' }, 9 * KB)),
      'Query',
      { IndexName: 'localKeys', ...partition, ProjectionExpression: 'mark' },
      { t: 0, localKeys: 0.5 },
    ],
  ]);
});

test('1.2 a global index is not read strongly consistent', () => {
  expect(send([], 'Query', { ...inState, ...strong })).toMatchObject({
    kind: 'failed',
    code: 'ValidationException',
  });
});

test('1.2 each segment of a parallel scan pays its own rounding', () => {
  const stored = count(8, (index) => ({ ...item({}, KB), p: { S: `p${index}` } }));
  const of = (Segment: number) => costOf(send(stored, 'Scan', { Segment, TotalSegments: 2 })).t ?? 0;
  // Some of eight items of 1 KB each: 0.5 to 1 a segment, where one scan of 8 KB pays 1.
  expect(of(0)).toBeGreaterThanOrEqual(0.5);
  expect(of(1)).toBeGreaterThanOrEqual(0.5);
  expect(of(0) + of(1)).toBeGreaterThanOrEqual(costOf(send(stored, 'Scan', {})).t ?? 0);
});

test('1.2 a page of 1 MB costs some 128 eventually and is followed by another', () => {
  const outcome = send(
    count(30, (index) => item({ s: `s${String(index).padStart(2, '0')}` }, 40_960)),
    'Query',
    partition,
  );
  // 26 items of 40 KB are the first to reach 1 MB: 1,040 KB → 260 blocks.
  expect(costOf(outcome)).toEqual({ t: 130 });
  expect(outcome).toMatchObject({ output: { ScannedCount: 26, LastEvaluatedKey: key('s25') } });
});
