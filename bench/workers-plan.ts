// The plan that bench/workers.ts and its threads have in common.
import { planOf, stagesOf } from '../test/support/plan-builder.ts';
import { putRequest } from './sink.ts';

const CONCURRENCY = 64;
const SECONDS = 6;

/** As many puts as the sink answers. */
export const closedPlan = planOf({
  stages: stagesOf({ seconds: SECONDS }),
  workloads: [
    {
      load: { kind: 'closed', concurrency: CONCURRENCY, pauseUs: 0 },
      next: () => ({ kind: 'request', request: putRequest }),
    },
  ],
});
