// The cheapest simulated operation there is, for bench/simulated.ts: puts of small items into a table without
// indexes.
import { defineScenario, filler, put } from 'dyno-load';

export default defineScenario({
  question: 'How many simulated puts does one second of a processor pay for?',
  tables: () => ({
    keys: { partition: 'PK', sort: 'SK' },
    billing: 'on-demand',
    starts: { warmReadUnits: 12_000, warmWriteUnits: 20_000 },
  }),
  stages: [{ name: 'steady', duration: '60s' }],
  workloads: () => ({
    write: put({
      rate: 10_000,
      item: ({ seq, random }) => ({
        PK: `USER#${random.int(100_000)}`,
        SK: `ORDER#${seq}`,
        note: filler('400 B'),
      }),
    }),
  }),
});
