// Aim: the simulated database as a whole shows what hot keys do on DynamoDB. Method: exact rates in virtual
// time over tens of seconds; expected figures follow from partition ceilings by arithmetic.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { TableObservation } from '../../src/simulator/table-views.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../src/units.ts';
import { ordersTable, plainOrders, statusIndex } from '../support/simulated-orders.ts';

const table = { ...ordersTable, localIndexes: [], globalIndexes: [statusIndex] };

interface Load {
  readonly shardCount: number;
  readonly ratePerSec: number;
  readonly seconds: number;
  readonly seed?: number;
}

interface Result {
  readonly accepted: number;
  readonly reasons: ReadonlyMap<string, number>;
  readonly observed: TableObservation;
}

/**
 * Puts orders of 700 bytes at an exact rate, each under a customer of its own, with their status over some
 * shards.
 */
function offerOrders({ shardCount, ratePerSec, seconds, seed = 1 }: Load): Result {
  const database = new SimulatedDatabase({ model: capacityModels.default, seed });
  database.createTable(table);
  const reasons = new Map<string, number>();
  let accepted = 0;
  for (let index = 0; index < ratePerSec * seconds; index++) {
    const Item = {
      PK: { S: `CUST#${index}` },
      SK: { N: '1' },
      status: { S: `PENDING#${index % shardCount}` },
      date: { S: String(index).padStart(9, '0') },
      body: { fillerBytes: 700 },
    };
    const outcome = database.handle(
      { api: 'PutItem', input: { TableName: 'orders', Item } },
      Math.floor((index * US_PER_SECOND) / ratePerSec),
    );
    if (outcome.kind === 'ok') accepted++;
    else if (outcome.kind === 'throttled')
      for (const { reason, arn } of outcome.reasons) {
        const text = `${reason} ${arn?.split('/').slice(1).join('/')}`;
        reasons.set(text, (reasons.get(text) ?? 0) + 1);
      }
  }
  return { accepted, reasons, observed: database.observe('orders', seconds * US_PER_SECOND) };
}

describe('orders under one status key of an index', () => {
  const { accepted, reasons, observed } = offerOrders({ shardCount: 1, ratePerSec: 3_000, seconds: 20 });

  test('are written at 985–1,015 a second, whatever the table has left', () => {
    expect(accepted / 20).toBeGreaterThanOrEqual(985);
    // The bucket of the partition held half a second's worth at the start: 500 over 20 seconds.
    expect(accepted / 20).toBeLessThanOrEqual(1_025 + 1);
  });

  test('are refused in the name of the index, and of nothing else', () => {
    expect([...reasons]).toEqual([
      ['IndexWriteKeyRangeThroughputExceeded orders/index/GSI1', 60_000 - accepted],
    ]);
  });

  test('leave the table’s units at what was accepted, and the rest as refused elsewhere', () => {
    const [ofTable, ofIndex] = observed.resources;
    expect(ofTable?.write).toMatchObject({
      units: accepted,
      throttledRequests: 0,
      refusedElsewhere: 60_000 - accepted,
    });
    expect(ofIndex?.write).toMatchObject({ units: accepted, throttledRequests: 60_000 - accepted });
    expect(ofIndex?.topKeys[0]).toMatchObject({ key: 'PENDING#0', demandRatio: 1 });
    expect(observed.itemCount).toBe(accepted);
  });
});

test('more shards never accept less, and twenty take all', () => {
  const accepted = [1, 2, 5, 10, 20].map(
    (shardCount) => offerOrders({ shardCount, ratePerSec: 3_000, seconds: 5, seed: 3 }).accepted,
  );
  expect(accepted).toEqual(accepted.toSorted((left, right) => left - right));
  expect(accepted.at(-1)).toBe(15_000);
});

test('the same seed gives the same bytes, another seed other placements', () => {
  const load = { shardCount: 10, ratePerSec: 3_000, seconds: 2 };
  const [one, same, other] = [1, 1, 2].map((seed) => JSON.stringify(offerOrders({ ...load, seed }).observed));
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

test('a hot item is held to one partition’s reads', () => {
  const database = new SimulatedDatabase({ model: capacityModels.default, seed: 1 });
  database.createTable(plainOrders);
  database.preload('plain', { PK: { S: 'celebrity' }, body: { fillerBytes: 1_000 } });
  let accepted = 0;
  for (let index = 0; index < 50_000; index++) {
    const input = { TableName: 'plain', Key: { PK: { S: 'celebrity' } }, ConsistentRead: true };
    const outcome = database.handle({ api: 'GetItem', input }, index * 100 * 2);
    if (outcome.kind === 'ok') accepted++;
  }
  // 5,000 strong reads a second for 10 seconds on a ceiling of 3,000, and half a second in the bucket.
  expect(Math.abs(accepted - 31_500)).toBeLessThan(10);
});

test('collections of 200,000 items stay quick to write in any order and right to read', () => {
  const database = new SimulatedDatabase({ model: capacityModels.default, seed: 1 });
  database.createTable({ ...ordersTable, localIndexes: [], globalIndexes: [] });
  const count = 200_000;
  for (let index = 0; index < count; index++)
    // 7,919 is prime to the count: every number once, scattered.
    database.preload('orders', { PK: { S: 'c' }, SK: { N: String((index * 7_919) % count) } });
  const outcome = database.handle(
    {
      api: 'Query',
      input: {
        TableName: 'orders',
        KeyConditionExpression: 'PK = :p AND SK BETWEEN :a AND :b',
        ExpressionAttributeValues: { ':p': { S: 'c' }, ':a': { N: '99998' }, ':b': { N: '100001' } },
      },
    },
    0,
  );
  expect(outcome.kind === 'ok' && outcome.output.Items?.map((item) => item.SK?.N)).toEqual([
    '99998',
    '99999',
    '100000',
    '100001',
  ]);
});
