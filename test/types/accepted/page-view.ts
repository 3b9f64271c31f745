import { defineScenario, flow, preload, zipfian, filler, update } from 'dyno-load';
export default defineScenario({
  question: 'One page view, five access patterns: single table or one table per entity?',
  parameters: { design: ['single', 'per-entity'] },
  tables: ({ design }) => ({
    main: {
      keys: { partition: 'PK', sort: 'SK' },
      indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
    },
    products: { keys: { partition: 'PK', sort: 'SK' } },
  }),
  data: ({ design }) => ({
    customers: preload({
      table: 'main',
      count: 50_000,
      item: ({ index }) => ({ PK: `CUST#${index}`, SK: `CUST#${index}`, name: `c${index}` }),
    }),
    products: preload({
      table: design === 'single' ? 'main' : 'products',
      count: 20_000,
      item: ({ index, random }) => ({
        PK: `PROD#${index}`,
        SK: 'PROD',
        GSI1PK: `CAT#${random.int(200)}`,
        GSI1SK: `PRICE#${String(random.int(100_000)).padStart(8, '0')}`,
        body: filler('2 KB'),
      }),
    }),
  }),
  workloads: ({ design }, { customers, products }) => ({
    pageView: flow({
      rate: 800,
      run: async (db, { random }) => {
        const c = customers.pick(random, zipfian(0.99));
        const customer = await db.get('customer', { table: 'main', key: { PK: c.PK, SK: c.SK } });
        const [orders, category] = await Promise.all([
          db.query('orders', {
            table: 'main',
            partition: c.PK,
            sort: { beginsWith: 'ORDER#' },
            newestFirst: true,
            limit: 10,
          }),
          db.query('category', {
            table: 'main',
            index: 'GSI1',
            partition: `CAT#${random.int(200)}`,
            limit: 24,
          }),
        ]);
        const first = orders.items[0];
        if (first)
          await db.query('lines', {
            table: 'main',
            partition: `ORDER#${first.SK as string}`,
            sort: { beginsWith: 'ITEM#' },
          });
        const p = products.pick(random, zipfian());
        await db.get('product', {
          table: design === 'single' ? 'main' : 'products',
          key: { PK: p.PK, SK: p.SK },
          consistent: false,
        });
      },
    }),
  }),
  thresholds: { 'pageView.response.p99': '< 100 ms', 'pageView.requestsPerOperation': '<= 5' },
});
