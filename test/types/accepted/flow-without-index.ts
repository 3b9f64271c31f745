// A flow over a table that has no index at all.
import { defineScenario, flow } from 'dyno-load';

export default defineScenario({
  question: 'Does a flow compile where there is no index to name?',
  tables: () => ({ keys: { partition: 'PK' } }),
  workloads: () => ({
    ask: flow({
      rate: 1,
      run: async (db) => {
        const page = await db.query('one', { partition: 'a' });
        await db.put('two', { item: { PK: `${page.count}` } });
      },
    }),
  }),
});
