// Aim: the partition keys that requests touch, read off the requests. Method: one table with two indexes, a
// row per API and per way to name a key.
import { expect, test } from 'vitest';
import type { Request } from '../../../src/dynamodb/operation.ts';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { touchedKeys } from '../../../src/dynamodb/touched-keys.ts';

const all = { projection: { kind: 'ALL' }, billing: { mode: 'on-demand' }, start: { kind: 'new' } } as const;
const orders: TableSpec = {
  tableName: 'orders',
  logicalName: 'main',
  keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'SK', type: 'S' } },
  globalIndexes: [
    {
      name: 'byStatus',
      keys: { partition: { name: 'status', type: 'S' }, sort: { name: 'at', type: 'N' } },
      ...all,
    },
    { name: 'bySku', keys: { partition: { name: 'sku', type: 'N' } }, ...all },
  ],
  localIndexes: [
    {
      name: 'byDate',
      keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'at', type: 'N' } },
      projection: { kind: 'ALL' },
    },
  ],
  billing: { mode: 'on-demand' },
  start: { kind: 'new' },
};
const specs = new Map([['orders', orders]]);
const TableName = 'orders';
const Key = { PK: { S: 'p1' }, SK: { S: 's1' } };
const Item = { ...Key, status: { S: 'OPEN' }, at: { N: '1' }, sku: { N: '7.0' } };
const values = { ':v': { S: 'OPEN' }, ':n': { N: '5' } };

test.each<[string, Request, string[]]>([
  [
    'a put touches the table and both indexes',
    { api: 'PutItem', input: { TableName, Item } },
    ['orders p1', 'orders/byStatus OPEN', 'orders/bySku 7'],
  ],
  [
    'a put without the sort key of an index makes no entry there',
    { api: 'PutItem', input: { TableName, Item: { ...Key, status: { S: 'OPEN' } } } },
    ['orders p1'],
  ],
  ['a get touches its key', { api: 'GetItem', input: { TableName, Key } }, ['orders p1']],
  ['a delete touches its key', { api: 'DeleteItem', input: { TableName, Key } }, ['orders p1']],
  [
    'an update that sets an index key touches that index',
    {
      api: 'UpdateItem',
      input: {
        TableName,
        Key,
        UpdateExpression: 'SET #s = :v, total = :n',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: values,
      },
    },
    ['orders p1', 'orders/byStatus OPEN'],
  ],
  [
    'an update that computes an index key does not say which one',
    {
      api: 'UpdateItem',
      input: { TableName, Key, UpdateExpression: 'SET sku = :n + sku', ExpressionAttributeValues: values },
    },
    ['orders p1'],
  ],
  [
    'an update of a nested attribute of the same name touches no index',
    {
      api: 'UpdateItem',
      input: { TableName, Key, UpdateExpression: 'SET details.sku = :n', ExpressionAttributeValues: values },
    },
    ['orders p1'],
  ],
  [
    'a query touches the key it asks for',
    {
      api: 'Query',
      input: { TableName, KeyConditionExpression: 'SK > :n AND PK=:v', ExpressionAttributeValues: values },
    },
    ['orders OPEN'],
  ],
  [
    'a query touches the key it asks for where a sort condition follows',
    {
      api: 'Query',
      input: {
        TableName,
        KeyConditionExpression: '#dlPk = :v AND begins_with(#dlSk, :dlSk)',
        ExpressionAttributeNames: { '#dlPk': 'PK', '#dlSk': 'SK' },
        ExpressionAttributeValues: { ...values, ':dlSk': { S: 'ORDER#' } },
      },
    },
    ['orders OPEN'],
  ],
  [
    'an update that sets an index key touches that index where another clause follows',
    {
      api: 'UpdateItem',
      input: {
        TableName,
        Key,
        UpdateExpression: 'SET sku = :n REMOVE total',
        ExpressionAttributeValues: values,
      },
    },
    ['orders p1', 'orders/bySku 5'],
  ],
  [
    'a query on an index touches the index',
    {
      api: 'Query',
      input: {
        TableName,
        IndexName: 'byStatus',
        KeyConditionExpression: '#s = :v',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: values,
      },
    },
    ['orders/byStatus OPEN'],
  ],
  [
    'a query on a local index touches the table',
    {
      api: 'Query',
      input: {
        TableName,
        IndexName: 'byDate',
        KeyConditionExpression: 'PK = :v',
        ExpressionAttributeValues: values,
      },
    },
    ['orders OPEN'],
  ],
  ['a scan touches no key', { api: 'Scan', input: { TableName } }, []],
  [
    'a batch read touches each key',
    {
      api: 'BatchGetItem',
      input: { RequestItems: { orders: { Keys: [Key, { PK: { S: 'p2' }, SK: { S: 's' } }] } } },
    },
    ['orders p1', 'orders p2'],
  ],
  [
    'a batch write touches what its puts and deletes touch',
    {
      api: 'BatchWriteItem',
      input: { RequestItems: { orders: [{ DeleteRequest: { Key } }, { PutRequest: { Item } }] } },
    },
    ['orders p1', 'orders p1', 'orders/byStatus OPEN', 'orders/bySku 7'],
  ],
  [
    'a transactional read touches each key',
    { api: 'TransactGetItems', input: { TransactItems: [{ Get: { TableName, Key } }] } },
    ['orders p1'],
  ],
  [
    'a transaction touches what its actions touch',
    {
      api: 'TransactWriteItems',
      input: {
        TransactItems: [
          { Put: { TableName, Item: { ...Key, sku: { N: '1' } } } },
          { Update: { TableName, Key, UpdateExpression: 'SET sku = :n', ExpressionAttributeValues: values } },
          { Delete: { TableName, Key } },
          { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(PK)' } },
        ],
      },
    },
    ['orders p1', 'orders/bySku 1', 'orders p1', 'orders/bySku 5', 'orders p1', 'orders p1'],
  ],
  ...(
    [
      [`INSERT INTO orders VALUE {'PK': 'p1', 'SK': 's', 'sku': 7.0}`, ['orders p1', 'orders/bySku 7']],
      [`SELECT * FROM orders WHERE PK IN ['p1', 'p2'] AND at > 1`, ['orders p1', 'orders p2']],
      [`SELECT * FROM "orders"."byStatus" WHERE status = 'OPEN'`, ['orders/byStatus OPEN']],
      [`SELECT * FROM orders WHERE at > 1`, []],
      [`UPDATE orders SET sku = 5 WHERE PK = 'p1' AND SK = 's'`, ['orders p1', 'orders/bySku 5']],
      [`DELETE FROM orders WHERE PK = 'p1' AND SK = 's'`, ['orders p1']],
      [`DELETE FROM orders WHERE PK = 'p1'`, []],
      [`SELECT * FROM "other" WHERE PK = 'p1'`, []],
    ] satisfies [string, string[]][]
  ).map(([Statement, touched]): [string, Request, string[]] => [
    `${Statement} touches what it comes to`,
    { api: 'ExecuteStatement', input: { Statement } },
    touched,
  ]),
  [
    'a batch of statements touches the keys of each that is one',
    {
      api: 'BatchExecuteStatement',
      input: {
        Statements: [
          { Statement: 'DELETE FROM orders WHERE PK = ? AND SK = ?', Parameters: [{ S: 'p1' }, { S: 's' }] },
          { Statement: 'none' },
        ],
      },
    },
    ['orders p1'],
  ],
  [
    'a transaction of statements touches the keys of each, checks too',
    {
      api: 'ExecuteTransaction',
      input: {
        TransactStatements: [
          { Statement: `EXISTS(SELECT * FROM orders WHERE PK = 'p1' AND SK = 's' AND at = 1)` },
          { Statement: `DELETE FROM orders WHERE PK = 'p2' AND SK = 's'` },
        ],
      },
    },
    ['orders p1', 'orders p2'],
  ],
  [
    'a request to a table nobody described touches nothing',
    { api: 'GetItem', input: { TableName: 'other', Key } },
    [],
  ],
])('%s', (_, request, touched) => {
  expect(touchedKeys(request, specs).map(({ resource, key }) => `${resource} ${key}`)).toEqual(touched);
});

test('a key of several attributes is one label, once the request tells all of them', () => {
  const byPlace = {
    name: 'byPlace',
    keys: {
      partition: { name: 'city', type: 'S' },
      furtherPartition: [{ name: 'floor', type: 'N' }],
      sort: { name: 'at', type: 'N' },
      furtherSort: [{ name: 'note', type: 'S' }],
    },
    ...all,
  } as const;
  const placed = new Map([['orders', { ...orders, globalIndexes: [byPlace] }]]);
  const touchedIn = (request: Request) =>
    touchedKeys(request, placed).map(({ resource, key }) => `${resource} ${key}`);
  const whole = { ...Key, city: { S: 'Rome' }, floor: { N: '2.0' }, at: { N: '1' }, note: { S: 'n' } };
  const { note: _, ...noNote } = whole;
  const { floor: _floor, ...noFloor } = whole;
  const put = (one: typeof Key) => touchedIn({ api: 'PutItem', input: { TableName, Item: one } });
  expect(put(whole)).toEqual(['orders p1', 'orders/byPlace ["Rome","2"]']);
  expect(put(noNote)).toEqual(['orders p1']);
  expect(put(noFloor)).toEqual(['orders p1']);
  const query = {
    TableName,
    IndexName: 'byPlace',
    KeyConditionExpression: 'city = :c AND floor = :f',
    ExpressionAttributeValues: { ':c': { S: 'Rome' }, ':f': { N: '2' } },
  };
  expect(touchedIn({ api: 'Query', input: query })).toEqual(['orders/byPlace ["Rome","2"]']);
});
