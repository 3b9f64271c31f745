// Aim: the record of a workload covers the whole time in which load was offered. Method: recorders filled by
// hand, as by a workload that falls silent before the end.
import { expect, test } from 'vitest';
import { workloadRecords } from '../../../src/engine/variant-record.ts';
import { WorkloadRecorder } from '../../../src/engine/workload-recorder.ts';
import { US_PER_SECOND } from '../../../src/units.ts';
import { planOf, stagesOf } from '../../support/plan-builder.ts';

/** The series of a workload whose only operation was due in the third second of ten. */
function seriesAfter(reachedSeconds: number) {
  const plan = planOf({ stages: stagesOf({ seconds: 4 }, { seconds: 6 }) });
  const recorder = new WorkloadRecorder(plan.stages, true);
  recorder.planned(0, 2.5 * US_PER_SECOND);
  const reachedUs = reachedSeconds * US_PER_SECOND;
  const measurement = { recorders: [recorder], status: 'complete', reachedUs, mostInFlight: 1 } as const;
  return workloadRecords(plan, measurement)[0]?.series;
}

test.each([
  ['a run that drained for two seconds more', 12, 10],
  ['a run that was interrupted after seven seconds and a half', 7.5, 8],
  ['a run that was interrupted before any load', 0, 3],
])('the series of %s shows its silent seconds and none beyond', (_, reachedSeconds, windows) => {
  const series = seriesAfter(reachedSeconds);
  expect(series?.planned).toEqual(Array.from({ length: windows }, (_window, second) => Number(second === 2)));
  expect(series?.maxResponseUs).toHaveLength(windows);
});
