import { defineScenario, put, queryShards, update, pool, shards, filler } from 'dyno-load';
export default defineScenario({
  question: 'How many shards, and random or calculated suffix, for STATUS#PENDING at 3,000 orders a second?',
  parameters: { count: [1, 2, 5, 10, 20], suffix: ['random', 'calculated'] },
  skip: ({ count, suffix }) => count === 1 && suffix === 'calculated',
  tables: () => ({
    keys: { partition: 'PK', sort: 'SK' },
    indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', projection: 'ALL' } },
    billing: 'on-demand',
    starts: { warmReadUnits: 12_000, warmWriteUnits: 20_000 },
  }),
  data: () => ({ pending: pool<{ PK: string; SK: string; shard: string }>({ keep: 100_000 }) }),
  workloads: ({ count, suffix }, { pending }) => {
    const status = shards('STATUS#PENDING', count);
    const shipped = shards('STATUS#SHIPPED', count);
    return {
      placeOrder: put({
        rate: 3000,
        item: ({ seq, random, nowIso }) => ({
          PK: `USER#${random.int(100_000)}`,
          SK: `ORDER#${seq}`,
          GSI1PK: suffix === 'random' ? status.random(random) : status.of(`ORDER#${seq}`),
          GSI1SK: nowIso,
          note: filler('700 B'),
        }),
        remember: {
          in: pending,
          as: (i) => ({ PK: i.PK as string, SK: i.SK as string, shard: i.GSI1PK as string }),
        },
      }),
      ship: update({
        rate: 500,
        key: ({ random }) => {
          const o = pending.take();
          return { PK: o.PK, SK: o.SK };
        },
        set: ({ random, nowIso }) => ({ GSI1PK: shipped.random(random), GSI1SK: nowIso }),
      }),
      readPending: queryShards({
        rate: 20,
        index: 'GSI1',
        shards: status,
        items: 50,
        newestFirst: true,
        parallel: 10,
      }),
    };
  },
  thresholds: { 'placeOrder.throttledRatio': '< 0.1%', 'readPending.response.p99': '< 50 ms' },
});
