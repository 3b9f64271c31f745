// Load that changes over time, each form once.
import { bursts, defineScenario, put, sine, trace } from 'dyno-load';

const observed: readonly number[] = [120, 180, 90];

export default defineScenario({
  question: 'What does the table make of load that changes?',
  tables: () => ({ keys: { partition: 'PK' } }),
  workloads: () => ({
    bursting: put({ rate: bursts({ rate: 500, for: '2s', pause: '8s' }), item: { PK: 'a' } }),
    between: put({
      rate: { poisson: bursts({ rate: 500, for: '2s', pause: '8s', baseRate: 10 }) },
      item: { PK: 'a' },
    }),
    waving: put({ rate: sine({ mean: 100, amplitude: 50, period: '1m' }), item: { PK: 'a' } }),
    traced: put({ rate: trace({ perSecond: observed }), item: { PK: 'a' } }),
    stamped: put({ rate: trace({ timestampsMs: [0, 12.5, 80] }), item: { PK: 'a' } }),
  }),
});
