// How many shards does the status key of an index need?
//
// Every new order has the status PENDING, and an index by status puts all of them under one key. A partition
// takes 1,000 write units a second, so at 3,000 orders a second one key cannot work. Adding a random suffix
// to the key spreads the writes over shards; readers then have to ask each shard and merge. Table and index
// start warm, so that there are partitions enough and only the key decides.
import { defineScenario, filler, put, queryShards, shards } from 'dyno-load';

export default defineScenario({
  question:
    'How many shards does STATUS#PENDING need for 3,000 orders a second, and what do they cost its readers?',
  parameters: { count: [1, 2, 5, 10] },
  tables: () => ({
    keys: { partition: 'PK', sort: 'SK' },
    indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', projection: 'ALL' } },
    billing: 'on-demand',
    starts: { warmReadUnits: 12_000, warmWriteUnits: 20_000 },
  }),
  stages: [
    { name: 'warm-up', duration: '10s', measured: false },
    { name: 'steady', duration: '30s' },
  ],
  workloads: ({ count }) => {
    const pending = shards('STATUS#PENDING', count);
    return {
      placeOrder: put({
        rate: 3000,
        // About 800 bytes: one write unit on the table and one on the index.
        item: ({ seq, random, nowIso }) => ({
          PK: `USER#${random.int(100_000)}`,
          SK: `ORDER#${seq}`,
          GSI1PK: pending.random(random),
          GSI1SK: `${nowIso}#${seq}`,
          note: filler('700 B'),
        }),
      }),
      readPending: queryShards({ rate: 50, index: 'GSI1', shards: pending, items: 50, newestFirst: true }),
    };
  },
  thresholds: {
    'placeOrder.throttledRatio': '< 0.1%',
    'readPending.response.p99': '< 50 ms',
  },
});
