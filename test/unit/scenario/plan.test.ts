// Aim: a plan has nothing optional left: variants, stages, loads, policies, tables and goals are resolved as
// documented, and generators are reproducible and start with empty pools. Method: small scenarios planned
// with one option each; operations are compared as values.
import { describe, expect, test } from 'vitest';
import { DynoLoadError, formatError } from '../../../src/errors.ts';
import {
  custom,
  defineScenario,
  filler,
  type Item,
  pool,
  preload,
  put,
  query,
  ramp,
  type Scenario,
  steps,
  update,
} from '../../../src/index.ts';
import type { Sdk } from '../../../src/scenario/operations/custom.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import type { PlanOptions } from '../../../src/scenario/plan-variant.ts';
import type { OperationGenerator, RunPlan } from '../../../src/scenario/run-plan.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';

function plansOf(scenario: Scenario, options: Partial<PlanOptions> = {}): readonly RunPlan[] {
  const valid = validateScenario(scenario, { file: 'hot.ts' });
  return planRuns(valid, { scenarioName: 'hot', ...options }).plans;
}

function firstOf(scenario: Scenario, options: Partial<PlanOptions> = {}): RunPlan {
  const [plan] = plansOf(scenario, options);
  if (!plan) throw new Error('there is no plan');
  return plan;
}

function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DynoLoadError) return formatError(error);
    throw error;
  }
  throw new Error('nothing was thrown');
}

const missing = (): never => {
  throw new RangeError('no key');
};

const tables = () => ({ keys: { partition: 'PK' } });

const twoByTwo = defineScenario({
  question: 'q',
  parameters: { count: [1, 2], how: ['a', 'b'] },
  skip: ({ count, how }) => count === 2 && how === 'a',
  tables,
  workloads: ({ count, how }) => ({ w: put({ rate: count, item: { PK: `${how}${count}` } }) }),
});

test.each<[string, ReturnType<typeof put>, boolean]>([
  ['a plain put', put({ rate: 1, item: { PK: 'a' } }), false],
  [
    'a put with a condition',
    put({ rate: 1, item: { PK: 'a' }, condition: { expression: 'attribute_not_exists(PK)' } }),
    true,
  ],
  ['a query', query({ rate: 1, partition: 'a' }), true],
])('%s is planned as one that may look at items, or not', (_, workload, looksAtItems) => {
  const plan = firstOf(defineScenario({ question: 'q', tables, workloads: () => ({ w: workload }) }));
  expect(plan.workloads[0]?.looksAtItems).toBe(looksAtItems);
});

describe('variants', () => {
  test('are the product less what is skipped, in order', () => {
    expect(plansOf(twoByTwo).map(({ variant }) => variant)).toEqual([
      { name: 'count=1, how=a', index: 0, parameters: { count: 1, how: 'a' } },
      { name: 'count=1, how=b', index: 1, parameters: { count: 1, how: 'b' } },
      { name: 'count=2, how=b', index: 2, parameters: { count: 2, how: 'b' } },
    ]);
  });

  test('take any number and declared texts from --set', () => {
    const setParameters = [
      { name: 'count', values: ['4', '1'] },
      { name: 'how', values: ['b'] },
    ];
    expect(plansOf(twoByTwo, { setParameters }).map(({ variant }) => variant.name)).toEqual([
      'count=4, how=b',
      'count=1, how=b',
    ]);
  });

  test.each([
    { set: { name: 'cuont', values: ['1'] }, text: 'did you mean "count"?' },
    { set: { name: 'how', values: ['c'] }, text: 'the declared values only: "a", "b"' },
    { set: { name: 'count', values: ['many'] }, text: 'the parameter takes numbers' },
    { set: { name: 'count', values: ['0x10'] }, text: 'in plain decimal digits' },
    { set: { name: 'count', values: ['1e3'] }, text: 'in plain decimal digits' },
    { set: { name: 'count', values: [' 4'] }, text: 'in plain decimal digits' },
    { set: { name: 'count', values: ['--4'] }, text: 'in plain decimal digits' },
  ])('refuse --set $set.name=$set.values', ({ set, text }) => {
    expect(errorOf(() => plansOf(twoByTwo, { setParameters: [set] }))).toContain(text);
  });

  test('take numbers below zero and parts of one from --set', () => {
    const scenario = defineScenario({
      question: 'q',
      parameters: { change: [1, 2] },
      tables,
      workloads: ({ change }) => ({ w: put({ rate: 1, item: { PK: 'a', change } }) }),
    });
    const setParameters = [{ name: 'change', values: ['-4', '0.5', '-0'] }];
    expect(plansOf(scenario, { setParameters }).map(({ variant }) => variant.name)).toEqual([
      'change=-4',
      'change=0.5',
      'change=0',
    ]);
  });

  test('of named choices show the label and pass the value', () => {
    const scenario = defineScenario({
      question: 'q',
      parameters: { starts: { new: 'new', warm: { warmReadUnits: 10, warmWriteUnits: 20 } } },
      tables: ({ starts }) => ({ keys: { partition: 'PK' }, starts }),
      workloads: () => ({ w: query({ rate: 1, partition: 'a' }) }),
    });
    expect(plansOf(scenario).map((plan) => [plan.variant.name, plan.tables[0]?.start.kind])).toEqual([
      ['starts=new', 'new'],
      ['starts=warm', 'warm'],
    ]);
    expect(
      errorOf(() => plansOf(scenario, { setParameters: [{ name: 'starts', values: ['worm'] }] })),
    ).toContain('did you mean "warm"?');
  });

  test('without parameters there is one, named default', () => {
    const scenario = defineScenario({
      question: 'q',
      tables,
      workloads: () => ({ w: query({ rate: 1, partition: 'a' }) }),
    });
    expect(plansOf(scenario).map(({ variant }) => variant.name)).toEqual(['default']);
  });
});

describe('tables', () => {
  test('get types, billing and start for themselves and their indexes', () => {
    const scenario = defineScenario({
      question: 'q',
      tables: () => ({
        keys: { partition: 'PK', sort: 'SK' },
        types: { SK: 'N' },
        indexes: { GSI1: { partition: 'G', sort: 'SK', projection: ['a'] } },
        localIndexes: { LSI1: { sort: 'at', projection: 'KEYS_ONLY' } },
        billing: { provisioned: { readUnits: 5, writeUnits: 6 } },
        starts: { warmReadUnits: 7, warmWriteUnits: 8 },
      }),
      workloads: () => ({ w: query({ rate: 1, partition: 'a' }) }),
    });
    const billing = { mode: 'provisioned', readUnits: 5, writeUnits: 6 };
    const start = { kind: 'warm', warmReadUnits: 7, warmWriteUnits: 8 };
    const PK = { name: 'PK', type: 'S' };
    const SK = { name: 'SK', type: 'N' };
    expect(firstOf(scenario).tables).toEqual([
      {
        logicalName: 'main',
        tableName: 'dyno-load-hot-default-main',
        keys: { partition: PK, sort: SK },
        billing,
        start,
        globalIndexes: [
          {
            name: 'GSI1',
            keys: { partition: { name: 'G', type: 'S' }, sort: SK },
            projection: { kind: 'INCLUDE', attributes: ['a'] },
            billing,
            start,
          },
        ],
        localIndexes: [
          {
            name: 'LSI1',
            keys: { partition: PK, sort: { name: 'at', type: 'S' } },
            projection: { kind: 'KEYS_ONLY' },
          },
        ],
      },
    ]);
  });

  test('have names that DynamoDB takes, however long the parameters are', () => {
    const scenario = defineScenario({
      question: 'q',
      parameters: { text: ['x y/z', 'w'.repeat(300)] },
      tables,
      workloads: () => ({ w: query({ rate: 1, partition: 'a' }) }),
    });
    const names = plansOf(scenario, { scenarioName: 'hot keys', tableSuffix: 'r1' }).map(
      (plan) => plan.tables[0]?.tableName,
    );
    expect(names).toEqual(['dyno-load-hot-keys-text-x-y-z-main-r1', 'dyno-load-hot-keys-v1-main-r1']);
  });
});

describe('stages and loads', () => {
  const scenario = defineScenario({
    question: 'q',
    stages: [
      { name: 'warm-up', duration: '10s', measured: false, rateFactor: 0.5 },
      { name: 'one', duration: '20s' },
      { name: 'two', duration: '30s', rateFactor: 3 },
    ],
    tables,
    workloads: () => ({
      constant: put({ rate: 100, item: { PK: 'a' } }),
      ramped: put({ rate: ramp({ from: 0, to: 50 }), item: { PK: 'a' } }),
      stepped: put({ rate: { poisson: steps([{ rate: 5, for: '1s' }]) }, item: { PK: 'a' } }),
      closed: query({
        concurrency: 7,
        pause: '5ms',
        partition: 'a',
        timeout: '2s',
        retry: 'sdk',
        expect: ['conflict'],
      }),
      quick: query({ rate: 9000, partition: 'a' }),
    }),
  });

  test('lie end to end', () => {
    expect(
      firstOf(scenario).stages.map(({ startUs, endUs, isMeasured }) => [startUs, endUs, isMeasured]),
    ).toEqual([
      [0, 10_000_000, false],
      [10_000_000, 30_000_000, true],
      [30_000_000, 60_000_000, true],
    ]);
  });

  test('--duration replaces measured lengths and caps the warm-up', () => {
    const lengths = firstOf(scenario, { measuredDurationUs: 5_000_000 }).stages.map(({ endUs }) => endUs);
    expect(lengths).toEqual([5_000_000, 10_000_000, 15_000_000]);
  });

  test('--rate-factor scales rates and not concurrency', () => {
    const loads = firstOf(scenario, { rateFactor: 0.1 }).workloads.map(({ load }) => load);
    expect(loads).toEqual([
      { kind: 'open', shape: { kind: 'constant', perSecond: 10 }, spacing: 'even' },
      { kind: 'open', shape: { kind: 'ramp', fromPerSecond: 0, toPerSecond: 5 }, spacing: 'even' },
      {
        kind: 'open',
        shape: { kind: 'steps', steps: [{ perSecond: 0.5, durationUs: 1_000_000 }] },
        spacing: 'poisson',
      },
      { kind: 'closed', concurrency: 7, pauseUs: 5_000 },
      { kind: 'open', shape: { kind: 'constant', perSecond: 900 }, spacing: 'even' },
    ]);
  });

  test('in flight: 4 s of the peak rate within 256 and 20,000, or the concurrency', () => {
    // constant: 100/s × factor 3 × 4 s = 1,200; ramped: 50/s × 3 × 4 s = 600; stepped: 60; quick: 108,000.
    expect(firstOf(scenario).workloads.map(({ policy }) => policy.maxInFlight)).toEqual([
      1200, 600, 256, 7, 20_000,
    ]);
  });

  test('a policy has defaults and takes what is set', () => {
    const [first, , , closed] = firstOf(scenario).workloads;
    expect(first?.policy).toMatchObject({ timeoutUs: 10_000_000, retry: 'none', expect: [] });
    expect(closed?.policy).toMatchObject({ timeoutUs: 2_000_000, retry: 'sdk', expect: ['conflict'] });
  });

  test('only a plan whose workloads all read only reads', () => {
    const reads = defineScenario({
      question: 'q',
      tables,
      workloads: () => ({ w: query({ rate: 1, partition: 'a' }) }),
    });
    expect([firstOf(reads).onlyReads, firstOf(scenario).onlyReads]).toEqual([true, false]);
  });
});

describe('rates in units', () => {
  type InUnits = { wcu: number; of?: string } | { rcu: number; of?: string };
  const inUnits = (rate: InUnits | { poisson: InUnits }) =>
    defineScenario({
      question: 'q',
      tables: () => ({
        keys: { partition: 'PK' },
        indexes: { GSI1: { partition: 'G', projection: 'KEYS_ONLY' } },
      }),
      workloads: () => ({
        // About 2.5 KB: 3 units on the table. Every other item is in the index, whose entries take 1.
        w: put({
          rate,
          item: ({ seq }) => ({ PK: `${seq}`, G: seq % 2 ? 'x' : undefined, body: filler('2500 B') }),
        }),
      }),
    });

  test.each([
    { rate: { wcu: 300 }, perSecond: 100 },
    { rate: { wcu: 300, of: 'main' }, perSecond: 100 },
    { rate: { wcu: 300, of: 'GSI1' }, perSecond: 600 },
  ])('$rate is $perSecond operations/s', ({ rate, perSecond }) => {
    const [workload] = firstOf(inUnits(rate), { rateFactor: 0.5 }).workloads;
    expect(workload?.load).toEqual({
      kind: 'open',
      shape: { kind: 'constant', perSecond: perSecond / 2 },
      spacing: 'even',
    });
    expect(workload?.notes[0]).toContain(`≈ ${perSecond} operations/s`);
  });

  test('of independent users are converted alike', () => {
    const [workload] = firstOf(inUnits({ poisson: { wcu: 300 } })).workloads;
    expect(workload?.load).toEqual({
      kind: 'open',
      shape: { kind: 'constant', perSecond: 100 },
      spacing: 'poisson',
    });
    expect(errorOf(() => plansOf(inUnits({ poisson: { wcu: 1, of: 'GSI2' } })))).toContain(
      'did you mean "GSI1"?',
    );
  });

  test('of an index that does not exist are refused', () => {
    expect(errorOf(() => plansOf(inUnits({ wcu: 1, of: 'GSI2' })))).toContain('did you mean "GSI1"?');
  });

  test('that the workload never spends are refused', () => {
    expect(errorOf(() => plansOf(inUnits({ rcu: 1 })))).toContain('spends no read units there');
  });
});

describe('generators', () => {
  const scenario = defineScenario({
    question: 'q',
    startsAt: '2026-03-01T00:00:00Z',
    tables,
    data: () => ({
      written: pool<string>(),
      items: preload({ count: 3, item: ({ index, random }) => ({ PK: `i${index}`, n: random.int(1000) }) }),
    }),
    workloads: (_, { written }) => ({
      write: put({
        rate: 1,
        item: ({ seq, random, nowIso }) => ({ PK: `${seq}-${random.int(1e9)}`, at: nowIso }),
        remember: {
          in: written,
          as: (item, { seq, random }) => `${item.PK as string}|${seq}|${random.int(1e9)}`,
        },
      }),
      read: query({ rate: 1, partition: ({ random }) => written.pick(random) }),
    }),
  });

  function generator(plan: RunPlan, name: string): OperationGenerator {
    const workload = plan.workloads.find((candidate) => candidate.name === name);
    if (!workload) throw new Error(`no workload ${name}`);
    return workload.createGenerator();
  }

  test('make the same operation for the same seed, workload and sequence, in any order', () => {
    const first = generator(firstOf(scenario), 'write');
    const second = generator(firstOf(scenario), 'write');
    first.next(0, 0);
    expect(first.next(5, 1_000)).toEqual(second.next(5, 1_000));
    expect(generator(firstOf(scenario, { seed: 2 }), 'write').next(5, 0)).not.toEqual(second.next(5, 0));
  });

  test('show the moment at which the operation is due', () => {
    const operation = generator(firstOf(scenario), 'write').next(0, 1_500_000);
    expect(operation).toMatchObject({
      request: { input: { Item: { at: { S: '2026-03-01T00:00:01.500Z' } } } },
    });
  });

  test('skip while a pool is empty, and read what was acknowledged', () => {
    const plan = firstOf(scenario);
    const write = generator(plan, 'write');
    const read = generator(plan, 'read');
    expect(read.next(0, 0).kind).toBe('skipped');
    const written = write.next(7, 0);
    write.acknowledge(written, 7, 0);
    const operation = read.next(1, 0);
    if (operation.kind !== 'request' || operation.request.api !== 'Query')
      throw new Error('a query was expected');
    const key = operation.request.input.ExpressionAttributeValues?.[':dlPk']?.S ?? '';
    const [pk, seq, drawn] = key.split('|');
    expect(written).toMatchObject({ remembered: { PK: pk } });
    expect(seq).toBe('7');
    // What is remembered draws other numbers than the item did.
    expect(pk).not.toContain(String(drawn));
  });

  test('of the next run start with an empty pool', () => {
    const plan = firstOf(scenario);
    const write = generator(plan, 'write');
    write.acknowledge(write.next(0, 0), 0, 0);
    expect(generator(plan, 'read').next(0, 0).kind).toBe('request');
    generator(plan, 'write');
    expect(generator(plan, 'read').next(0, 0).kind).toBe('skipped');
  });

  test('preloaded items depend on the seed', () => {
    const items = (seed: number) => {
      const [planned] = firstOf(scenario, { seed }).preloads;
      return [0, 1, 2].map((index) => planned?.itemAt(index));
    };
    expect(items(1)).toEqual(items(1));
    expect(items(1)).not.toEqual(items(2));
  });

  test.each<[string, (index: number) => Item, RegExp]>([
    [
      'throws',
      () => missing(),
      /^SCENARIO_FUNCTION_THREW {2}item 3333 of data\.items threw RangeError: no key\n {2}why: thrown at .*plan\.test\.ts:\d+/,
    ],
    [
      'has a key of the wrong type',
      (index) => ({ PK: index }),
      /^OPERATION_INVALID {2}item 3333 of data\.items has the number 3333 as "PK"/,
    ],
    [
      'cannot be stored',
      () => ({ PK: 'a', n: Number.NaN }),
      /^OPERATION_INVALID {2}item 3333 of data\.items fails: "n" is NaN/,
    ],
  ])('a preloaded item beyond the checked ones that %s is named', (_, wrong, told) => {
    const failing = defineScenario({
      question: 'q',
      tables,
      data: () => ({
        items: preload({ count: 5_000, item: ({ index }) => (index === 3_333 ? wrong(index) : { PK: 'a' }) }),
      }),
      workloads: () => ({ w: put({ rate: 1, item: { PK: 'a' } }) }),
    });
    const [items] = firstOf(failing).preloads;
    expect(errorOf(() => items?.itemAt(3_333))).toMatch(told);
    expect(items?.itemAt(3_334)).toEqual({ PK: { S: 'a' } });
  });

  test('an exception of a user function tells workload, operation and line', () => {
    const failing = defineScenario({
      question: 'q',
      tables,
      workloads: () => ({
        w: update({ rate: 1, key: ({ seq }) => (seq === 2 ? missing() : { PK: 'a' }), set: { a: 1 } }),
      }),
    });
    const broken = generator(firstOf(failing), 'w');
    broken.next(1, 0);
    expect(errorOf(() => broken.next(2, 0))).toMatch(
      /SCENARIO_FUNCTION_THREW {2}operation 2 of workload "w" threw RangeError: no key\n {2}why: thrown at .*plan\.test\.ts:\d+/,
    );
  });
});

describe('custom workloads', () => {
  const scenarioOf = (rate: number, setup: () => unknown = () => 'layer') =>
    defineScenario({
      question: 'q',
      tables,
      workloads: () => ({
        w: custom({ rate, setup, run: async (layer, { seq, signal }) => [layer, seq, signal.aborted] }),
      }),
    });
  const planned = (scenario: ReturnType<typeof scenarioOf>) => plansOf(scenario, { wallClock: true })[0];

  test('are refused in virtual time, with the targets that can run them', () => {
    const told = errorOf(() => plansOf(scenarioOf(1), { wallClock: false }));
    expect(told).toContain('NEEDS_WALL_CLOCK');
    expect(told).toContain('--target serve');
  });

  test('run on what their setup made, with the operation’s context', async () => {
    const made = planned(scenarioOf(1))?.workloads[0]?.createGenerator();
    await made?.setUp?.({} as Sdk, String); // Its clients are not asked for.
    const operation = made?.next(7, 0);
    if (operation?.kind !== 'custom') throw new Error('a custom operation was expected');
    expect(await operation.run(AbortSignal.abort())).toEqual(['layer', 7, true]);
  });

  test('tell where their setup threw', async () => {
    const failing = scenarioOf(1, () => {
      throw new TypeError('no model');
    });
    const made = planned(failing)?.workloads[0]?.createGenerator();
    await expect(made?.setUp?.({} as Sdk, String)).rejects.toMatchObject({
      code: 'SCENARIO_FUNCTION_THREW',
      what: 'setup of workload "w" threw TypeError: no model',
      why: expect.stringMatching(/^thrown at .*plan\.test\.ts:\d+/),
    });
  });

  test.each([
    { rate: 1_000, notes: 0 },
    { rate: 1_200, notes: 1 },
  ])('at $rate/s come with $notes notes on what the SDK can send', ({ rate, notes }) => {
    expect(planned(scenarioOf(rate))?.workloads[0]?.notes).toHaveLength(notes);
  });
});
