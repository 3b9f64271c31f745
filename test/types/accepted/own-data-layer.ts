import { defineScenario, custom } from 'dyno-load';
import { Entity } from 'electrodb';
const model = {
  model: { entity: 'order', version: '1', service: 'shop' },
  attributes: { customer: { type: 'string' }, id: { type: 'string' }, status: { type: 'string' } },
  indexes: {
    byCustomer: { pk: { field: 'pk', composite: ['customer'] }, sk: { field: 'sk', composite: ['id'] } },
    byStatus: {
      index: 'gsi1',
      pk: { field: 'gsi1pk', composite: ['status'] },
      sk: { field: 'gsi1sk', composite: ['id'] },
    },
  },
} as const;
export default defineScenario({
  question: 'Does our ElectroDB data layer throttle at 200 orders a second?',
  tables: () => ({
    keys: { partition: 'pk', sort: 'sk' },
    indexes: { gsi1: { partition: 'gsi1pk', sort: 'gsi1sk' } },
  }),
  workloads: () => ({
    create: custom({
      rate: 200,
      setup: ({ documentClient, tableName }) =>
        new Entity(model, { client: documentClient, table: tableName() }),
      run: (orders, { seq, random }) =>
        orders.put({ customer: `c${random.int(1000)}`, id: `o${seq}`, status: 'PENDING' }).go(),
    }),
  }),
  thresholds: { 'create.throttledRatio': '< 0.1%' },
});
