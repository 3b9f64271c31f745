// The load of the memory benchmarks: 1,000 operations a second over ten thousand items, half of them puts,
// half gets, none throttled. The number of items stays the same, so that whatever grows is dyno-load's own.
import { defineScenario, filler, get, put } from 'dyno-load';

const ITEMS = 10_000;
const customer = (index: number) => `CUSTOMER#${String(index).padStart(5, '0')}`;

export default defineScenario({
  question: 'Does memory stay flat over a long run?',
  tables: () => ({
    keys: { partition: 'PK' },
    billing: 'on-demand',
    starts: { warmReadUnits: 12_000, warmWriteUnits: 4_000 },
  }),
  stages: [{ name: 'steady', duration: '1h' }],
  workloads: () => ({
    write: put({
      rate: 500,
      item: ({ random }) => ({ PK: customer(random.int(ITEMS)), note: filler('300 B') }),
    }),
    read: get({ rate: 500, key: ({ random }) => ({ PK: customer(random.int(ITEMS)) }) }),
  }),
});
