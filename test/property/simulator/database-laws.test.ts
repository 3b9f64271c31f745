// Laws of the simulated database under random requests (test/support/random-requests.ts): indexes always show
// what the items imply, units reported are units taken, refusals take nothing, and equal runs give equal
// answers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import type { AttributeMap } from '../../../src/dynamodb/attribute-value.ts';
import { type ConsumedCapacity, totalUnits } from '../../../src/dynamodb/consumed-capacity.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { heldItem, indexShape } from '../../../src/simulator/index-entries.ts';
import { SimulatedDatabase } from '../../../src/simulator/simulated-database.ts';
import { US_PER_MINUTE } from '../../../src/units.ts';
import { canonical } from '../../support/canonical-answers.ts';
import { differentialTables, RandomRequests } from '../../support/random-requests.ts';

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const tables = differentialTables('law');
const [indexed] = tables;

function emptyDatabase(changed: readonly TableSpec[] = tables): SimulatedDatabase {
  const database = new SimulatedDatabase({ model: capacityModels.default, seed: 7 });
  for (const table of changed) database.createTable(table);
  return database;
}

function run(database: SimulatedDatabase, seed: number, count: number, stepUs: number): Outcome[] {
  const requests = new RandomRequests(seed, tables);
  return Array.from({ length: count }, (_, step) => database.handle(requests.next(), step * stepUs));
}

function scanned(database: SimulatedDatabase, IndexName?: string): AttributeMap[] {
  const input = { TableName: indexed.tableName, ...(IndexName && { IndexName }) };
  const outcome = database.handle({ api: 'Scan', input }, 1e12);
  return outcome.kind === 'ok'
    ? [...(outcome.output.Items ?? [])]
    : expect.unreachable('the scan goes through');
}

function asTexts(items: readonly AttributeMap[]): string[] {
  return items.map((item) => JSON.stringify(canonical(item))).toSorted();
}

test('every index shows exactly the items that have its key, as its projection says', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const database = emptyDatabase();
      run(database, seed, 120, US_PER_MINUTE);
      const items = scanned(database);
      for (const index of [...indexed.globalIndexes, ...indexed.localIndexes]) {
        const { partition, sort } = index.keys;
        const members = items.filter(
          (item) => item[partition.name] && (sort === undefined || item[sort.name]),
        );
        const shape = indexShape(index, indexed.keys);
        expect(asTexts(scanned(database, index.name))).toEqual(
          asTexts(members.map((item) => heldItem(shape, item))),
        );
      }
    }),
    { numRuns: 40, seed: 1 },
  );
});

test('units consumed, estimates included, are the units taken from the throughput', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const database = emptyDatabase();
      const requests = new RandomRequests(seed, tables);
      const expected = { readUnits: 0, writeUnits: 0 };
      for (let step = 0; step < 120; step++) {
        const request = requests.next();
        const outcome = database.handle(request, step * US_PER_MINUTE);
        // An empty scan has no key to charge.
        if (request.api === 'Scan' && outcome.kind === 'ok' && outcome.output.ScannedCount === 0) continue;
        const { readUnits, writeUnits } = totalUnits(consumedBy(outcome));
        expected.readUnits += readUnits;
        expected.writeUnits += writeUnits;
      }
      expect(takenFrom(database)).toEqual(expected);
    }),
    { numRuns: 40, seed: 1 },
  );
});

function consumedBy(outcome: Outcome): readonly ConsumedCapacity[] {
  if (outcome.kind === 'ok' || outcome.kind === 'partial') return outcome.consumed;
  return outcome.kind === 'conditionFailed' ? (outcome.estimated ?? []) : [];
}

function takenFrom(database: SimulatedDatabase): { readonly readUnits: number; readonly writeUnits: number } {
  const sides = tables.flatMap(({ tableName }) => database.observe(tableName).resources);
  return {
    readUnits: sides.reduce((sum, { read }) => sum + read.units, 0),
    writeUnits: sides.reduce((sum, { write }) => sum + write.units, 0),
  };
}

test('a throttled request leaves items as they were', () => {
  const billing = { mode: 'provisioned', readUnits: 5, writeUnits: 5 } as const;
  const poor = tables.map((table) => ({
    ...table,
    billing,
    start: { kind: 'new' } as const,
    globalIndexes: table.globalIndexes.map((index) => ({
      ...index,
      billing,
      start: { kind: 'new' } as const,
    })),
  }));
  let throttled = 0;
  fc.assert(
    fc.property(seeds, (seed) => {
      const database = emptyDatabase(poor);
      const requests = new RandomRequests(seed, tables);
      for (let step = 0; step < 120; step++) {
        const before = database.observe(indexed.tableName).itemCount;
        const outcome = database.handle(requests.next(), step * 1_000);
        if (outcome.kind !== 'throttled') continue;
        throttled++;
        expect(outcome.reasons.length).toBeGreaterThan(0);
        expect(database.observe(indexed.tableName).itemCount).toBe(before);
      }
    }),
    { numRuns: 20, seed: 1 },
  );
  expect(throttled).toBeGreaterThan(100);
});

test('the same seed gives the same answers and the same observations', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const [one, other] = [emptyDatabase(), emptyDatabase()];
      expect(JSON.stringify(run(one, seed, 80, 1_000))).toBe(JSON.stringify(run(other, seed, 80, 1_000)));
      const observed = (database: SimulatedDatabase) => JSON.stringify(database.observe(indexed.tableName));
      expect(observed(one)).toBe(observed(other));
    }),
    { numRuns: 20, seed: 1 },
  );
});
