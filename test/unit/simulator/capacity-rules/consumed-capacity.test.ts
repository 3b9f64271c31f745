// Aim: what an answer tells of the units it cost, API by API. Method: one request, read as the bytes of its answer.
import { describe, expect, test } from 'vitest';
import type { AttributeMap } from '../../../../src/dynamodb/attribute-value.ts';
import type { DataApi, Request } from '../../../../src/dynamodb/operation.ts';
import { dataAnswer } from '../../../../src/serve/data-answer.ts';
import {
  Check,
  databaseOf,
  entry,
  inState,
  isNew,
  item,
  KB,
  key,
  partition,
  put,
  Put,
  table,
  transact,
} from '../../../support/priced-requests.ts';
import { OrdersDatabase } from '../../../support/simulated-orders.ts';

describe('2 ConsumedCapacity', () => {
  /** The body of the answer. */
  function answered(
    stored: readonly AttributeMap[],
    api: DataApi,
    input: object,
  ): { readonly ConsumedCapacity?: unknown } {
    const named = {
      ...(api.includes('Batch') || api.includes('Transact') ? {} : { TableName: 't' }),
      ...input,
    };
    const request = { api, input: named } as Request; // As in `send`.
    const { body } = dataAnswer(request, databaseOf(stored).database.handle(request, 1));
    return JSON.parse(body) as { readonly ConsumedCapacity?: unknown };
  }
  const INDEXES = { ReturnConsumedCapacity: 'INDEXES' } as const;
  const TOTAL = { ReturnConsumedCapacity: 'TOTAL' } as const;
  const moved = { Item: item({ state: 'done', at: '1' }, KB) };
  const stored = [item(entry, KB)];

  test.each<[string, DataApi, object, unknown]>([
    ['is left out where it is not asked for', 'GetItem', { Key: key() }, undefined],
    ['is left out at NONE', 'GetItem', { Key: key(), ReturnConsumedCapacity: 'NONE' }, undefined],
    [
      'at TOTAL is one sum with index units folded in',
      'PutItem',
      { ...moved, ...TOTAL },
      { TableName: 't', CapacityUnits: 3 },
    ],
    [
      'at INDEXES tells the table, and the indexes that were charged',
      'PutItem',
      { ...moved, ...INDEXES },
      {
        TableName: 't',
        CapacityUnits: 3,
        Table: { CapacityUnits: 1 },
        GlobalSecondaryIndexes: { wide: { CapacityUnits: 2 } },
      },
    ],
    [
      'at INDEXES tells the table alone where no index was charged',
      'PutItem',
      { Item: item(entry, KB), ...INDEXES },
      { TableName: 't', CapacityUnits: 1, Table: { CapacityUnits: 1 } },
    ],
    [
      'of a read of a global index has 0 on the table',
      'Query',
      { ...inState, ...INDEXES },
      {
        TableName: 't',
        CapacityUnits: 0.5,
        Table: { CapacityUnits: 0 },
        GlobalSecondaryIndexes: { wide: { CapacityUnits: 0.5 } },
      },
    ],
    [
      'of a read of a local index has 0 on the table',
      'Query',
      { ...partition, IndexName: 'localKeys', ...INDEXES },
      {
        TableName: 't',
        CapacityUnits: 0.5,
        Table: { CapacityUnits: 0 },
        LocalSecondaryIndexes: { localKeys: { CapacityUnits: 0.5 } },
      },
    ],
    [
      'of a batch is a list by table',
      'BatchGetItem',
      { RequestItems: { t: { Keys: [key()] } }, ...TOTAL },
      [{ TableName: 't', CapacityUnits: 0.5 }],
    ],
    [
      'of a batch of writes is a list by table',
      'BatchWriteItem',
      { RequestItems: { t: [put(item({ s: 'b' }, KB))] }, ...TOTAL },
      [{ TableName: 't', CapacityUnits: 1 }],
    ],
    [
      'of a transaction tells write units apart, at the top, on the table and on each index',
      'TransactWriteItems',
      { ...transact(Put(moved.Item)), ...INDEXES },
      [
        {
          TableName: 't',
          CapacityUnits: 4,
          WriteCapacityUnits: 4,
          Table: { CapacityUnits: 2, WriteCapacityUnits: 2 },
          GlobalSecondaryIndexes: { wide: { CapacityUnits: 2, WriteCapacityUnits: 2 } },
        },
      ],
    ],
    [
      'of a read transaction tells read units apart',
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 't', Key: key() } }], ...TOTAL },
      [{ TableName: 't', CapacityUnits: 2, ReadCapacityUnits: 2 }],
    ],
    ['is in no failed condition', 'PutItem', { ...moved, ...isNew, ...INDEXES }, undefined],
    ['is in no validation error', 'GetItem', { Key: {}, ...INDEXES }, undefined],
    [
      'is in no cancelled transaction',
      'TransactWriteItems',
      { ...transact(Check('absent')), ...INDEXES },
      undefined,
    ],
  ])('%s', (_, api, input, consumed) => {
    expect(answered(stored, api, input).ConsumedCapacity).toEqual(consumed);
  });

  test('of a repeated transaction tells read units, though it is a write', () => {
    const db = databaseOf([]);
    const input = { ...transact(Put(item({}, KB))), ClientRequestToken: 'once', ...TOTAL } as const;
    db.send('TransactWriteItems', input);
    const outcome = db.send('TransactWriteItems', input);
    const { body } = dataAnswer({ api: 'TransactWriteItems', input }, outcome);
    expect(JSON.parse(body)).toEqual({
      ConsumedCapacity: [{ TableName: 't', CapacityUnits: 2, ReadCapacityUnits: 2 }],
    });
  });

  test('of a batch that was served in part tells that part, and a throttled request tells nothing', () => {
    const poor = { ...table, billing: { mode: 'provisioned', readUnits: 1, writeUnits: 1 } } as const;
    const db = new OrdersDatabase({ tables: [{ ...poor, globalIndexes: [], localIndexes: [] }], stepUs: 0 });
    const input = {
      RequestItems: { t: [put(item({}, 3 * KB)), put(item({ s: 'b' }, KB))] },
      ReturnConsumedCapacity: 'TOTAL',
    } as const;
    const partly = db.send('BatchWriteItem', input);
    const { body } = dataAnswer({ api: 'BatchWriteItem', input }, partly);
    expect(JSON.parse(body)).toEqual({
      UnprocessedItems: { t: [put(item({ s: 'b' }, KB))] },
      ConsumedCapacity: [{ TableName: 't', CapacityUnits: 3 }],
    });
    const refused = db.send('BatchWriteItem', input);
    expect(refused.kind).toBe('throttled');
    expect(dataAnswer({ api: 'BatchWriteItem', input }, refused).body).not.toContain('ConsumedCapacity');
  });

  test('collections of tables without local indexes are not told', () => {
    const input = { TableName: 'u', Item: item({}, KB), ReturnItemCollectionMetrics: 'SIZE' } as const;
    expect(databaseOf([]).ok('PutItem', input).output).toEqual({});
  });
});
