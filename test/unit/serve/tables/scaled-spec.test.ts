// Aim: scaled throughput keeps the number of partitions and their proportions. Method: partitions of the same
// table under several factors, those that round badly included.
import { expect, test } from 'vitest';
import { capacityModels } from '../../../../src/capacity/capacity-model.ts';
import { startingPartitionCount } from '../../../../src/capacity/partition-map.ts';
import type { Billing, Start, TableSpec } from '../../../../src/dynamodb/table-spec.ts';
import { scaledModel, scaledSpec } from '../../../../src/serve/tables/scaled-spec.ts';

const model = capacityModels.default;
const table = (billing: Billing, start: Start): TableSpec => ({
  tableName: 't',
  logicalName: 't',
  keys: { partition: { name: 'pk', type: 'S' } },
  globalIndexes: [
    {
      name: 'i',
      keys: { partition: { name: 'pk', type: 'S' } },
      projection: { kind: 'ALL' },
      billing,
      start,
    },
  ],
  localIndexes: [],
  billing,
  start,
});

const tables = [
  table({ mode: 'on-demand' }, { kind: 'new' }),
  table({ mode: 'on-demand' }, { kind: 'warm', warmReadUnits: 21_000, warmWriteUnits: 9_000 }),
  table({ mode: 'provisioned', readUnits: 27_000, writeUnits: 9_000 }, { kind: 'new' }),
];

test.each([0.001, 0.1, 0.3, 0.7, 1, 3, 7.7])('a factor of %d keeps the number of partitions', (factor) => {
  for (const spec of tables) {
    const scaled = scaledSpec(spec, factor);
    for (const [before, after] of [
      [spec, scaled],
      [spec.globalIndexes[0], scaled.globalIndexes[0]],
    ] as const) {
      const count = startingPartitionCount({ ...(before as TableSpec), initialBytes: 0 }, model);
      expect(
        startingPartitionCount({ ...(after as TableSpec), initialBytes: 0 }, scaledModel(model, factor)),
      ).toBe(count);
    }
  }
});

test('ceilings, quotas, provisioned units and maxima are all multiplied', () => {
  expect(scaledModel(model, 0.1)).toMatchObject({
    partitionWriteUnits: 100,
    partitionReadUnits: 300,
    tableQuotaUnits: 4_000,
    partitionBurstSeconds: model.partitionBurstSeconds,
  });
  const maxima: Billing = { mode: 'on-demand', maximumReadUnits: 50, maximumWriteUnits: 20 };
  expect(scaledSpec(table(maxima, { kind: 'new' }), 0.5).billing).toEqual({
    mode: 'on-demand',
    maximumReadUnits: 25,
    maximumWriteUnits: 10,
  });
  const provisioned = scaledSpec(
    table({ mode: 'provisioned', readUnits: 10, writeUnits: 4 }, { kind: 'new' }),
    0.5,
  ).billing;
  expect(provisioned).toMatchObject({ mode: 'provisioned' });
  expect(provisioned).toHaveProperty('readUnits', expect.closeTo(5, 6));
});
