// Laws of what AWS would report, under random requests of all ten APIs on tables too poor for them: metrics
// add up to the outcomes of the requests, causes to their total, rules to consumed units. Method: the metrics
// count from outcomes and the rules from accesses, two ways through the simulator that must agree.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConsumedCapacity, totalUnits } from '../../../src/dynamodb/consumed-capacity.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import type { Billing, TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { resourceOfArn } from '../../../src/dynamodb/throttling-reason.ts';
import { FIRST_MINUTE, ObservedDatabase } from '../../support/observed-database.ts';
import { differentialTables, RandomRequests } from '../../support/random-requests.ts';

const billing: Billing = { mode: 'provisioned', readUnits: 4, writeUnits: 4 };
const start = { kind: 'new' } as const;
const [indexed, plain] = differentialTables('law');
const tables: readonly [TableSpec, TableSpec] = [
  {
    ...indexed,
    billing,
    start,
    globalIndexes: indexed.globalIndexes.map((index) => ({ ...index, billing, start })),
  },
  { ...plain, billing, start },
];
/** The table, or its global index, of each resource. */
const resources = tables.flatMap(({ tableName, globalIndexes }) => [
  { tableName },
  ...globalIndexes.map(({ name }) => ({ tableName, indexName: name })),
]);

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const hour = { fromMinute: FIRST_MINUTE, untilMinute: FIRST_MINUTE + 60 };

/** Requests a few tenths of a second apart: about a quarter of them throttles. */
function observed(seed: number): ObservedDatabase {
  const db = new ObservedDatabase({ tables });
  for (const resource of resources) db.activity.insights.update({ ...resource, action: 'ENABLE' }, 0);
  const requests = new RandomRequests(seed, tables);
  for (let step = 0; step < 300; step++) {
    const { api, input } = requests.next();
    db.at(step / 4).send(api, input);
  }
  return db;
}

function sum(db: ObservedDatabase, metricName: string, resource: object): number {
  const points = db.activity.metrics.points({ metricName, ...resource }, hour);
  return points.reduce((total, { point }) => total + point.sum, 0);
}

function spentBy(outcome: Outcome): readonly ConsumedCapacity[] {
  if (outcome.kind === 'ok' || outcome.kind === 'partial') return outcome.consumed;
  if (outcome.kind === 'conditionFailed' || outcome.kind === 'conflict') return outcome.estimated ?? [];
  return [];
}

test('consumed units of tables and indexes add up to what the outcomes say', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const db = observed(seed);
      const outcomes = totalUnits(db.outcomes.flatMap(spentBy));
      const total = (metric: string) =>
        resources.reduce((units, resource) => units + sum(db, metric, resource), 0);
      expect(total('ConsumedReadCapacityUnits')).toBe(outcomes.readUnits);
      expect(total('ConsumedWriteCapacityUnits')).toBe(outcomes.writeUnits);
    }),
    { numRuns: 12 },
  );
});

test('accesses to each table and index spend the units that its metrics show', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const db = observed(seed);
      for (const resource of resources)
        for (const operation of ['Read', 'Write'] as const) {
          const spent = db.accesses
            .filter((access) => access.tableName === resource.tableName && access.operation === operation)
            .filter(
              ({ indexName }) => indexName === ('indexName' in resource ? resource.indexName : undefined),
            )
            .reduce((units, access) => units + access.units, 0);
          expect(spent).toBe(sum(db, `Consumed${operation}CapacityUnits`, resource));
        }
    }),
    { numRuns: 12 },
  );
});

test('throttle events by cause add up to all throttle events', () => {
  let seen = 0;
  fc.assert(
    fc.property(seeds, (seed) => {
      const db = observed(seed);
      for (const resource of resources)
        for (const operation of ['Read', 'Write'] as const) {
          const causes = [
            'KeyRangeThroughput',
            'ProvisionedThroughput',
            'MaxOnDemandThroughput',
            'AccountLimit',
          ].map((cause) => sum(db, `${operation}${cause}ThrottleEvents`, resource));
          const total = sum(db, `${operation}ThrottleEvents`, resource);
          expect(causes.reduce((left, right) => left + right)).toBe(total);
          seen += total;
        }
    }),
    { numRuns: 12 },
  );
  expect(seen).toBeGreaterThan(50);
});

test('a throttled request has an event on each table and index that its reasons name, and on no other', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const db = new ObservedDatabase({ tables });
      const requests = new RandomRequests(seed, tables);
      for (let step = 0; step < 300; step++) {
        const { api, input } = requests.next();
        db.accesses.length = 0;
        const outcome = db.at(step / 4).send(api, input);
        // A batch tells the reasons of its first refused member only.
        if (outcome.kind !== 'throttled' || api.startsWith('Batch')) continue;
        const named = outcome.reasons.map(({ arn }) => JSON.stringify(resourceOfArn(arn ?? '')));
        const refused = db.accesses.map(({ tableName, indexName }) =>
          JSON.stringify({ tableName, indexName }),
        );
        expect(db.accesses.every(({ refusedBy, units }) => refusedBy !== undefined && units === 0)).toBe(
          true,
        );
        expect(new Set(refused)).toEqual(new Set(named));
      }
    }),
    { numRuns: 12 },
  );
});

test('accessed keys add up to 3 × write units + read units, scans left out', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const db = observed(seed);
      const options = { periodMinutes: 1, maxContributors: 25, orderBy: 'Sum' } as const;
      const rules = db.activity.insights.rules(db.wallMs(3_600));
      const counted = rules
        .filter(({ settings }) => settings.kind === 'PKC')
        .reduce((total, rule) => total + rule.report(hour, options).total, 0);
      const spent = db.accesses
        .filter(({ partition }) => partition !== undefined)
        .reduce((total, { operation, units }) => total + (operation === 'Write' ? 3 : 1) * units, 0);
      expect(counted).toBe(spent);
    }),
    { numRuns: 12 },
  );
});
