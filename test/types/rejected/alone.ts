// One mistake in each scenario, on the line below its name. The compiler must find all of them.
import { defineScenario, flow, put, query, scan, shards, queryShards, pool } from 'dyno-load';

const table = () => ({ keys: { partition: 'PK' }, indexes: { GSI1: { partition: 'G' } } }) as const;
const question = 'Is it an error?';

export const unknownMetric = defineScenario({
  question,
  tables: table,
  workloads: () => ({ r: query({ rate: 1, partition: 'a' }) }),
  // mistake: unknown metric
  thresholds: { 'r.throttleRatio': '< 1%' },
});

export const wrongUnit = defineScenario({
  question,
  tables: table,
  workloads: () => ({ r: query({ rate: 1, partition: 'a' }) }),
  // mistake: a ratio has no milliseconds
  thresholds: { 'r.throttledRatio': '< 1 ms' },
});

export const latencyInPercent = defineScenario({
  question,
  tables: table,
  workloads: () => ({ r: query({ rate: 1, partition: 'a' }) }),
  // mistake: a latency is no share
  thresholds: { 'r.response.p99': '< 1%' },
});

export const rateAndConcurrency = defineScenario({
  question,
  tables: table,
  // mistake: open loop or closed loop, not both
  workloads: () => ({ r: query({ rate: 1, concurrency: 1, partition: 'a' }) }),
});

export const scanIndex = defineScenario({
  question,
  tables: table,
  // mistake: unknown index of a scan
  workloads: () => ({ r: scan({ rate: 1, index: 'GSI3' }) }),
});

export const shardsWithLimit = defineScenario({
  question,
  tables: table,
  // mistake: the limit of a sharded read is its items
  workloads: () => ({ r: queryShards({ rate: 1, shards: shards('x', 2), items: 1, limit: 2 }) }),
});

export const twoComparisons = defineScenario({
  question,
  tables: table,
  // mistake: unknown comparison
  workloads: () => ({ r: query({ rate: 1, partition: 'a', sort: { startsWith: 'x' } }) }),
});

export const poolOfOther = defineScenario({
  question,
  tables: table,
  data: () => ({ names: pool<string>() }),
  workloads: (_, { names }) => ({
    // mistake: a pool of texts takes no numbers
    r: put({ rate: 1, item: { PK: 'a' }, remember: { in: names, as: (_item, { seq }) => seq } }),
  }),
});

export const unknownDatum = defineScenario({
  question,
  tables: table,
  data: () => ({ names: pool<string>() }),
  // mistake: unknown member of data
  workloads: (_, { name }) => ({ r: query({ rate: 1, partition: ({ random }) => name.pick(random) }) }),
});

export const stringParameter = defineScenario({
  question,
  parameters: { how: ['query', 'scan'] },
  tables: table,
  // mistake: a value that the parameter never has
  workloads: ({ how }) => ({ r: query({ rate: how === 'scann' ? 1 : 2, partition: 'a' }) }),
});

export const flowSpec = defineScenario({
  question,
  tables: table,
  workloads: () => ({
    r: flow({
      rate: 1,
      run: async (db) => {
        // mistake: a get needs a key
        await db.get('x', {});
      },
    }),
  }),
});

export const keyless = defineScenario({
  question,
  // mistake: a table has keys
  tables: () => ({ indexes: { GSI1: { partition: 'G' } } }),
  workloads: () => ({ r: query({ rate: 1, partition: 'a' }) }),
});

export const projection = defineScenario({
  question,
  // mistake: unknown projection
  tables: () => ({ keys: { partition: 'PK' }, indexes: { GSI1: { partition: 'G', projection: 'SOME' } } }),
  workloads: () => ({ r: query({ rate: 1, partition: 'a' }) }),
});
