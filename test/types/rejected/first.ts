import { defineScenario, queryShards, query, flow, shards, put } from 'dyno-load';
export const a = defineScenario({
  question: '',
  parameters: { n: [1, 2] },
  tables: () => ({ keys: { partition: 'PK' }, indexes: { GSI1: { partition: 'G' } } }),
  workloads: ({ n }) => ({ r: queryShards({ rate: 1, index: 'GSI2', shards: shards('x', n), items: 1 }) }),
});
export const b = defineScenario({
  question: '',
  parameters: { n: [1, 2] },
  tables: () => ({ keys: { partition: 'PK' } }),
  workloads: ({ m }) => ({ r: query({ rate: 1, partition: 'a' }) }),
});
export const c = defineScenario({
  question: '',
  tables: () => ({ keys: { partition: 'PK' } }),
  workloads: () => ({ r: query({ rate: 1, partition: 'a' }) }),
  thresholds: { 'rr.throttledRatio': '< 1%', 'r.response.p99': '< 5 parsec' },
});
