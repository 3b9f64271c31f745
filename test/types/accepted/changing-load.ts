// Load that changes over time and how throttled requests are tried again, each form once.
import { bursts, defineScenario, put, sine, trace } from 'dyno-load';

const observed: readonly number[] = [120, 180, 90];

export default defineScenario({
  question: 'What does the table make of load that changes?',
  abort: { 'bursting.throttledRatio': '> 50%', 'waving.response.p99': '> 2 s', validity: 'invalid' },
  tables: () => ({ keys: { partition: 'PK' } }),
  workloads: () => ({
    bursting: put({ rate: bursts({ rate: 500, for: '2s', pause: '8s' }), item: { PK: 'a' } }),
    between: put({
      rate: { poisson: bursts({ rate: 500, for: '2s', pause: '8s', baseRate: 10 }) },
      item: { PK: 'a' },
    }),
    waving: put({ rate: sine({ mean: 100, amplitude: 50, period: '1m' }), item: { PK: 'a' } }),
    traced: put({ rate: trace({ perSecond: observed }), item: { PK: 'a' } }),
    patient: put({
      rate: 10,
      item: { PK: 'a' },
      retry: { attempts: 5, baseMs: 50, maxMs: 2_000, on: ['throttled'] },
    }),
    usual: put({ rate: 10, item: { PK: 'a' }, retry: { attempts: 3, baseMs: 20 } }),
    before: put({ rate: 10, item: { PK: 'a' }, retry: 'sdk-before-2026' }),
    stamped: put({ rate: trace({ timestampsMs: [0, 12.5, 80] }), item: { PK: 'a' } }),
  }),
});
