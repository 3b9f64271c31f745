// Aim: how many bytes an item counts, and how many it may. Method: an item that a value brings to a whole KB costs one
// unit less than with one byte more.
import { describe, expect, test } from 'vitest';
import type { AttributeMap, AttributeValue } from '../../../../src/dynamodb/attribute-value.ts';
import { itemSizeBytes } from '../../../../src/dynamodb/item-size.ts';
import type { DataApi } from '../../../../src/dynamodb/operation.ts';
import { capturedNumberSizes } from '../../../support/captured-number-sizes.ts';
import { costOf, item, KB, key, put, Put, send, set, transact } from '../../../support/priced-requests.ts';
import { attributes } from '../../../support/simulated-orders.ts';

describe('1.7 item sizes', () => {
  // The put of an item that the value brings to 1,024 bytes costs 1, and of one byte more 2.
  const rows: readonly (readonly [rule: string, value: AttributeValue, bytes: number])[] = [
    ['a string counts its bytes in UTF-8', { S: 'aü😀' }, 7],
    ['an empty string counts 0', { S: '' }, 0],
    ['binary counts its bytes, not its base64 text', { B: 'AQID' }, 3],
    ['a flag counts 1', { BOOL: true }, 1],
    ['null counts 1', { NULL: true }, 1],
    ['a set counts its members and nothing else', { SS: ['a', 'bc'] }, 3],
    ['a set of numbers counts each number', { NS: ['1', '1234'] }, 5],
    ['an empty list counts 3', { L: [] }, 3],
    ['a list counts 3, and 1 for each element besides', { L: [{ S: 'ab' }, { NULL: true }] }, 8],
    ['an empty map counts 3', { M: {} }, 3],
    ['a map counts 3, and 1 for each member besides name and value', { M: { ab: { S: 'c' } } }, 7],
    ...capturedNumberSizes.map(([N, bytes]) => [`the number ${N} counts ${bytes}`, { N }, bytes] as const),
  ];

  test.each(rows)('%s', (_, value, bytes) => {
    const without = item({ v: '' }, KB - bytes);
    expect(costOf(send([], 'PutItem', { Item: { ...without, v: value } }))).toEqual({ t: 1 });
    const more = item({ v: '' }, KB - bytes + 1);
    expect(costOf(send([], 'PutItem', { Item: { ...more, v: value } }))).toEqual({ t: 2 });
  });

  test('names count their bytes in UTF-8', () => {
    const bare = item({}, KB - 'ü'.length - 1 - 1);
    expect(costOf(send([], 'PutItem', { Item: { ...bare, ü: { S: 'x' } } }))).toEqual({ t: 1 });
    expect(costOf(send([], 'PutItem', { Item: { ...bare, ü: { S: 'xx' } } }))).toEqual({ t: 2 });
  });

  test.each<[string, DataApi, (of: AttributeMap) => object]>([
    ['PutItem', 'PutItem', (Item) => ({ Item })],
    ['BatchWriteItem', 'BatchWriteItem', (of) => ({ RequestItems: { t: [put(of)] } })],
    ['a transaction', 'TransactWriteItems', (of) => transact(Put(of))],
  ])('%s takes an item of 400 KB, and not a byte more', (_, api, input) => {
    expect(send([], api, input(item({}, 409_600))).kind).toBe('ok');
    expect(send([], api, input(item({}, 409_601)))).toMatchObject({ code: 'ValidationException' });
  });

  test('UpdateItem counts 3 and 19 for each value it writes against the 400 KB, and the key not', () => {
    // The key p = p, s = s counts 4: with one value written, 409,600 − 3 − 19 + 4 is the largest item.
    const largest = 409_600 - 3 - 19 + 4;
    const fits = (bytes: number) => {
      const value = 'x'.repeat(bytes - itemSizeBytes(attributes({ p: 'p', s: 's', body: '' })));
      return send([], 'UpdateItem', { Key: key(), ...set({ body: value }) }).kind;
    };
    expect(fits(largest)).toBe('ok');
    expect(fits(largest + 1)).toBe('failed');
  });

  test('a transacted update that grows too large is a reason of its action', () => {
    const grown = { Update: { TableName: 't', Key: key(), ...set({ body: 'x'.repeat(409_600) }) } };
    expect(send([], 'TransactWriteItems', transact(grown))).toMatchObject({
      code: 'TransactionCanceledException',
      cancellationReasons: [{ Code: 'ValidationError' }],
    });
  });
});
