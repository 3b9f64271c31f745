// Aim: as many connections are opened before load as its first requests need. Method: plans of one or two
// workloads, counted by hand.
import { expect, test } from 'vitest';
import { plannedInFlight } from '../../../src/engine/planned-in-flight.ts';
import type { PlannedLoad } from '../../../src/scenario/run-plan.ts';
import { perSecond, planOf, stagesOf, type WorkloadWishes } from '../../support/plan-builder.ts';

const closed = (concurrency: number): PlannedLoad => ({ kind: 'closed', concurrency, pauseUs: 0 });
const twiceAsMuch = stagesOf({ seconds: 5, isMeasured: false }, { seconds: 10, rateFactor: 2 });

test.each<[string, WorkloadWishes[], number]>([
  [
    '1,000 a second for 20 ms are 20, and 40 in the stage of the double rate',
    [{ load: perSecond(1_000) }],
    40,
  ],
  ['a slow workload still needs one', [{ load: perSecond(0.5) }], 1],
  ['a closed loop needs one for each at once', [{ load: closed(30) }], 30],
  ['never more than may be in flight', [{ load: perSecond(50_000), policy: { maxInFlight: 100 } }], 100],
  ['workloads add up', [{ load: closed(7) }, { load: perSecond(100) }], 11],
])('%s', (_, workloads, connections) => {
  expect(plannedInFlight(planOf({ workloads, stages: twiceAsMuch }))).toBe(connections);
});
