// Aim: whatever a target does and whenever a run ends, parts sum to the whole: operations, outcomes,
// requests, attempts, items, units, seconds, stages, segments and threads. Method: many small runs in virtual
// time, made and made smaller by fast-check, against a target that is slow, throttles, drops connections and
// returns batches in part, and that keeps its own books. A failure prints its seed and the smallest run.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { WorkloadResult } from '../../src/analysis/run-result.ts';
import { segmentsLine, type SegmentsLine } from '../../src/analysis/records/segments.ts';
import { VirtualClock } from '../../src/clock.ts';
import { outcomeKinds } from '../../src/dynamodb/outcome.ts';
import { restoreSegment } from '../../src/engine/restore-recorder.ts';
import { type VariantMeasurement, VariantRun } from '../../src/engine/run-variant.ts';
import { SegmentRecorder } from '../../src/engine/segment-recorder.ts';
import type { StageRecorder } from '../../src/engine/stage-recorder.ts';
import { counterNames } from '../../src/engine/stage-recorder.ts';
import { recordedPlan, recordedWorkloads, workloadRecords } from '../../src/engine/variant-record.ts';
import { sharePlan, type WorkShare, wholeWork } from '../../src/engine/work-share.ts';
import { seriesColumn, WorkloadRecorder } from '../../src/engine/workload-recorder.ts';
import type { PlannedOperation, RunPlan } from '../../src/scenario/run-plan.ts';
import { type Faults, FaultyTarget, type TargetBooks } from '../support/faulty-target.ts';
import { planOf, putRequest, stagesOf, type WorkloadWishes } from '../support/plan-builder.ts';

/**
 * The same runs each time. Another seed is another set, and more runs take longer: both can be set for a long
 * search.
 */
const RUNS = {
  seed: Number(process.env['SIMULATION_SEED'] ?? 20_261_130),
  numRuns: Number(process.env['SIMULATION_RUNS'] ?? 60),
};

vi.setConfig({ testTimeout: Math.max(60_000, RUNS.numRuns * 1_000) });

/** A run as fast-check makes it: plain values, so that it can be made smaller and printed. */
interface Wish {
  readonly seed: number;
  readonly stages: readonly {
    readonly seconds: number;
    readonly isMeasured: boolean;
    readonly rateFactor: number;
  }[];
  readonly workloads: readonly WorkloadWish[];
  readonly faults: Faults;
  readonly serviceUs: number;
  /** When the run is interrupted; undefined: never. */
  readonly interruptMs: number | undefined;
}

interface WorkloadWish {
  readonly load: WorkloadWishes['load'];
  readonly maxInFlight: number;
  readonly timeoutMs: number;
  readonly retry: 'none' | 'sdk' | 'own';
  readonly operation: 'put' | 'batch' | 'flow';
  /** Every so many operations have nothing to do; 0: none. */
  readonly skipEvery: number;
}

const percent = fc.integer({ min: 0, max: 30 });

const load = fc.oneof(
  fc.record({
    kind: fc.constant('open' as const),
    shape: fc.record({ kind: fc.constant('constant' as const), perSecond: fc.integer({ min: 1, max: 200 }) }),
    spacing: fc.constantFrom('even' as const, 'poisson' as const),
  }),
  fc.record({
    kind: fc.constant('closed' as const),
    concurrency: fc.integer({ min: 1, max: 8 }),
    pauseUs: fc.integer({ min: 1_000, max: 50_000 }),
  }),
);

const workload: fc.Arbitrary<WorkloadWish> = fc.record({
  load,
  maxInFlight: fc.integer({ min: 1, max: 40 }),
  timeoutMs: fc.integer({ min: 20, max: 500 }),
  retry: fc.constantFrom('none' as const, 'sdk' as const, 'own' as const),
  operation: fc.constantFrom('put' as const, 'batch' as const, 'flow' as const),
  skipEvery: fc.constantFrom(0, 2, 7),
});

const wish: fc.Arbitrary<Wish> = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  stages: fc.array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 3 }),
      isMeasured: fc.boolean(),
      rateFactor: fc.constantFrom(0.5, 1, 2),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  workloads: fc.array(workload, { minLength: 1, maxLength: 3 }),
  faults: fc.record({
    silent: fc.integer({ min: 0, max: 5 }),
    dropped: percent,
    throttled: percent,
    partial: percent,
    conditionFailed: percent,
    conflict: percent,
    slow: percent,
  }),
  serviceUs: fc.integer({ min: 100, max: 100_000 }),
  interruptMs: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
});

function operationOf({ operation, skipEvery }: WorkloadWish, sequence: number): PlannedOperation {
  if (skipEvery > 0 && sequence % skipEvery === 0) return { kind: 'skipped', why: 'nothing to do' };
  const put = putRequest(`k${sequence}`);
  if (operation === 'put') return { kind: 'request', request: put };
  if (operation === 'flow')
    return {
      kind: 'flow',
      run: async (port) => {
        // The first step's outcome is part of the operation's, whether the flow minds it or not.
        await port.send('first', { kind: 'request', request: put }).catch(() => undefined);
        await port.send('second', { kind: 'request', request: put });
      },
    };
  const items = Array.from({ length: 1 + (sequence % 25) }, (_, index) => ({
    PutRequest: { Item: { PK: { S: `k${sequence}.${index}` } } },
  }));
  return { kind: 'request', request: { api: 'BatchWriteItem', input: { RequestItems: { t: items } } } };
}

function planFor({ seed, stages, workloads }: Wish): RunPlan {
  const own = { attempts: 4, baseMs: 5, maxMs: 40, on: ['throttled', 'failed'] } as const;
  return planOf({
    seed,
    stages: stagesOf(...stages),
    workloads: workloads.map((one) => ({
      ...(one.load === undefined ? {} : { load: one.load }),
      policy: {
        maxInFlight: one.maxInFlight,
        timeoutUs: one.timeoutMs * 1_000,
        retry: one.retry === 'own' ? own : one.retry,
      },
      next: (sequence: number) => operationOf(one, sequence),
    })),
  });
}

interface Ran {
  readonly plan: RunPlan;
  readonly measurement: VariantMeasurement;
  readonly records: readonly WorkloadResult[];
  readonly lines: readonly SegmentsLine[];
  readonly books: (workload: number) => TargetBooks;
}

async function run(wished: Wish, share: WorkShare = wholeWork): Promise<Ran> {
  const plan = sharePlan(planFor(wished), share);
  const clock = new VirtualClock();
  const target = new FaultyTarget(clock, wished);
  const variant = new VariantRun(plan, clock, target, undefined, share);
  const lines: SegmentsLine[] = [];
  const segments = new SegmentRecorder({
    clock,
    recorders: variant.recorders,
    endUs: plan.stages.at(-1)?.endUs ?? 0,
    write: (line) => lines.push(segmentsLine.parse(JSON.parse(JSON.stringify(line)))),
  });
  segments.start();
  if (wished.interruptMs !== undefined)
    clock.schedule(wished.interruptMs * 1_000, 0, { fire: () => variant.interrupt() });
  const measurement = await variant.run();
  segments.finish(measurement);
  if (measurement.error !== undefined) throw measurement.error;
  const records = workloadRecords(plan, measurement);
  return { plan, measurement, records, lines, books: (index) => target.books(index) };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);

/** Holds a law against each workload of many runs. */
async function always(
  law: (one: {
    readonly ran: Ran;
    readonly record: WorkloadResult;
    readonly stages: readonly StageRecorder[];
    readonly books: TargetBooks;
    readonly wished: WorkloadWish;
  }) => void,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(wish, async (wished) => {
      const ran = await run(wished);
      for (const [index, record] of ran.records.entries())
        law({
          ran,
          record,
          stages: ran.measurement.recorders[index]?.stages ?? [],
          books: ran.books(index),
          wished: wished.workloads[index] as WorkloadWish,
        });
    }),
    RUNS,
  );
}

test('what is planned is started, dropped or skipped; what is started ends, unless the run is interrupted', () =>
  always(({ ran, stages, wished }) => {
    for (const stage of stages) expect(stage.planned).toBe(stage.started + stage.dropped + stage.skipped);
    const underWay = sumOf(stages.map(({ started, finished }) => started - finished));
    expect(underWay).toBeGreaterThanOrEqual(0);
    expect(underWay).toBeLessThanOrEqual(ran.measurement.status === 'complete' ? 0 : wished.maxInFlight);
  }));

test('what has ended has one outcome, with a response and a service time', () =>
  always(({ record }) => {
    for (const { totals } of record.stages) {
      const { dropped, skipped, ...ended } = totals.outcomes;
      expect(dropped + skipped).toBe(totals.planned - totals.started);
      expect(sumOf(Object.values(ended))).toBe(totals.finished);
      for (const [kind, { count }] of Object.entries(totals.response)) {
        expect(count).toBe(totals.outcomes[kind as keyof typeof ended]);
        expect(totals.service[kind as keyof typeof ended]?.count).toBe(count);
      }
    }
  }));

test('requests, items and units are those of the books of the target, and none is sent twice', () =>
  always(({ record, stages, books }) => {
    const totals = record.stages.map((stage) => stage.totals);
    const sum = (pick: (one: (typeof totals)[number]) => number) => sumOf(totals.map(pick));
    // Late answers count as requests too: the table was asked.
    expect(sum((one) => one.requests)).toBe(books.answered);
    expect(sum((one) => one.throttledRequests)).toBe(books.answers.get('throttled') ?? 0);
    expect(sum((one) => one.itemsSent)).toBe(books.sentItems);
    expect(sum((one) => one.itemsUnprocessed)).toBe(books.unprocessedItems);
    expect(sum((one) => sumOf(one.units.map(({ writeUnits }) => writeUnits)))).toBe(books.writeUnits);
    expect(sum((one) => sumOf(one.estimatedUnits.map(({ writeUnits }) => writeUnits)))).toBe(
      books.estimatedUnits,
    );
    expect(sumOf(record.errors.map(({ count }) => count))).toBe(books.answers.get('failed') ?? 0);
    expect(sumOf(stages.map(({ requests }) => requests))).toBeLessThanOrEqual(books.sent.size);
  }));

test('seconds sum to stages, and throttles by the second to those in sum', () =>
  always(({ record }) => {
    const { series } = record;
    const totals = record.stages.map((stage) => stage.totals);
    const sum = (pick: (one: (typeof totals)[number]) => number) => sumOf(totals.map(pick));
    expect(sumOf(series.planned)).toBe(sum((one) => one.planned));
    expect(sumOf(series.started)).toBe(sum((one) => one.started));
    expect(sumOf(series.dropped)).toBe(sum((one) => one.outcomes.dropped));
    expect(sumOf(series.ok)).toBe(sum((one) => one.outcomes.ok));
    expect(sumOf(series.throttled)).toBe(sum((one) => one.outcomes.throttled));
    expect(sumOf([...series.ok, ...series.throttled, ...series.otherOutcomes])).toBe(
      sum((one) => one.finished),
    );
    // Charged but not reported units are in the seconds as well: there they tell what the table spent.
    expect(sumOf(series.writeUnits)).toBe(
      sum((one) => sumOf([...one.units, ...one.estimatedUnits].map(({ writeUnits }) => writeUnits))),
    );
    expect(sumOf((record.throttleSeries ?? []).flatMap(({ counts }) => counts))).toBe(
      sum((one) => sumOf(one.throttles.map(({ count }) => count))),
    );
  }));

test('measured stages sum to what is measured', () =>
  always(({ ran, record, stages }) => {
    const measured = stages.filter((_, index) => ran.plan.stages[index]?.isMeasured);
    const { outcomes, ...counters } = record.measured;
    for (const name of ['planned', 'started', 'finished', 'requests', 'itemsSent', 'okWithinStage'] as const)
      expect(counters[name]).toBe(sumOf(measured.map((stage) => stage[name])));
    expect(outcomes.dropped).toBe(sumOf(measured.map(({ dropped }) => dropped)));
    expect(record.measured.response.ok?.count ?? 0).toBe(outcomes.ok);
  }));

test('attempts sum to requests: each request that came to its end was sent once, twice or more often', () =>
  always(({ stages, wished }) => {
    for (const stage of stages) {
      const sent = sumOf(stage.attempts.map((requests, index) => requests * (index + 1)));
      if (wished.retry === 'none') expect(stage.attempts).toEqual([]);
      // What was given up between two attempts came to no end.
      else expect(sent).toBeLessThanOrEqual(stage.requests);
      const allEnded = stage.finished === stage.started && (stage.outcomes.get('timedOut')?.count ?? 0) === 0;
      if (allEnded && wished.retry !== 'none') expect(sent).toBe(stage.requests);
    }
  }));

test('the parts of ok response times sum to them', () =>
  always(({ stages }) => {
    for (const stage of stages) {
      const ok = stage.outcomes.get('ok');
      const whole = ok === undefined ? 0 : Math.round(ok.response.meanUs * ok.count);
      expect(stage.okLatenessUs + stage.okWaitUs + stage.okServiceUs).toBe(whole);
    }
  }));

test('segments, written and read again, sum to the record', () =>
  always(({ ran }) => {
    const { plan, measurement, lines } = ran;
    const recorders = plan.workloads.map(() => new WorkloadRecorder(plan.stages, true));
    for (const line of lines) {
      if (line.kind !== 'segment') continue;
      for (const part of line.workloads) restoreSegment(recorders[part.workload] as WorkloadRecorder, part);
    }
    const { reachedUs } = measurement;
    expect(recordedWorkloads(recordedPlan(plan), { recorders, reachedUs })).toEqual(ran.records);
  }));

test('an open loop plans the same for any number of threads, and what they did adds up', () =>
  fc.assert(
    fc.asyncProperty(wish, fc.integer({ min: 2, max: 5 }), async (wished, count) => {
      const open = wished.workloads.filter((one) => one.load?.kind === 'open');
      if (open.length === 0) return;
      const openWish: Wish = { ...wished, workloads: open, interruptMs: undefined };
      const whole = await run(openWish);
      const shares = await Promise.all(
        Array.from({ length: count }, (_, index) => run(openWish, { index, count })),
      );
      for (const [index, record] of whole.records.entries()) {
        const merged = new WorkloadRecorder(whole.plan.stages, true);
        for (const { measurement } of shares) {
          const part = measurement.recorders[index];
          for (const stage of whole.plan.stages) {
            const recorded = part?.stage(stage.index);
            if (recorded) merged.stage(stage.index).mergeFrom(recorded);
          }
          if (part) merged.series.merge(part.series);
        }
        const planned = merged.stages.map((stage) => stage.planned);
        expect(planned).toEqual(record.stages.map(({ totals }) => totals.planned));
        expect(plannedBySecond(merged)).toEqual(plannedBySecond(whole.measurement.recorders[index]));
        for (const stage of merged.stages) {
          expect(stage.planned).toBe(stage.started + stage.dropped + stage.skipped);
          expect(sumOf([...stage.outcomes.values()].map((one) => one.count))).toBe(stage.started);
        }
        for (const name of counterNames) {
          const parts = shares.flatMap(({ measurement }) => measurement.recorders[index]?.stages ?? []);
          expect(sumOf(merged.stages.map((stage) => stage[name]))).toBe(
            sumOf(parts.map((stage) => stage[name])),
          );
        }
      }
    }),
    RUNS,
  ));

/** Silent seconds at the end, which a drain may add, left out. */
function plannedBySecond(recorder: WorkloadRecorder | undefined): readonly number[] {
  const planned = recorder?.series.compact().totals[seriesColumn.planned] ?? [];
  return planned.slice(0, planned.findLastIndex((count) => count > 0) + 1);
}

test('equal wishes give equal records', () =>
  fc.assert(
    fc.asyncProperty(wish, async (wished) => {
      expect((await run(wished)).records).toEqual((await run(wished)).records);
    }),
    RUNS,
  ));

test('the faults are met: over these runs every outcome occurs, and operations are dropped and interrupted', async () => {
  const seen = new Set<string>();
  for (const wished of fc.sample(wish, RUNS)) {
    const { records, measurement } = await run(wished);
    seen.add(measurement.status);
    for (const { stages } of records)
      for (const { totals } of stages)
        for (const [kind, count] of Object.entries(totals.outcomes)) if (count > 0) seen.add(kind);
  }
  expect([...seen].sort()).toEqual(['complete', 'interrupted', ...outcomeKinds].sort());
});
