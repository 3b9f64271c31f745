// Which way of finding one customer's pending orders is paid for by what it returns?
//
// A Query on the key reads just the items wanted. A filter makes the answer smaller and never the bill, so
// Query with a filter pays for all orders of the customer, and Scan with a filter for the whole table. A
// parallel Scan is faster and costs the same. Units per returned item tell them apart.
import { defineScenario, filler, preload, query, scan } from 'dyno-load';

const CUSTOMERS = 300;
const ORDERS = 30_000;

export default defineScenario({
  question:
    'Pending orders of one customer: Query, Query with a filter, Scan with a filter, or a parallel Scan?',
  parameters: {
    how: ['query', 'query-filter', 'scan-filter', 'parallel-scan'],
    segments: [1, 8],
  },
  skip: ({ how, segments }) => (how === 'parallel-scan') === (segments === 1),
  tables: () => ({ keys: { partition: 'PK', sort: 'SK' } }),
  data: () => ({
    // 100 orders for each customer, 20 of them pending; about 500 bytes each, 15 MB in all.
    orders: preload({
      count: ORDERS,
      item: ({ index }) => {
        const status = Math.floor(index / CUSTOMERS) % 5 === 0 ? 'PENDING' : 'DONE';
        return { PK: `CUST#${index % CUSTOMERS}`, SK: `${status}#${index}`, status, body: filler('450 B') };
      },
    }),
  }),
  stages: [
    { name: 'warm-up', duration: '2s', measured: false },
    { name: 'steady', duration: '10s' },
  ],
  workloads: ({ how, segments }) => {
    const customer = 'CUST#7';
    const isPending = { expression: '#s = :s', names: { '#s': 'status' }, values: { ':s': 'PENDING' } };
    const isTheirs = {
      expression: 'PK = :p AND #s = :s',
      names: { '#s': 'status' },
      values: { ':p': customer, ':s': 'PENDING' },
    };
    if (how === 'query')
      return {
        ask: query({
          concurrency: 1,
          pause: '200ms',
          partition: customer,
          sort: { beginsWith: 'PENDING#' },
          pages: 'all',
        }),
      };
    if (how === 'query-filter')
      return {
        ask: query({ concurrency: 1, pause: '200ms', partition: customer, filter: isPending, pages: 'all' }),
      };
    return { ask: scan({ concurrency: 1, pause: '200ms', filter: isTheirs, segments, pages: 'all' }) };
  },
  thresholds: { 'ask.readUnitsPerReturnedItem': '< 0.5' },
});
