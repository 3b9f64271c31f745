// Aim: admission asks everything before it takes anything, and names what refused. Method: a rich and a poor
// resource side by side.
import { describe, expect, test } from 'vitest';
import type { ResourceThroughput } from '../../../src/capacity/resource-throughput.ts';
import { Admission } from '../../../src/simulator/admission.ts';
import { attributes, OrdersDatabase, ordersTable, statusIndex } from '../../support/simulated-orders.ts';
import { buildThroughput, indexArn, tableArn, warmFor } from '../../support/throughput.ts';

const billing = { mode: 'provisioned', readUnits: 1, writeUnits: 1 } as const;

/** A resource whose bank is in debt. */
function spent(): ResourceThroughput {
  const throughput = buildThroughput({ resource: 'Index', billing });
  throughput.spendWrite(throughput.keyState('k'), 5, 0);
  return throughput;
}

describe('admission', () => {
  test('of several demands takes all of them', () => {
    const [one, two] = [buildThroughput(), buildThroughput()];
    const admission = new Admission().begin();
    admission.need(one, one.keyState('a'), 2);
    admission.need(two, two.keyState('b'), 3);
    expect(admission.isAdmitted('Write', 0)).toBe(true);
    admission.spendWrites(0);
    expect([one.observe().write.units, two.observe().write.units]).toEqual([2, 3]);
  });

  test('that one resource refuses takes nothing anywhere, and counts the demand on all', () => {
    const [rich, poor] = [buildThroughput(), spent()];
    const admission = new Admission().begin();
    admission.need(rich, rich.keyState('a'), 2);
    admission.need(poor, poor.keyState('k'), 3);
    expect(admission.isAdmitted('Write', 0)).toBe(false);
    expect(admission.refuse('Write', 0)).toEqual({
      kind: 'throttled',
      exception: 'ProvisionedThroughputExceededException',
      reasons: [
        {
          reason: 'IndexWriteProvisionedThroughputExceeded',
          resource: 'Index',
          operation: 'Write',
          limit: 'Provisioned',
          arn: indexArn,
        },
      ],
    });
    expect(rich.observe().write).toMatchObject({ units: 0, throttledRequests: 0, refusedElsewhere: 1 });
    expect(poor.observe().write).toMatchObject({ units: 5, throttledRequests: 1, throttledUnits: 3 });
  });

  test('refused by table and index names both, the table first', () => {
    const table = buildThroughput({ billing });
    table.spendWrite(table.keyState('a'), 5, 0);
    const index = spent();
    const admission = new Admission().begin();
    admission.need(table, table.keyState('a'), 1);
    admission.need(index, index.keyState('k'), 1);
    expect(admission.isAdmitted('Write', 0)).toBe(false);
    expect(admission.refuse('Write', 0).reasons.map(({ arn }) => arn)).toEqual([tableArn, indexArn]);
  });

  test('of two demands on one key counts one request', () => {
    const throughput = buildThroughput();
    const admission = new Admission().begin();
    admission.need(throughput, throughput.keyState('a'), 2);
    admission.need(throughput, throughput.keyState('a'), 3);
    admission.isAdmitted('Write', 0);
    admission.spendWrites(0);
    expect(throughput.observe().write).toMatchObject({ requests: 1, units: 5 });
  });
});

describe('a put whose index is throttled', () => {
  const poorIndex = { ...statusIndex, billing, start: { kind: 'new' } as const };
  const table = { ...ordersTable, globalIndexes: [poorIndex], start: warmFor(20) };
  const put = (db: OrdersDatabase, number: number, status?: string) =>
    db.send('PutItem', {
      Item: attributes({ PK: 'c', SK: number, date: 'd', ...(status === undefined ? {} : { status }) }),
    });

  test('is rejected whole, in the name of the index', () => {
    const db = new OrdersDatabase({ tables: [table], stepUs: 0 });
    put(db, 1, 'open');
    expect(put(db, 2, 'open')).toMatchObject({
      kind: 'throttled',
      reasons: [
        {
          reason: 'IndexWriteProvisionedThroughputExceeded',
          arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/orders/index/GSI1',
        },
      ],
    });
    expect(db.database.observe('orders').itemCount).toBe(1);
    const [ofTable] = db.database.observe('orders').resources;
    expect(ofTable?.write).toMatchObject({ units: 1, throttledUnits: 0, refusedElsewhere: 1 });
  });

  test('goes through where the item is not in the index', () => {
    const db = new OrdersDatabase({ tables: [table], stepUs: 0 });
    put(db, 1, 'open');
    expect(put(db, 2).kind).toBe('ok');
  });
});

test('local indexes spend the throughput of their table', () => {
  const table = { ...ordersTable, globalIndexes: [] };
  const db = new OrdersDatabase({ tables: [table] });
  db.put({ PK: 'c', SK: 1, total: 5 });
  const { resources } = db.database.observe('orders');
  expect(resources.map(({ write }) => write.units)).toEqual([2]);
});

test('preloading costs nothing and warms no key', () => {
  const db = new OrdersDatabase();
  db.database.preload('orders', attributes({ PK: 'c', SK: 1, status: 'open', date: 'd' }));
  const { resources, itemCount } = db.database.observe('orders');
  expect(itemCount).toBe(1);
  expect(resources.map(({ write, distinctKeys }) => [write.units, distinctKeys])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(db.scanned('GSI1')).toHaveLength(1);
});
