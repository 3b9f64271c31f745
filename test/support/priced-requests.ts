// Requests of which tests say the price: a table with a wide and a narrow index of each kind, items of exact
// sizes, and the units of an outcome by arm.
import { expect, test } from 'vitest';
import type { AttributeMap } from '../../src/dynamodb/attribute-value.ts';
import type { Units } from '../../src/dynamodb/consumed-capacity.ts';
import { itemSizeBytes } from '../../src/dynamodb/item-size.ts';
import type { DataApi, TransactWriteItem } from '../../src/dynamodb/operation.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import type { TableSpec } from '../../src/dynamodb/table-spec.ts';
import { attributes, OrdersDatabase, ordersTable } from './simulated-orders.ts';

const text = (name: string) => ({ name, type: 'S' }) as const;
const [wide] = ordersTable.globalIndexes;
if (wide === undefined) throw new Error('the table of orders has a global index');

/** Two global indexes and two local ones, one of each wide and one narrow. */
export const table: TableSpec = {
  ...ordersTable,
  tableName: 't',
  keys: { partition: text('p'), sort: text('s') },
  globalIndexes: [
    { ...wide, name: 'wide', keys: { partition: text('state'), sort: text('at') } },
    {
      ...wide,
      name: 'narrow',
      keys: { partition: text('city') },
      projection: { kind: 'INCLUDE', attributes: ['note'] },
    },
  ],
  localIndexes: [
    { name: 'localWide', keys: { partition: text('p'), sort: text('rank') }, projection: { kind: 'ALL' } },
    {
      name: 'localKeys',
      keys: { partition: text('p'), sort: text('mark') },
      projection: { kind: 'KEYS_ONLY' },
    },
  ],
};
const other: TableSpec = { ...table, tableName: 'u', globalIndexes: [], localIndexes: [] };

/** Bytes of a write unit. */
export const KB = 1_024;
/** Attributes that are texts. */
export type Native = { readonly [name: string]: string };

/** An item of exactly this size. */
export function item(native: Native, bytes: number): AttributeMap {
  const bare = attributes({ p: 'p', s: 's', ...native, body: '' });
  return { ...bare, body: { S: 'x'.repeat(bytes - itemSizeBytes(bare)) } };
}

/** The key of an item of `item`. */
export const key = (s = 's') => attributes({ p: 'p', s });

/** A database that holds these items. */
export function databaseOf(stored: readonly AttributeMap[], tableName = 't'): OrdersDatabase {
  const db = new OrdersDatabase({ tables: [table, other] });
  for (const one of stored) db.database.preload(tableName, one);
  return db;
}

/** Units by arm; `t` and `u` are the tables. */
export type Cost = { readonly [arm: string]: number };

/** Sends one request about `t` to a database that holds these items. */
export function send(stored: readonly AttributeMap[], api: DataApi, input: object): Outcome {
  return databaseOf(stored).send(api, { TableName: 't', ...input });
}

/** What an outcome cost, arm by arm; estimates where the answer tells nothing. */
export function costOf(outcome: Outcome): Cost {
  const consumed =
    outcome.kind === 'ok' || outcome.kind === 'partial'
      ? outcome.consumed
      : outcome.kind === 'conditionFailed'
        ? (outcome.estimated ?? [])
        : undefined;
  if (consumed === undefined) throw new Error(`ended ${JSON.stringify(outcome)}`);
  const sum = ({ readUnits, writeUnits }: Units) => readUnits + writeUnits;
  return Object.fromEntries(
    consumed.flatMap(({ tableName, table: own, localIndexes, globalIndexes }) => [
      [tableName, sum(own)],
      ...Object.entries({ ...localIndexes, ...globalIndexes }).map(([name, units]) => [name, sum(units)]),
    ]),
  );
}

/** What is stored, what is asked, what it costs. */
type Row = readonly [rule: string, stored: readonly AttributeMap[], api: DataApi, input: object, cost: Cost];

/** A test for each row. */
export function costs(rows: readonly Row[]): void {
  test.each(rows)('%s', (_, stored, api, input, cost) => {
    expect(costOf(send(stored, api, input))).toEqual(cost);
  });
}

/** A query of the one partition key. */
export const partition = {
  KeyConditionExpression: 'p = :p',
  ExpressionAttributeValues: attributes({ ':p': 'p' }),
};
/** A query of the wide index. */
export const inState = {
  IndexName: 'wide',
  KeyConditionExpression: '#s = :s',
  ExpressionAttributeNames: { '#s': 'state' },
  ExpressionAttributeValues: attributes({ ':s': 'open' }),
};
/** As many items. */
export const count = (length: number, make: (index: number) => AttributeMap) =>
  Array.from({ length }, (_, index) => make(index));

/** An update that sets attributes to texts. */
export const set = (native: Native, more = '') => ({
  UpdateExpression: `SET ${Object.keys(native)
    .map((name) => `#${name} = :${name}`)
    .join(', ')}${more}`,
  ExpressionAttributeNames: Object.fromEntries(Object.keys(native).map((name) => [`#${name}`, name])),
  ExpressionAttributeValues: attributes(
    Object.fromEntries(Object.entries(native).map(([name, value]) => [`:${name}`, value])),
  ),
});
/** A condition that an absent item meets. */
export const isNew = { ConditionExpression: 'attribute_not_exists(p)' };
/** A condition that a present item meets. */
export const isOld = { ConditionExpression: 'attribute_exists(p)' };
/** A put of a batch. */
export const put = (of: AttributeMap) => ({ PutRequest: { Item: of } });

/** A transaction of writes. */
export const transact = (...TransactItems: readonly TransactWriteItem[]) => ({ TransactItems });
/** A put of a transaction. */
export const Put = (of: AttributeMap, more: object = {}): TransactWriteItem => ({
  Put: { TableName: 't', Item: of, ...more },
});
/** A check of a transaction. */
export const Check = (s: string, more: object = isOld): TransactWriteItem => ({
  ConditionCheck: { TableName: 't', Key: key(s), ConditionExpression: '', ...more },
});

/** What makes an item an entry of the wide index. */
export const entry = { state: 'open', at: '1' };
