import { defineScenario, put, queryShards, preload, shards, filler } from 'dyno-load';
export default defineScenario({
  question:
    'Does an event log keyed by day survive 5,000 events a second, and what does reading the last minute cost?',
  parameters: { count: [1, 8, 16] },
  startsAt: '2026-01-01T23:59:00Z',
  tables: () => ({ keys: { partition: 'PK', sort: 'SK' } }),
  data: ({ count }) => ({
    history: preload({
      count: 50_000,
      item: ({ index, random }) => ({
        PK: shards('EVENTS#2025-12-31', count).random(random),
        SK: `2025-12-31T${String(index % 24).padStart(2, '0')}#${index}`,
        body: filler('300 B'),
      }),
    }),
  }),
  workloads: ({ count }) => ({
    append: put({
      rate: { poisson: 5000 },
      item: ({ now, nowIso, seq, random }) => ({
        PK: shards(`EVENTS#${nowIso.slice(0, 10)}`, count).random(random),
        SK: `${nowIso}#${seq}`,
        body: filler('300 B'),
      }),
    }),
    lastMinute: queryShards({
      rate: 2,
      shards: shards('EVENTS#2026-01-01', count),
      sort: ({ now }) => ({ atLeast: new Date(now.getTime() - 60_000).toISOString() }),
      items: 'all',
    }),
  }),
});
