// Aim: an operation of the user's own code has the outcome of its worst request, loses no attempt, and is
// told when nobody waits any more.
// Method: operations as plain functions, attempts told by hand, a wall clock whose time passes only when the
// test says so.
import { describe, expect, test } from 'vitest';
import { type Scheduler, SystemClock } from '../../../src/clock.ts';
import type { Request } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { VariantRun } from '../../../src/engine/run-variant.ts';
import type { RequestScope, SdkAccess, Target } from '../../../src/engine/target.ts';
import type {
  CustomOperation,
  OperationGenerator,
  PlannedPolicy,
  RunPlan,
} from '../../../src/scenario/run-plan.ts';
import type { Sdk } from '../../../src/scenario/operations/custom.ts';
import { pool } from '../../../src/workload/pool.ts';
import { perSecond, planOf, putRequest, stagesOf } from '../../support/plan-builder.ts';
import { okOutcome, throttledOutcome } from '../../support/scripted-target.ts';

/** Time in steps of a millisecond, each after promise reactions had their turn. */
class SteppedScheduler implements Scheduler {
  #nowMs = 0;
  readonly #timers = new Set<{ atMs: number; callback: () => void }>();

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  soon(callback: () => void): void {
    this.after(0, callback);
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  async runUntil(isOver: () => boolean): Promise<void> {
    for (; !isOver(); this.#nowMs++) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const timer of this.#timers) {
        if (timer.atMs > this.#nowMs) continue;
        this.#timers.delete(timer);
        timer.callback();
      }
      if (this.#nowMs > 60_000) throw new Error('the run does not end');
    }
  }
}

type Body = (
  scope: RequestScope,
  signal: AbortSignal,
  wait: (delayMs: number) => Promise<void>,
) => Promise<unknown>;

interface Wishes {
  readonly body: Body;
  readonly policy?: Partial<PlannedPolicy>;
  readonly setUp?: OperationGenerator['setUp'];
  readonly target?: Target;
  readonly interruptAtMs?: number;
}

const sendsAll: Target = { send: ({ underWay }, _startUs, done) => underWay?.(done) };

/** Ten operations within a second. */
function customPlan(operation: CustomOperation, { policy, setUp }: Wishes): RunPlan {
  const plan = planOf({
    stages: stagesOf({ seconds: 1 }),
    workloads: [{ load: perSecond(10), ...(policy && { policy }) }],
  });
  const [workload] = plan.workloads;
  if (workload === undefined) throw new Error('the plan has a workload');
  const createGenerator = (): OperationGenerator => ({
    next: () => operation,
    acknowledge: () => undefined,
    ...(setUp && { setUp }),
  });
  return { ...plan, workloads: [{ ...workload, kind: 'custom', createGenerator }] };
}

async function run(wishes: Wishes) {
  const scheduler = new SteppedScheduler();
  let scope: RequestScope | undefined;
  const sdk: SdkAccess = {
    open: (_workload, elsewhere) => {
      scope = elsewhere;
      return {} as Sdk; // Its clients are not asked for.
    },
    run: (current, operation) => {
      scope = current;
      return operation();
    },
    describe: String,
  };
  const operation: CustomOperation = {
    kind: 'custom',
    run: async (signal) => {
      if (scope === undefined) throw new Error('an operation has a scope');
      return wishes.body(scope, signal, (delayMs) => scheduler.wait(delayMs));
    },
  };
  const clock = new SystemClock(scheduler);
  const variant = new VariantRun(customPlan(operation, wishes), clock, wishes.target ?? sendsAll, sdk);
  let isOver = false;
  const running = variant
    .setUp()
    .then(() => variant.run())
    .finally(() => {
      isOver = true;
    });
  if (wishes.interruptAtMs !== undefined) scheduler.after(wishes.interruptAtMs, () => variant.interrupt());
  await Promise.all([scheduler.runUntil(() => isOver), running.catch(() => undefined)]); // Told by the return.
  const measurement = await running;
  const recorder = measurement.recorders[0];
  const stage = recorder?.stages[0];
  if (recorder === undefined || stage === undefined) throw new Error('a stage was recorded');
  const counts = Object.fromEntries([...stage.outcomes].map(([kind, { count }]) => [kind, count]));
  return { stage, recorder, counts, measurement };
}

/** Sends one request in one or more attempts; `none`: one that the engine does not know. */
function send(
  scope: RequestScope,
  outcomes: readonly Outcome[],
  request: Request | 'none' = putRequest('k'),
): void {
  const sent =
    request === 'none' ? scope.begin('DescribeTable', undefined) : scope.begin(request.api, request);
  for (const outcome of outcomes) sent.attempt()?.(outcome);
}

const conditionFailed: Outcome = { kind: 'conditionFailed' };

describe('the outcome', () => {
  test.each<{ name: string; body: Body; counts: Record<string, number> }>([
    { name: 'is ok where nothing was sent', body: async () => undefined, counts: { ok: 10 } },
    {
      name: 'is ok where all requests are',
      body: async (scope) => send(scope, [okOutcome]),
      counts: { ok: 10 },
    },
    {
      name: 'is that of the last attempt of a request',
      body: async (scope) => send(scope, [throttledOutcome, throttledOutcome, okOutcome]),
      counts: { ok: 10 },
    },
    {
      name: 'is that of the worst request, also where the user’s code goes on',
      body: async (scope) => {
        send(scope, [conditionFailed]);
        send(scope, [throttledOutcome]);
        send(scope, [okOutcome]);
      },
      counts: { throttled: 10 },
    },
    {
      name: 'is that of the request for which the code throws',
      body: async (scope) => {
        send(scope, [conditionFailed]);
        throw new Error('it is there already');
      },
      counts: { conditionFailed: 10 },
    },
    {
      name: 'is failed where the code throws by itself',
      body: async (scope) => {
        send(scope, [okOutcome]);
        throw new TypeError('no such member');
      },
      counts: { failed: 10 },
    },
  ])('$name', async ({ body, counts }) => {
    const end = await run({ body });
    expect(end.counts).toEqual(counts);
    expect(end.measurement.status).toBe('complete');
  });

  test('of code that throws by itself has its message, and the run goes on', async () => {
    const { recorder, stage } = await run({
      body: async () => {
        throw new TypeError('no such member');
      },
    });
    expect([...recorder.errors.values()]).toEqual([
      {
        code: 'ScenarioThrew',
        count: 10,
        messages: Array.from({ length: 5 }, () => ({
          message: 'TypeError: no such member',
          requestId: null,
        })),
      },
    ]);
    expect(stage.requests).toBe(0);
  });

  test('is skipped where a pool is empty', async () => {
    const { stage } = await run({
      body: async () => pool<string>().take(),
    });
    expect([stage.skipped, stage.finished]).toEqual([10, 0]);
  });
});

test('every attempt is counted, with its units, its throttles and its API', async () => {
  const { stage, recorder } = await run({
    body: async (scope) => {
      send(scope, [throttledOutcome, okOutcome]);
      send(scope, [okOutcome], 'none');
    },
  });
  expect([stage.requests, stage.throttledRequests]).toEqual([30, 10]);
  expect(stage.units.rows()).toEqual([{ resource: 't', readUnits: 0, writeUnits: 20 }]);
  expect(Object.fromEntries([...recorder.steps].map(([label, { requests }]) => [label, requests]))).toEqual({
    PutItem: 20,
    DescribeTable: 10,
  });
});

test('the target sees what can be read of the requests, numbered', async () => {
  const seen: string[] = [];
  const target: Target = {
    send: ({ request, sequence, part, underWay }, _startUs, done) => {
      seen.push(`${request.api} ${sequence}/${part}`);
      underWay?.(done);
    },
  };
  await run({
    target,
    body: async (scope, _signal, wait) => {
      send(scope, [throttledOutcome]);
      await wait(5);
      send(scope, [okOutcome]);
      send(scope, [okOutcome], 'none');
    },
  });
  expect(seen).toHaveLength(20);
  expect(seen.slice(0, 3)).toEqual(['PutItem 0/0', 'PutItem 0/1', 'PutItem 1/0']);
});

test('what the target refuses does not go out, and is the outcome', async () => {
  const refused: Outcome = { kind: 'failed', code: 'REFUSED_WRITE', message: 'not this table' };
  const finishes: unknown[] = [];
  const { counts } = await run({
    target: { send: (_request, startUs, done) => done(refused, startUs) },
    body: async (scope) => {
      finishes.push(scope.begin('PutItem', putRequest('k')).attempt());
      throw new Error('not sent');
    },
  });
  expect(new Set(finishes)).toEqual(new Set([undefined]));
  expect(counts).toEqual({ failed: 10 });
});

test('response time ends when the promise settles', async () => {
  const { stage } = await run({ body: (_scope, _signal, wait) => wait(20) });
  const response = stage.outcomes.get('ok')?.response;
  expect(response?.count).toBe(10);
  expect(response?.minUs).toBeGreaterThanOrEqual(20_000);
  expect(response?.maxUs).toBeLessThan(23_000);
});

describe('the signal', () => {
  test('is aborted at the timeout, and what comes later is counted as requests only', async () => {
    const aborted: boolean[] = [];
    const { counts, stage } = await run({
      policy: { timeoutUs: 50_000 },
      body: async (scope, signal, wait) => {
        await wait(80);
        aborted.push(signal.aborted);
        send(scope, [throttledOutcome]);
      },
    });
    expect(counts).toEqual({ timedOut: 10 });
    expect(aborted.length).toBeGreaterThanOrEqual(9);
    expect(new Set(aborted)).toEqual(new Set([true]));
    expect(stage.throttledRequests).toBe(aborted.length);
  });

  test('is aborted when the run is interrupted, and the operations stay unfinished', async () => {
    const aborted: boolean[] = [];
    const { stage, measurement } = await run({
      interruptAtMs: 450,
      body: (_scope, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push(true);
            reject(new Error('aborted'));
          });
        }),
    });
    expect(measurement.status).toBe('interrupted');
    expect(aborted).toHaveLength(5);
    expect([stage.started, stage.finished]).toEqual([5, 0]);
  });

  test('is not aborted by an end in time', async () => {
    const signals: AbortSignal[] = [];
    await run({
      body: async (_scope, signal) => {
        signals.push(signal);
      },
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual(Array.from({ length: 10 }, () => false));
  });
});

describe('setup', () => {
  test('is awaited before load, and takes no time of it', async () => {
    let isSetUp = false;
    const { counts, stage } = await run({
      setUp: async () => {
        for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
        isSetUp = true;
      },
      body: async () => {
        if (!isSetUp) throw new Error('too early');
      },
    });
    expect(counts).toEqual({ ok: 10 });
    expect(stage.lateness.maxUs).toBeLessThan(3_000);
  });

  test('ends the run with its error', async () => {
    const setUp = () => Promise.reject(new Error('no model'));
    await expect(run({ setUp, body: async () => undefined })).rejects.toThrow('no model');
  });

  test('that never ends does not outlast an interrupt', async () => {
    const setUp = () => new Promise<void>(() => undefined);
    const { stage, measurement } = await run({ setUp, body: async () => undefined, interruptAtMs: 30 });
    expect([stage.planned, measurement.status]).toEqual([0, 'interrupted']);
  });
});
