// Does a hot key get better by itself, if one waits?
//
// A partition that stays near its ceiling is split within minutes, also inside the items of a single key: part
// of its sort keys move to another partition. That helps only if new writes fall on both sides of the cut. A
// sort key that begins with the time puts every new item behind all others, so the later part stays as hot as
// the whole was, and DynamoDB does not split there.
//
// One tenant writes 1,400 write units a second, in items of 8 KB to keep the run short. The model takes 180 s
// to find the partition hot and 300 s to split it; AWS publishes neither figure (see model in the README).
import { defineScenario, filler, put } from 'dyno-load';

export default defineScenario({
  question: 'Is a tenant with 1,400 write units a second still throttled after ten minutes, by sort key?',
  parameters: { sortKey: ['random', 'time'] },
  tables: () => ({ keys: { partition: 'PK', sort: 'SK' } }),
  stages: [
    // The hot spell that makes DynamoDB split; what it throttles is not what is asked.
    { name: 'hot', duration: '10m', measured: false },
    { name: 'later', duration: '5m' },
  ],
  workloads: ({ sortKey }) => ({
    order: put({
      rate: { wcu: 1_400 },
      item: ({ seq, random, nowIso }) => ({
        PK: 'TENANT#acme',
        SK: sortKey === 'random' ? `ORDER#${random.uuid()}` : `ORDER#${nowIso}#${seq}`,
        body: filler('8000 B'),
      }),
    }),
  }),
  thresholds: { 'order.throttledRatio': '< 0.1%' },
});
