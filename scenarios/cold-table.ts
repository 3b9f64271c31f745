// Do enough shards help on a table that has just been created?
//
// Ten shards are plenty for 3,000 orders a second once there are partitions for them. A new on-demand table
// has four, so that several shards share one, and they throttle until the table has split. Warming the
// table before the rush is the cure. The load is that of sharding.ts.
//
// Which shards meet on one partition is chance. On the four partitions of the new table about four
// placements in five put four shards or more on one of them and throttle; half of all throttle 6 % or more.
// The seed is one of those near the middle; with the usual seed 1 nothing throttles, by luck. The report
// says in which share of placements each variant would do, whatever the seed.
import { defineScenario, filler, put, queryShards, shards } from 'dyno-load';

export default defineScenario({
  question: 'Do ten shards carry 3,000 orders a second on a new table, or does it have to be warmed first?',
  seed: 4,
  parameters: {
    starts: {
      new: 'new',
      warm: { warmReadUnits: 12_000, warmWriteUnits: 20_000 },
    },
    count: [10],
  },
  tables: ({ starts }) => ({
    keys: { partition: 'PK', sort: 'SK' },
    indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', projection: 'ALL' } },
    billing: 'on-demand',
    starts,
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
