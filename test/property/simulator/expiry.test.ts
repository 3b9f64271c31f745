// Laws of expiry: what is left of a table follows from its writes alone, whether the database is looked at every
// second or only at the end, and agrees with a plain calculation over the last write of each key.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import type { AttributeMap } from '../../../src/dynamodb/attribute-value.ts';
import { SimulatedDatabase } from '../../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../../src/units.ts';
import { attributes, ordersTable } from '../../support/simulated-orders.ts';

const START_SECONDS = 1_790_000_000;
const DELAY_SECONDS = 20;

interface Write {
  readonly atSecond: number;
  readonly key: number;
  /** Seconds after the start; null: never; undefined: the item is deleted. */
  readonly expires: number | null | undefined;
}

const writes: fc.Arbitrary<readonly Write[]> = fc
  .array(
    fc.record({
      atSecond: fc.integer({ min: 0, max: 200 }),
      key: fc.integer({ min: 0, max: 5 }),
      expires: fc.oneof(
        fc.integer({ min: -50, max: 250 }),
        fc.constant(null),
        fc.constant<number | undefined>(undefined),
      ),
    }),
    { maxLength: 40 },
  )
  .map((all) => all.toSorted((one, other) => one.atSecond - other.atSecond));

function databaseAfter(all: readonly Write[], endSecond: number, isWatched: boolean): SimulatedDatabase {
  const database = new SimulatedDatabase({
    model: capacityModels.default,
    seed: 1,
    wallMsAtZero: START_SECONDS * 1_000,
    limits: { expiryDelaySeconds: DELAY_SECONDS },
  });
  database.createTable({ ...ordersTable, timeToLive: 'expires' });
  let second = 0;
  const goTo = (next: number) => {
    for (; isWatched && second < next; second++) database.expire(second * US_PER_SECOND);
  };
  for (const { atSecond, key, expires } of all) {
    goTo(atSecond);
    const Key = attributes({ PK: 'c', SK: key });
    const atUs = atSecond * US_PER_SECOND;
    const input = { TableName: 'orders', Key };
    if (expires === undefined) database.handle({ api: 'DeleteItem', input }, atUs);
    else database.handle({ api: 'PutItem', input: { TableName: 'orders', Item: item(Key, expires) } }, atUs);
  }
  goTo(endSecond);
  database.expire(endSecond * US_PER_SECOND);
  return database;
}

function item(key: AttributeMap, expires: number | null): AttributeMap {
  const expiry = expires === null ? {} : { expires: { N: String(START_SECONDS + expires) } };
  return { ...key, ...attributes({ status: 'open', date: 'd', total: 1 }), ...expiry };
}

/** Keys whose last write is an item that is not due by the end. */
function keysLeft(all: readonly Write[], endSecond: number): number {
  const last = new Map(all.map((write) => [write.key, write]));
  return [...last.values()].filter(({ expires, atSecond }) => {
    if (expires === undefined) return false;
    return expires === null || Math.max(expires, atSecond) + DELAY_SECONDS > endSecond;
  }).length;
}

test('what is left follows from the writes alone, in the table and in its indexes', () => {
  fc.assert(
    fc.property(writes, fc.integer({ min: 0, max: 100 }), (all, secondsAfter) => {
      const endSecond = (all.at(-1)?.atSecond ?? 0) + secondsAfter;
      const counts = [true, false].map((isWatched) => {
        const { table, indexes } = databaseAfter(all, endSecond, isWatched).contents('orders');
        return [table.itemCount, indexes.get('GSI1')?.itemCount, indexes.get('byTotal')?.itemCount];
      });
      const expected = keysLeft(all, endSecond);
      expect(counts).toEqual([
        [expected, expected, expected],
        [expected, expected, expected],
      ]);
    }),
    { numRuns: 500, seed: 1 },
  );
});
