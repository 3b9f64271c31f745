// Aim: what is taken of recorders in segments, put together again, is the whole, whatever happened and
// wherever the cuts lie. Method: plans in virtual time against a scripted target that throttles, fails,
// answers partly and late; the restored records must equal the real ones.
import { describe, expect, test } from 'vitest';
import { type SegmentsLine, segmentsLine } from '../../../src/analysis/records/segments.ts';
import { VirtualClock } from '../../../src/clock.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { restoreSegment } from '../../../src/engine/restore-recorder.ts';
import { VariantRun } from '../../../src/engine/run-variant.ts';
import { SegmentRecorder } from '../../../src/engine/segment-recorder.ts';
import { recordedPlan, recordedWorkloads, workloadRecords } from '../../../src/engine/variant-record.ts';
import { WorkloadRecorder } from '../../../src/engine/workload-recorder.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { perSecond, planOf, stagesOf } from '../../support/plan-builder.ts';
import { okOutcome, type Script, ScriptedTarget, throttledOutcome } from '../../support/scripted-target.ts';

/** Runs a plan, and gives its lines as a file would give them back. */
async function runInSegments(plan: RunPlan, script: Script) {
  const clock = new VirtualClock();
  const run = new VariantRun(plan, clock, new ScriptedTarget(clock, script));
  const lines: SegmentsLine[] = [];
  const segments = new SegmentRecorder({
    clock,
    recorders: run.recorders,
    endUs: plan.stages.at(-1)?.endUs ?? 0,
    write: (line) => lines.push(segmentsLine.parse(JSON.parse(JSON.stringify(line)))),
  });
  segments.start();
  const measurement = await run.run();
  segments.finish(measurement);
  return { measurement, lines, spans: lines.filter((line) => line.kind === 'segment') };
}

function restore(plan: RunPlan, lines: readonly SegmentsLine[], reachedUs: number) {
  const recorders = plan.workloads.map(() => new WorkloadRecorder(plan.stages, true));
  for (const line of lines) {
    if (line.kind !== 'segment') continue;
    for (const part of line.workloads) restoreSegment(recorders[part.workload] as WorkloadRecorder, part);
  }
  return recordedWorkloads(recordedPlan(plan), { recorders, reachedUs });
}

const failed: Outcome = { kind: 'failed', code: 'InternalServerError', message: 'no', requestId: 'r' };

/**
 * Three ends in turn, and latencies from one to three seconds: answers come in later segments than their
 * operations.
 */
const mixed: Script = {
  serviceUs: (request) => 1_000 + (request.sequence % 7) * 300_001,
  outcome: (request) =>
    request.sequence % 5 === 0 ? throttledOutcome : request.sequence % 11 === 0 ? failed : okOutcome,
};

describe('segments of a run', () => {
  const stages = stagesOf({ seconds: 3, isMeasured: false }, { seconds: 70 });

  test.each<{ name: string; rates: number[]; retry?: 'sdk' }>([
    { name: 'a slow one, cut by the minute', rates: [20, 3] },
    { name: 'a fast one, cut by its operations', rates: [900, 40] },
    { name: 'one with a workload that does nothing', rates: [50, 0.001] },
    { name: 'one that sends again', rates: [100, 3], retry: 'sdk' },
  ])('of $name add up to its whole record', async ({ rates, retry }) => {
    const policy = { retry: retry ?? 'none' } as const;
    const workloads = rates.map((rate) => ({ load: perSecond(rate), policy }));
    const plan = planOf({ stages, workloads });
    const { measurement, lines, spans } = await runInSegments(plan, mixed);
    expect(spans.length).toBeGreaterThan(1);
    expect(restore(plan, lines, measurement.reachedUs)).toEqual(workloadRecords(plan, measurement));
    expect(lines.at(-1)).toEqual({ kind: 'end', status: 'complete', reachedUs: measurement.reachedUs });
  });

  test('of one that a condition of the scenario ended tell which, and what it saw', async () => {
    const plan = planOf({ stages, workloads: [{ load: perSecond(50) }] });
    const name = plan.workloads[0]?.name ?? '';
    const condition = {
      workload: name,
      metric: 'throttledRatio',
      comparator: '>',
      limit: 0.5,
      text: `${name}.throttledRatio > 50%`,
    } as const;
    const { lines } = await runInSegments(
      { ...plan, abortConditions: [condition] },
      { outcome: () => throttledOutcome },
    );
    const atUs = 13_000_000;
    const abort = { condition: condition.text, value: 1, atUs };
    expect(lines.at(-1)).toEqual({ kind: 'end', status: 'interrupted', reachedUs: atUs, abort });
  });

  test('hold how often requests were sent again', async () => {
    const workloads = [{ load: perSecond(90), policy: { retry: 'sdk' as const } }];
    const plan = planOf({ stages, workloads });
    const { measurement, lines } = await runInSegments(plan, {
      outcome: ({ sequence, part }) => (part < sequence % 3 ? throttledOutcome : okOutcome),
    });
    const restored = restore(plan, lines, measurement.reachedUs);
    expect(restored[0]?.measured.retries?.attempts.length).toBeGreaterThan(1);
    expect(restored).toEqual(workloadRecords(plan, measurement));
  });

  test('lie end to end', async () => {
    const plan = planOf({ stages, workloads: [{ load: perSecond(900) }] });
    const { measurement, spans } = await runInSegments(plan, mixed);
    expect(spans.map(({ fromUs }) => fromUs)).toEqual([0, ...spans.slice(0, -1).map((one) => one.untilUs)]);
    expect(spans.at(-1)?.untilUs).toBe(measurement.reachedUs);
  });

  test('are the same again for the same plan', async () => {
    const plan = planOf({ stages, workloads: [{ load: perSecond(900, 'poisson') }] });
    const [once, again] = [await runInSegments(plan, mixed), await runInSegments(plan, mixed)];
    expect(JSON.stringify(once.lines)).toBe(JSON.stringify(again.lines));
  });

  test('do not change what is recorded', async () => {
    const plan = planOf({ stages, workloads: [{ load: perSecond(900, 'poisson') }] });
    const clock = new VirtualClock();
    const alone = await new VariantRun(plan, clock, new ScriptedTarget(clock, mixed)).run();
    const { measurement } = await runInSegments(plan, mixed);
    expect(workloadRecords(plan, measurement)).toEqual(workloadRecords(plan, alone));
  });

  test('up to a cut hold the operations that were planned until then', async () => {
    const plan = planOf({ stages, workloads: [{ load: perSecond(900) }] });
    const { lines, spans } = await runInSegments(plan, mixed);
    const upTo = lines.indexOf(spans[1] as SegmentsLine) + 1;
    const [workload] = restore(plan, lines.slice(0, upTo), spans[1]?.untilUs ?? 0);
    const planned = workload?.stages.reduce((sum, { totals }) => sum + totals.planned, 0);
    // A segment ends before what is due at the moment of its end.
    expect(planned).toBe(((spans[1]?.untilUs ?? 0) / 1_000_000) * 900);
    expect(workload?.series.planned.reduce((sum, count) => sum + count, 0)).toBe(planned);
  });
});
