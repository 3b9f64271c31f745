// Aim: parts of several workers add up to the record that one would have made, exactly, however the work is
// shared out, wherever the parts are cut and in whatever order they come in. Method: random operations
// recorded at once and in random shares; and whole plans in virtual time against a target that throttles,
// fails and answers late, made by 1, 2, 3 and 5 workers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkloadSegment } from '../../../src/analysis/records/segments.ts';
import { VirtualClock } from '../../../src/clock.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { VariantRun } from '../../../src/engine/run-variant.ts';
import { SegmentSource } from '../../../src/engine/segment-source.ts';
import { type FinishedKind, StageRecorder } from '../../../src/engine/stage-recorder.ts';
import { workloadRecords } from '../../../src/engine/variant-record.ts';
import { sharePlan, shareOf } from '../../../src/engine/work-share.ts';
import { WorkloadRecorder } from '../../../src/engine/workload-recorder.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { US_PER_SECOND } from '../../../src/units.ts';
import { PartMerger } from '../../../src/workers/merge-parts.ts';
import { perSecond, planOf, stagesOf } from '../../support/plan-builder.ts';
import { okOutcome, type Script, ScriptedTarget, throttledOutcome } from '../../support/scripted-target.ts';

interface Part {
  readonly worker: number;
  readonly workloads: readonly WorkloadSegment[];
}

/** Merges parts as they come over from threads. */
function merged(plan: RunPlan, parts: readonly Part[]): WorkloadRecorder[] {
  const recorders = plan.workloads.map(() => new WorkloadRecorder(plan.stages, true));
  const merger = new PartMerger(
    recorders,
    plan.stages.map(({ isMeasured }) => isMeasured),
  );
  for (const { worker, workloads } of parts) merger.add(worker, structuredClone(workloads));
  return recorders;
}

/** Takes parts in turns that the numbers decide; those of one worker stay in their order. */
function interleaved(byWorker: readonly (readonly Part[])[], choices: readonly number[]): Part[] {
  const queues = byWorker.map((parts) => [...parts]);
  const order: Part[] = [];
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[(choices[turn % choices.length] ?? 0) % waiting.length]?.shift();
    if (next !== undefined) order.push(next);
  }
  return order;
}

const turns = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });

interface Operation {
  readonly dueUs: number;
  readonly lateUs: number;
  readonly serviceUs: number;
  readonly end: 'ok' | 'throttled' | 'failed' | 'dropped' | 'skipped';
  readonly step: string | undefined;
  readonly units: number;
  readonly worker: number;
  readonly isCutAfter: boolean;
}

const SECONDS = 5;
const stages = stagesOf({ seconds: 2, isMeasured: false }, { seconds: SECONDS - 2 });
const onePlan = planOf({ stages });

const operation: fc.Arbitrary<Operation> = fc.record({
  dueUs: fc.nat(SECONDS * US_PER_SECOND - 1),
  lateUs: fc.nat(3_000),
  serviceUs: fc.nat(4 * US_PER_SECOND),
  end: fc.constantFrom('ok', 'throttled', 'failed', 'dropped', 'skipped'),
  step: fc.constantFrom(undefined, 'read', 'write'),
  units: fc.nat(40).map((halves) => halves / 2),
  worker: fc.nat(4),
  isCutAfter: fc.boolean(),
});

function outcomeOf({ end, units }: Operation): Outcome & { kind: FinishedKind } {
  if (end === 'throttled') return throttledOutcome as Extract<Outcome, { kind: 'throttled' }>;
  if (end === 'failed') return { kind: 'failed', code: 'InternalServerError', message: 'no' };
  return {
    kind: 'ok',
    consumed: [{ tableName: 't', table: { readUnits: units, writeUnits: 0 } }],
    output: {},
  };
}

function record(recorder: WorkloadRecorder, one: Operation, sequence: number): void {
  const { dueUs, lateUs, serviceUs, end, step } = one;
  const stageIndex = dueUs < 2 * US_PER_SECOND ? 0 : 1;
  recorder.planned(stageIndex, dueUs);
  if (end === 'dropped') return recorder.dropped(stageIndex, dueUs);
  if (end === 'skipped') return recorder.skipped(stageIndex);
  const startedUs = dueUs + lateUs;
  const times = { sequence, stageIndex, dueUs, startedUs };
  recorder.started(times);
  const outcome = outcomeOf(one);
  recorder.requested(stageIndex, outcome, startedUs + serviceUs, step);
  recorder.finished(times, outcome.kind, startedUs + serviceUs);
}

/** What does not depend on the order in which operations ended. */
function comparable(plan: RunPlan, recorders: readonly WorkloadRecorder[]) {
  return workloadRecords(plan, { recorders, reachedUs: SECONDS * US_PER_SECOND }).map((workload) => ({
    ...workload,
    // Equally slow ones are kept by which came first.
    slowest: workload.slowest.map(({ responseUs }) => responseUs),
    steps: workload.steps.toSorted((a, b) => (a.label < b.label ? -1 : 1)),
  }));
}

test('operations recorded in shares add up to what one recorder holds', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 120 }), turns, (operations, choices) => {
      const whole = new WorkloadRecorder(stages, false);
      const shares = Array.from({ length: 5 }, () => new WorkloadRecorder(stages, false));
      const sources = shares.map((share) => new SegmentSource([share]));
      const parts: Part[][] = shares.map(() => []);
      const cut = (worker: number) =>
        parts[worker]?.push({ worker, workloads: sources[worker]?.take() ?? [] });
      for (const [sequence, one] of operations.entries()) {
        record(whole, one, sequence);
        record(shares[one.worker] as WorkloadRecorder, one, sequence);
        if (one.isCutAfter) cut(one.worker);
      }
      for (const worker of shares.keys()) cut(worker);
      const recorders = merged(onePlan, interleaved(parts, choices));
      expect(comparable(onePlan, recorders)).toEqual(comparable(onePlan, [whole]));
    }),
    { numRuns: 30 },
  );
});

test('what ended lately is counted as one recorder counts it', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const [whole, share] = [new WorkloadRecorder(stages, false), new WorkloadRecorder(stages, false)];
      const sum = new WorkloadRecorder(stages, false);
      const merger = new PartMerger([sum], [false, true]);
      const source = new SegmentSource([share]);
      whole.lately = new StageRecorder();
      sum.lately = new StageRecorder();
      for (const [sequence, one] of operations.entries()) {
        record(whole, one, sequence);
        record(share, one, sequence);
        if (one.isCutAfter) merger.add(0, source.take());
      }
      merger.add(0, source.take());
      expect(sum.lately).toEqual(whole.lately);
    }),
    { numRuns: 30 },
  );
});

/** Ends in turn, and latencies of up to two seconds: answers come in later parts than their operations. */
const mixed: Script = {
  serviceUs: ({ sequence }) => 1_000 + ((sequence * 7_919) % 2_000_000),
  outcome: ({ sequence }) =>
    sequence % 5 === 0
      ? throttledOutcome
      : sequence % 11 === 0
        ? { kind: 'failed', code: 'InternalServerError', message: 'no', requestId: 'r' }
        : okOutcome,
};

/** Runs the share of one worker, with a part each second. */
async function runShare(plan: RunPlan, worker: number, count: number) {
  const clock = new VirtualClock();
  const target = new ScriptedTarget(clock, mixed);
  const share = { index: worker, count };
  const run = new VariantRun(sharePlan(plan, share), clock, target, undefined, share);
  const source = new SegmentSource(run.recorders);
  const parts: Part[] = [];
  const take = () => parts.push({ worker, workloads: source.take() });
  for (let second = 1; second <= SECONDS + 3; second++)
    clock.schedule(second * US_PER_SECOND, -1, { fire: take });
  await run.run();
  take();
  return {
    parts,
    sequences: target.sent.map(({ sequence, workloadIndex }) => `${workloadIndex} ${sequence}`),
  };
}

describe('a plan made by several workers', () => {
  const plan = planOf({
    stages,
    workloads: [{ load: perSecond(90) }, { load: perSecond(41, 'poisson') }, { load: perSecond(0.001) }],
  });

  test.each([1, 2, 3, 5])('%i of them send the same operations and make the same record', async (count) => {
    const one = await runShare(plan, 0, 1);
    const all = await Promise.all(
      Array.from({ length: count }, (_, worker) => runShare(plan, worker, count)),
    );
    expect(all.flatMap(({ sequences }) => sequences).sort()).toEqual([...one.sequences].sort());
    const whole = comparable(plan, merged(plan, one.parts));
    fc.assert(
      fc.property(turns, (choices) => {
        const order = interleaved(
          all.map(({ parts }) => parts),
          choices,
        );
        expect(comparable(plan, merged(plan, order))).toEqual(whole);
      }),
      { numRuns: 2 },
    );
  });
});

test('shares of a whole number add up to it and differ by one at most', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.integer({ min: 1, max: 40 }), (total, count) => {
      const shares = Array.from({ length: count }, (_, index) => shareOf(total, { index, count }));
      expect(shares.reduce((sum, one) => sum + one, 0)).toBe(total);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});
