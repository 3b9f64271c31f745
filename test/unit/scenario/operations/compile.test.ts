// Aim: each operation of a scenario becomes the request that DynamoDB expects, with placeholders that nothing
// else uses. Method: operations of one workload over one table, compared as wire values.
import { describe, expect, test } from 'vitest';
import type { TableSpec } from '../../../../src/dynamodb/table-spec.ts';
import { DynoLoadError } from '../../../../src/errors.ts';
import {
  batchGet,
  batchWrite,
  get,
  put,
  query,
  queryShards,
  remove,
  scan,
  shards,
  transactGet,
  transactWrite,
  update,
  type Workload,
} from '../../../../src/index.ts';
import { streamKey } from '../../../../src/prng.ts';
import { OperationContext } from '../../../../src/scenario/operation-context.ts';
import { compileOperation } from '../../../../src/scenario/operations/compile.ts';
import type { PlannedOperation } from '../../../../src/scenario/run-plan.ts';
import { isWorkload } from '../../../../src/scenario/workload.ts';
import type { Context } from '../../../../src/workload/item.ts';

const text = (name: string) => ({ name, type: 'S' as const });
const table: TableSpec = {
  tableName: 'T',
  logicalName: 'main',
  keys: { partition: text('PK'), sort: text('SK') },
  globalIndexes: [
    {
      name: 'GSI1',
      keys: { partition: text('G'), sort: text('H') },
      projection: { kind: 'ALL' },
      billing: { mode: 'on-demand' },
      start: { kind: 'new' },
    },
    {
      name: 'GSI2',
      keys: { partition: text('G') },
      projection: { kind: 'ALL' },
      billing: { mode: 'on-demand' },
      start: { kind: 'new' },
    },
  ],
  localIndexes: [],
  billing: { mode: 'on-demand' },
  start: { kind: 'new' },
};

function make(workload: Workload<string>, sequence = 0, tables = [table]): PlannedOperation {
  if (!isWorkload(workload) || workload.kind === 'custom') throw new Error('no operation to make');
  const context = new OperationContext(streamKey(1, 'w'), 0);
  return compileOperation(workload, tables)(context.moveTo(sequence, 0));
}

function inputOf(workload: Workload<string>): unknown {
  const operation = make(workload);
  if (operation.kind !== 'request' && operation.kind !== 'pages') throw new Error('one request was expected');
  return operation.request.input;
}

const rate = 1;
const key = { PK: 'a', SK: 'b' };
const wireKey = { PK: { S: 'a' }, SK: { S: 'b' } };

describe('writes', () => {
  test('a put marshals its item and leaves undefined attributes out', () => {
    expect(inputOf(put({ rate, item: ({ seq }) => ({ ...key, n: seq, none: undefined }) }))).toEqual({
      TableName: 'T',
      Item: { ...wireKey, n: { N: '0' } },
    });
  });

  test('a put with a condition explains its placeholders, and has no empty ones', () => {
    const condition = { expression: 'attribute_not_exists(#p)', names: { '#p': 'PK' } };
    expect(inputOf(put({ rate, item: key, condition }))).toEqual({
      TableName: 'T',
      Item: wireKey,
      ConditionExpression: 'attribute_not_exists(#p)',
      ExpressionAttributeNames: { '#p': 'PK' },
    });
  });

  test('an update writes one expression for set, add and removeAttributes beside the condition', () => {
    const workload = update({
      rate,
      key,
      set: ({ seq }) => ({ status: 'DONE', at: seq, none: undefined }),
      add: { n: 1 },
      removeAttributes: ['old', 'older'],
      condition: { expression: '#n < :n', names: { '#n': 'n' }, values: { ':n': 5 } },
    });
    expect(inputOf(workload)).toEqual({
      TableName: 'T',
      Key: wireKey,
      UpdateExpression: 'SET #dlS0 = :dlS0, #dlS1 = :dlS1 ADD #dlA0 :dlA0 REMOVE #dlR0, #dlR1',
      ConditionExpression: '#n < :n',
      ExpressionAttributeNames: {
        '#dlS0': 'status',
        '#dlS1': 'at',
        '#dlA0': 'n',
        '#dlR0': 'old',
        '#dlR1': 'older',
        '#n': 'n',
      },
      ExpressionAttributeValues: {
        ':dlS0': { S: 'DONE' },
        ':dlS1': { N: '0' },
        ':dlA0': { N: '1' },
        ':n': { N: '5' },
      },
    });
  });

  test('updates of other attributes have other expressions', () => {
    const workload = update({ rate, key, set: ({ seq }) => (seq === 0 ? { a: 1 } : { b: 1 }) });
    const names = [0, 1, 2].map((sequence) => {
      const operation = make(workload, sequence);
      return operation.kind === 'request' && operation.request.api === 'UpdateItem'
        ? operation.request.input.ExpressionAttributeNames
        : undefined;
    });
    expect(names).toEqual([{ '#dlS0': 'a' }, { '#dlS0': 'b' }, { '#dlS0': 'b' }]);
  });

  test('an update of one’s own goes out as it is', () => {
    const raw = { expression: 'SET a = a + :one', values: { ':one': 1 } };
    expect(inputOf(update({ rate, key, update: raw }))).toEqual({
      TableName: 'T',
      Key: wireKey,
      UpdateExpression: 'SET a = a + :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    });
  });

  test('a remove is a DeleteItem', () => {
    expect(make(remove({ rate, key }))).toEqual({
      kind: 'request',
      request: { api: 'DeleteItem', input: { TableName: 'T', Key: wireKey } },
    });
  });

  test('a batch of writes gathers its requests by table', () => {
    const other = { ...table, tableName: 'O', logicalName: 'other' };
    const workload = batchWrite({
      rate,
      writes: [{ put: { table: 'main', item: key } }, { remove: { table: 'other', key } }],
    });
    expect(make(workload, 0, [table, other])).toMatchObject({
      request: {
        input: {
          RequestItems: { T: [{ PutRequest: { Item: wireKey } }], O: [{ DeleteRequest: { Key: wireKey } }] },
        },
      },
    });
  });

  test('a transaction takes all four actions and its token', () => {
    const exists = { expression: 'attribute_exists(PK)' };
    const workload = transactWrite({
      rate,
      token: 'once',
      writes: [
        { put: { item: key, condition: exists } },
        { update: { key, add: { n: 1 } } },
        { remove: { key } },
        { check: { key, condition: exists } },
      ],
    });
    expect(inputOf(workload)).toEqual({
      ClientRequestToken: 'once',
      TransactItems: [
        { Put: { TableName: 'T', Item: wireKey, ConditionExpression: 'attribute_exists(PK)' } },
        {
          Update: {
            TableName: 'T',
            Key: wireKey,
            UpdateExpression: 'ADD #dlA0 :dlA0',
            ExpressionAttributeNames: { '#dlA0': 'n' },
            ExpressionAttributeValues: { ':dlA0': { N: '1' } },
          },
        },
        { Delete: { TableName: 'T', Key: wireKey } },
        { ConditionCheck: { TableName: 'T', Key: wireKey, ConditionExpression: 'attribute_exists(PK)' } },
      ],
    });
  });
});

describe('reads', () => {
  test('a get projects by placeholders', () => {
    expect(inputOf(get({ rate, key, consistent: true, project: ['status', 'size'] }))).toEqual({
      TableName: 'T',
      Key: wireKey,
      ConsistentRead: true,
      ProjectionExpression: '#dlP0, #dlP1',
      ExpressionAttributeNames: { '#dlP0': 'status', '#dlP1': 'size' },
    });
  });

  test('a query of an index has its key, sort condition, filter and direction', () => {
    const workload = query({
      rate,
      index: 'GSI1',
      partition: ({ seq }) => `p${seq}`,
      sort: { between: ['a', 'b'] },
      newestFirst: true,
      limit: 10,
      filter: { expression: '#s = :s', names: { '#s': 'status' }, values: { ':s': 'X' } },
    });
    expect(inputOf(workload)).toEqual({
      TableName: 'T',
      IndexName: 'GSI1',
      Limit: 10,
      ScanIndexForward: false,
      KeyConditionExpression: '#dlPk = :dlPk AND #dlSk BETWEEN :dlSk AND :dlSk2',
      FilterExpression: '#s = :s',
      ExpressionAttributeNames: { '#dlPk': 'G', '#dlSk': 'H', '#s': 'status' },
      ExpressionAttributeValues: {
        ':dlPk': { S: 'p0' },
        ':dlSk': { S: 'a' },
        ':dlSk2': { S: 'b' },
        ':s': { S: 'X' },
      },
    });
  });

  test.each([
    { sort: { equals: 'x' }, condition: '#dlSk = :dlSk' },
    { sort: { beginsWith: 'x' }, condition: 'begins_with(#dlSk, :dlSk)' },
    { sort: { atLeast: 'x' }, condition: '#dlSk >= :dlSk' },
    { sort: { atMost: 'x' }, condition: '#dlSk <= :dlSk' },
    { sort: { above: 'x' }, condition: '#dlSk > :dlSk' },
    { sort: { below: 'x' }, condition: '#dlSk < :dlSk' },
  ])('the sort condition $sort reads $condition', ({ sort, condition }) => {
    expect(inputOf(query({ rate, partition: 'a', sort }))).toMatchObject({
      KeyConditionExpression: `#dlPk = :dlPk AND ${condition}`,
      ExpressionAttributeValues: { ':dlSk': { S: 'x' } },
    });
  });

  test.each([
    { pages: undefined, kind: 'request', maximumPages: undefined },
    { pages: 1, kind: 'request', maximumPages: undefined },
    { pages: 3, kind: 'pages', maximumPages: 3 },
    { pages: 'all' as const, kind: 'pages', maximumPages: Number.POSITIVE_INFINITY },
  ])('pages $pages is a $kind of up to $maximumPages', ({ pages, kind, maximumPages }) => {
    const paged = pages === undefined ? {} : { pages };
    const operation = make(query({ rate, partition: 'a', ...paged }));
    expect(operation.kind).toBe(kind);
    if (operation.kind === 'pages') expect(operation.maximumPages).toBe(maximumPages);
  });

  test('counting asks for the count, and goes on after a key', () => {
    expect(inputOf(query({ rate, partition: 'a', select: 'count', startAfter: key }))).toMatchObject({
      Select: 'COUNT',
      ExclusiveStartKey: wireKey,
    });
  });

  test.each([
    { count: 1, keys: ['S'], parallel: 1 },
    { count: 3, keys: ['S#0', 'S#1', 'S#2'], parallel: 3 },
    { count: 40, keys: undefined, parallel: 16 },
  ])('a read of $count shards has as many branches, $parallel at once', ({ count, keys, parallel }) => {
    const operation = make(
      queryShards({ rate, index: 'GSI1', shards: shards('S', count), items: 50, newestFirst: true }),
    );
    if (operation.kind !== 'fanOut') throw new Error('branches were expected');
    expect(operation).toMatchObject({
      parallel,
      maximumPages: Number.POSITIVE_INFINITY,
      wantedItems: 50,
      mergeBy: { attribute: 'H', newestFirst: true },
    });
    expect(operation.branches).toHaveLength(count);
    const partitions = operation.branches.map(({ input }) => input.ExpressionAttributeValues?.[':dlPk']?.S);
    if (keys) expect(partitions).toEqual(keys);
    expect(operation.branches[0]?.input.Limit).toBe(50);
  });

  test('a sharded read of all items has no limit, and projects what it merges by', () => {
    const operation = make(
      queryShards({ rate, index: 'GSI1', shards: shards('S', 2), items: 'all', project: ['status'] }),
    );
    if (operation.kind !== 'fanOut') throw new Error('branches were expected');
    expect(operation.wantedItems).toBe(Number.POSITIVE_INFINITY);
    expect(operation.branches[0]?.input.Limit).toBeUndefined();
    expect(operation.branches[0]?.input.ExpressionAttributeNames).toEqual({
      '#dlPk': 'G',
      '#dlP0': 'status',
      '#dlP1': 'H',
    });
  });

  test.each([
    ['is made once where nothing in it depends on the operation', { atLeast: 'a' }, true],
    [
      'is made for each operation where its range is computed',
      ({ seq }: Context) => ({ atLeast: `${seq}` }),
      false,
    ],
  ])('a sharded read %s', (_, sort, isSame) => {
    const workload = queryShards({ rate, index: 'GSI1', shards: shards('S', 2), items: 5, sort });
    if (!isWorkload(workload) || workload.kind !== 'queryShards')
      throw new Error('a sharded read was expected');
    const makeOne = compileOperation(workload, [table]);
    const context = new OperationContext(streamKey(1, 'w'), 0);
    const [first, second] = [makeOne(context.moveTo(1, 0)), makeOne(context.moveTo(2, 0))];
    expect(first === second).toBe(isSame);
    if (!isSame) expect(first).not.toEqual(second);
  });

  test('without a sort key shards are not merged by anything', () => {
    const operation = make(queryShards({ rate, index: 'GSI2', shards: shards('S', 2), items: 1 }));
    expect(operation).not.toHaveProperty('mergeBy');
  });

  test('segments of a scan come in an order that changes from operation to operation', () => {
    const orders = [0, 1, 2, 3].map((sequence) => {
      const operation = make(scan({ rate, segments: 8, pages: 'all' }), sequence);
      if (operation.kind !== 'fanOut') throw new Error('segments were expected');
      expect(operation.parallel).toBe(8);
      return operation.branches.map(({ input }) => ('Segment' in input ? input.Segment : -1));
    });
    for (const order of orders)
      expect([...order].sort((a = 0, b = 0) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
  });

  test('a batch of reads names the keys of each table once', () => {
    const workload = batchGet({ rate, reads: [{ key }, { key: { PK: 'c', SK: 'd' } }], consistent: true });
    expect(inputOf(workload)).toEqual({
      RequestItems: { T: { Keys: [wireKey, { PK: { S: 'c' }, SK: { S: 'd' } }], ConsistentRead: true } },
    });
  });

  test('a transaction of reads projects each by itself', () => {
    expect(inputOf(transactGet({ rate, reads: [{ key, project: ['a'] }, { key }] }))).toEqual({
      TransactItems: [
        {
          Get: {
            TableName: 'T',
            Key: wireKey,
            ProjectionExpression: '#dlP0',
            ExpressionAttributeNames: { '#dlP0': 'a' },
          },
        },
        { Get: { TableName: 'T', Key: wireKey } },
      ],
    });
  });
});

test('placeholders that dyno-load keeps for itself are refused', () => {
  const filter = { expression: '#dlPk = :x', names: { '#dlPk': 'a' }, values: { ':x': 1 } };
  expect(() => make(scan({ rate, filter }))).toThrow(DynoLoadError);
});
