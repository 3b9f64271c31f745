import { defineScenario, query, scan, preload, filler } from 'dyno-load';
export default defineScenario({
  question: 'Pending orders of one customer: Query, Query + filter, Scan + filter or parallel Scan?',
  parameters: { how: ['query', 'query-filter', 'scan-filter', 'parallel-scan'], segments: [1, 8] },
  skip: ({ how, segments }) => (how === 'parallel-scan') === (segments === 1),
  tables: () => ({ keys: { partition: 'PK', sort: 'SK' } }),
  data: () => ({
    orders: preload({
      count: 200_000,
      item: ({ index, random }) => ({
        PK: `CUST#${index % 2000}`,
        SK: `${index % 5 ? 'DONE' : 'PENDING'}#${index}`,
        status: index % 5 ? 'DONE' : 'PENDING',
        body: filler('450 B'),
      }),
    }),
  }),
  workloads: ({ how, segments }) => {
    const filter = { expression: '#s = :s', names: { '#s': 'status' }, values: { ':s': 'PENDING' } };
    const customer = 'CUST#7';
    return {
      ask:
        how === 'query'
          ? query({ concurrency: 1, partition: customer, sort: { beginsWith: 'PENDING#' }, pages: 'all' })
          : how === 'query-filter'
            ? query({ concurrency: 1, partition: customer, filter, pages: 'all' })
            : scan({
                concurrency: 1,
                filter: {
                  expression: 'PK = :p AND #s = :s',
                  names: { '#s': 'status' },
                  values: { ':p': customer, ':s': 'PENDING' },
                },
                segments,
                pages: 'all',
              }),
    };
  },
  thresholds: { 'ask.readUnitsPerReturnedItem': '< 0.5' },
});
