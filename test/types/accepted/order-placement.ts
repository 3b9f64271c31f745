import { defineScenario, transactWrite, preload, pool, hotspot, query } from 'dyno-load';
export default defineScenario({
  question: 'How many orders a second before contention on stock cancels more than 1% of them?',
  parameters: { products: [10, 1000] },
  tables: () => ({ keys: { partition: 'PK', sort: 'SK' } }),
  data: ({ products }) => ({
    stock: preload({
      count: products,
      item: ({ index }) => ({ PK: `PROD#${index}`, SK: 'STOCK', left: 1_000_000 }),
    }),
    placed: pool<string>(),
  }),
  workloads: (_, { stock, placed }) => ({
    placeOrder: transactWrite({
      rate: 200,
      expect: ['conditionFailed'],
      token: ({ random }) => random.uuid(),
      writes: ({ seq, random, nowIso }) => {
        const p = stock.pick(random, hotspot({ share: 0.8, of: 0.1 }));
        return [
          {
            put: {
              item: { PK: `ORDER#${seq}`, SK: 'ORDER', at: nowIso },
              condition: { expression: 'attribute_not_exists(PK)' },
            },
          },
          {
            update: {
              key: { PK: p.PK, SK: p.SK },
              add: { left: -1 },
              condition: { expression: '#l > :zero', names: { '#l': 'left' }, values: { ':zero': 0 } },
            },
          },
          { update: { key: { PK: 'COUNTER', SK: 'ORDERS' }, add: { n: 1 } } },
        ];
      },
      remember: { in: placed, as: (_, { seq }) => `ORDER#${seq}` },
    }),
    readBack: query({ rate: 50, partition: ({ random }) => placed.pick(random), consistent: true }),
  }),
  thresholds: { 'placeOrder.conflictRatio': '< 1%' },
});
