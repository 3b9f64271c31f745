// Flows that name indexes of a single table, global and local.
import { defineScenario, flow } from 'dyno-load';

export default defineScenario({
  question: 'Does a flow know the indexes of the only table?',
  tables: () => ({
    keys: { partition: 'PK', sort: 'SK' },
    indexes: { GSI1: { partition: 'G' }, GSI2: { partition: 'H' } },
    localIndexes: { LSI1: { sort: 'at' } },
  }),
  workloads: (_parameters) => ({
    ask: flow({
      rate: 1,
      run: async (db) => {
        await db.query('one', { index: 'GSI1', partition: 'a' });
        await db.query('two', { index: 'LSI1', partition: 'a' });
      },
    }),
    other: flow({
      rate: 1,
      async run(db, { random }) {
        await db.scan('three', { index: random.pick(['GSI1', 'GSI2'] as const) });
      },
    }),
  }),
});
