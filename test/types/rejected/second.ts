import { defineScenario, query, flow } from 'dyno-load';
export const c = defineScenario({
  question: '',
  tables: () => ({ keys: { partition: 'PK' } }),
  workloads: () => ({ r: query({ rate: 1, partition: 'a' }) }),
  thresholds: { 'rr.throttledRatio': '< 1%' },
});
export const d = defineScenario({
  question: '',
  tables: () => ({ keys: { partition: 'PK' }, indexes: { GSI1: { partition: 'G' } } }),
  workloads: () => ({
    r: flow({
      rate: 1,
      run: async (db) => {
        await db.query('x', { index: 'GSI9', partition: 'a' });
      },
    }),
  }),
});
export const e = defineScenario({
  question: '',
  tables: () => ({ keys: { partition: 'PK' }, indexes: { GSI1: { partition: 'G' } } }),
  workloads: () => ({ r: query({ partition: 'a' }) }),
});
export const f = defineScenario({
  question: '',
  tables: () => ({ keys: { partition: 'PK' } }),
  stages: [{ name: 'x', duration: '10 sec' }],
  workloads: () => ({ r: query({ rate: 1, partition: 'a', index: 'GSI1' }) }),
});
