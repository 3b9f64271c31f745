// Aim: every kind of mistake in a scenario is told with its place, what is there, why it is wrong and what to
// write; all of them at once. Method: a sound scenario with one change each; rows name the mistake and the
// texts that must appear.
import { describe, expect, test } from 'vitest';
import {
  batchWrite,
  flow,
  get,
  hotspot,
  type Load,
  pool,
  preload,
  put,
  query,
  queryShards,
  scan,
  shards,
  update,
} from '../../../src/index.ts';
import { DynoLoadError, formatError } from '../../../src/errors.ts';
import { defineWorkload } from '../../../src/scenario/workload.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';

const scenarioMarker = Symbol.for('dyno-load.scenario');
const table = { keys: { partition: 'PK', sort: 'SK' }, indexes: { GSI1: { partition: 'G' } } };
const sound = {
  question: 'Is it sound?',
  tables: (): unknown => table,
  workloads: (): unknown => ({ ask: query({ rate: 1, partition: 'a' }) }),
};

/** As plain JavaScript makes it: nothing was checked by a compiler. */
function scenarioOf(changes: object): unknown {
  return { kind: 'scenario', [scenarioMarker]: { ...sound, ...changes } };
}

function errorOf(exported: unknown): DynoLoadError {
  try {
    validateScenario(exported, { file: 'scenarios/hot.ts' });
  } catch (error) {
    if (error instanceof DynoLoadError) return error;
    throw error;
  }
  throw new Error('the scenario was found valid');
}

function withWorkload(workload: unknown): object {
  return { workloads: () => ({ ask: workload }) };
}

/** A load that the compiler would have refused. */
function load(members: object): Load {
  return members as Load; // The point of these rows.
}

function withTable(changes: object): object {
  return { tables: () => ({ ...table, ...changes }) };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const item = { PK: 'a', SK: 'b' };

const rows: readonly { mistake: string; changes: object; texts: readonly string[] }[] = [
  {
    mistake: 'an empty question',
    changes: { question: ' ' },
    texts: ['question in scenarios/hot.ts is " "', 'one question'],
  },
  {
    mistake: 'an unknown member',
    changes: { workload: 1 },
    texts: ['workload in scenarios/hot.ts is not known', 'did you mean "workloads"?'],
  },
  {
    mistake: 'tables that are no function',
    changes: { tables: table },
    texts: ['tables in', 'it is a function'],
  },
  {
    mistake: 'no workloads',
    changes: { workloads: undefined },
    texts: ['workloads in scenarios/hot.ts is missing'],
  },
  { mistake: 'a seed that is no whole number', changes: { seed: 1.5 }, texts: ['seed in', 'is 1.5'] },
  {
    mistake: 'a constant of the model that there is none of',
    changes: { model: { splitDelay: 5 } },
    texts: ['model.splitDelay in', 'is not known', 'splitDelaySeconds'],
  },
  {
    mistake: 'a constant of the model with a value of the wrong kind',
    changes: { model: { splitsForHeat: 'often' } },
    texts: ['model.splitsForHeat in', 'is "often"', 'it must be true or false'],
  },
  {
    mistake: 'a start without a zone',
    changes: { startsAt: '2026-01-01T10:00' },
    texts: ['startsAt', 'time zone'],
  },
  {
    mistake: 'a parameter without values',
    changes: { parameters: { n: [] } },
    texts: ['parameters.n in', 'has no values'],
  },
  {
    mistake: 'a parameter with a value twice',
    changes: { parameters: { n: [1, 2, 1] } },
    texts: ['parameters.n', 'has the value 1 twice'],
  },
  {
    mistake: 'an object in a list of values',
    changes: { parameters: { n: [{}] } },
    texts: ['parameters.n', 'name the choices'],
  },
  {
    mistake: 'a skip that leaves nothing',
    changes: { parameters: { n: [1, 2] }, skip: () => true },
    texts: ['skip in', 'leaves out all of the 2 variants'],
  },
  { mistake: 'stages that are none', changes: { stages: 30 }, texts: ['stages in', 'a list'] },
  {
    mistake: 'a bad duration',
    changes: { stages: [{ name: 'a', duration: '10 sec' }] },
    texts: ['stages[0].duration', 'is "10 sec"', "'10s'"],
  },
  {
    mistake: 'a stage without length',
    changes: { stages: [{ name: 'a', duration: '0s' }] },
    texts: ['stages[0].duration', 'in no time'],
  },
  {
    mistake: 'no measured stage',
    changes: { stages: [{ name: 'a', duration: '1s', measured: false }] },
    texts: ['stages in', 'none that is measured'],
  },
  {
    mistake: 'two stages of one name',
    changes: {
      stages: [
        { name: 'a', duration: '1s' },
        { name: 'a', duration: '1s' },
      ],
    },
    texts: ['two named "a"'],
  },
  {
    mistake: 'a rate factor of zero',
    changes: { stages: [{ name: 'a', duration: '1s', rateFactor: 0 }] },
    texts: ['stages[0].rateFactor'],
  },

  {
    mistake: 'a table without keys',
    changes: { tables: () => ({ indexes: {} }) },
    texts: ['tables.keys', 'is missing'],
  },
  { mistake: 'no table at all', changes: { tables: () => ({}) }, texts: ['tables in', 'names no table'] },
  {
    mistake: 'one attribute as both keys',
    changes: withTable({ keys: { partition: 'PK', sort: 'PK' } }),
    texts: ['tables.keys.sort', 'the partition key too'],
  },
  {
    mistake: 'a key type that is none',
    changes: withTable({ types: { PK: 'string' } }),
    texts: ['tables.types.PK', 'one of "S", "N", "B"'],
  },
  {
    mistake: 'a type for an attribute outside of keys',
    changes: withTable({ types: { status: 'S' } }),
    texts: ['tables.types.status', 'not a key attribute'],
  },
  {
    mistake: 'a misspelt table member',
    changes: withTable({ index: {} }),
    texts: ['tables.index', 'did you mean "indexes"?'],
  },
  {
    mistake: 'an index without a partition key',
    changes: withTable({ indexes: { GSI1: {} } }),
    texts: ['tables.indexes.GSI1.partition', 'is missing'],
  },
  {
    mistake: 'an index whose keys are one attribute',
    changes: withTable({ indexes: { GSI1: { partition: 'a', sort: 'a' } } }),
    texts: ['tables.indexes.GSI1.sort'],
  },
  {
    mistake: 'an index name that is too short',
    changes: withTable({ indexes: { G: { partition: 'a' } } }),
    texts: ['indexes.G', '3 to 255'],
  },
  {
    mistake: 'an unknown projection',
    changes: withTable({ indexes: { GSI1: { partition: 'a', projection: 'SOME' } } }),
    texts: ['projection', 'is "SOME"'],
  },
  {
    mistake: 'more than 20 global indexes',
    changes: withTable({
      indexes: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`GSI${n}`, { partition: 'a' }])),
    }),
    texts: ['tables.indexes', 'are 21'],
  },
  {
    mistake: 'more than 5 local indexes',
    changes: withTable({
      localIndexes: Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`LSI${n}`, { sort: 'a' }])),
    }),
    texts: ['tables.localIndexes', 'are 6'],
  },
  {
    mistake: 'a local index on a table without a sort key',
    changes: withTable({ keys: { partition: 'PK' }, localIndexes: { LSI1: { sort: 'a' } } }),
    texts: ['localIndexes', 'no sort key'],
  },
  {
    mistake: 'provisioned units of zero',
    changes: withTable({ billing: { provisioned: { readUnits: 0, writeUnits: 5 } } }),
    texts: ['tables.billing.provisioned.readUnits', 'is 0'],
  },
  {
    mistake: 'a billing mode that is none',
    changes: withTable({ billing: 'cheap' }),
    texts: ['tables.billing', 'is "cheap"'],
  },
  {
    mistake: 'an index with another billing mode than its table',
    changes: withTable({
      indexes: { GSI1: { partition: 'a', billing: { provisioned: { readUnits: 1, writeUnits: 1 } } } },
    }),
    texts: ['tables.indexes.GSI1.billing', 'share one billing mode'],
  },
  {
    mistake: 'a warm start without reads',
    changes: withTable({ starts: { warmWriteUnits: 4000 } }),
    texts: ['tables.starts.warmReadUnits', 'is missing'],
  },

  {
    mistake: 'data with a preload for an unknown table',
    changes: { data: () => ({ items: preload({ table: 'other', count: 1, item: () => item }) }) },
    texts: ['data.items.table', 'is "other"'],
  },
  {
    mistake: 'a preload of a negative count',
    changes: { data: () => ({ items: preload({ count: -1, item: () => item }) }) },
    texts: ['data in', 'preload({ count: -1 })'],
  },
  {
    mistake: 'a distribution out of range',
    changes: { data: () => ({ by: hotspot({ share: 2, of: 0.1 }) }) },
    texts: ['data in', 'hotspot'],
  },

  {
    mistake: 'no workload',
    changes: { workloads: () => ({}) },
    texts: ['workloads in', 'names no workload'],
  },
  {
    mistake: 'something that is no workload',
    changes: withWorkload({ rate: 1 }),
    texts: ['workloads.ask in', 'is { rate }'],
  },
  {
    mistake: 'a workload name with a dot',
    changes: { workloads: () => ({ 'a.b': query({ rate: 1, partition: 'a' }) }) },
    texts: ['workloads.a.b', 'no name for a workload'],
  },
  {
    mistake: 'a missing rate',
    changes: withWorkload(query({ ...load({}), partition: 'a' })),
    texts: ['workloads.ask.rate in scenarios/hot.ts is missing'],
  },
  {
    mistake: 'a negative rate',
    changes: withWorkload(query({ rate: -5, partition: 'a' })),
    texts: ['workloads.ask.rate in scenarios/hot.ts is -5', 'above zero'],
  },
  {
    mistake: 'a rate of zero',
    changes: withWorkload(query({ rate: 0, partition: 'a' })),
    texts: ['workloads.ask.rate', 'is 0'],
  },
  {
    mistake: 'a rate that is no number',
    changes: withWorkload(query({ rate: Number.NaN, partition: 'a' })),
    texts: ['workloads.ask.rate', 'is NaN'],
  },
  {
    mistake: 'a ramp below zero',
    changes: withWorkload(query({ rate: { shape: 'ramp', from: -1, to: 5 }, partition: 'a' })),
    texts: ['workloads.ask.rate.from', 'is -1'],
  },
  {
    mistake: 'a step without a length',
    changes: withWorkload(
      query({ rate: { shape: 'steps', steps: [{ rate: 5, for: '0s' }] }, partition: 'a' }),
    ),
    texts: ['workloads.ask.rate.steps[0].for'],
  },
  {
    mistake: 'a rate and a concurrency',
    changes: withWorkload(query({ ...load({ rate: 1, concurrency: 1 }), partition: 'a' })),
    texts: ['workloads.ask.rate', 'beside concurrency'],
  },
  {
    mistake: 'half a concurrency',
    changes: withWorkload(query({ concurrency: 1.5, partition: 'a' })),
    texts: ['workloads.ask.concurrency', 'is 1.5'],
  },
  {
    mistake: 'a bad timeout',
    changes: withWorkload(query({ rate: 1, timeout: '0s', partition: 'a' })),
    texts: ['workloads.ask.timeout'],
  },
  {
    mistake: 'an expectation that is none',
    changes: withWorkload(query({ ...load({ rate: 1, expect: ['throttled'] }), partition: 'a' })),
    texts: ['workloads.ask.expect', 'has "throttled"'],
  },
  {
    mistake: 'fewer in flight than concurrency',
    changes: withWorkload(query({ concurrency: 9, maxInFlight: 3, partition: 'a' })),
    texts: ['workloads.ask.maxInFlight', 'below the concurrency of 9'],
  },
  {
    mistake: 'an async tables()',
    changes: { tables: async () => table },
    texts: ['tables in scenarios/hot.ts returns a Promise', 'it has to be synchronous'],
  },
  {
    mistake: 'an async workloads() that rejects',
    changes: { workloads: () => Promise.reject(new Error('gone')) },
    texts: ['workloads in scenarios/hot.ts returns a Promise'],
  },
  {
    mistake: 'an async skip()',
    changes: { parameters: { a: [1] }, skip: async () => false },
    texts: ['skip in scenarios/hot.ts returns a Promise'],
  },
  {
    mistake: 'an async data()',
    changes: { data: async () => ({}) },
    texts: ['data in scenarios/hot.ts returns a Promise'],
  },
  {
    mistake: 'key in the place of keys',
    changes: { tables: () => ({ key: { partition: 'PK' } }) },
    texts: ['tables.key', 'did you mean "keys"?'],
  },
  {
    mistake: 'concurrency beyond what is held in memory',
    changes: withWorkload(query({ concurrency: 1e9, partition: 'a' })),
    texts: ['workloads.ask.concurrency', 'is 1,000,000,000', 'at most 20,000', 'a rate'],
  },
  {
    mistake: 'more units than any table has',
    changes: withTable({ billing: { provisioned: { readUnits: 1e9, writeUnits: 1 } } }),
    texts: ['tables.billing.provisioned.readUnits', 'is 1,000,000,000', 'at most 10,000,000 units', '40,000'],
  },
  {
    mistake: 'more warm units than any table has',
    changes: withTable({ starts: { warmReadUnits: 1, warmWriteUnits: 1e9 } }),
    texts: ['tables.starts.warmWriteUnits', 'is 1,000,000,000', 'at most 10,000,000 units'],
  },
  {
    mistake: 'a stage that lasts for ages',
    changes: { stages: [{ name: 'a', duration: '1000000000h' }] },
    texts: ['stages[0].duration', 'is "1000000000h"', 'at most 1,000 hours'],
  },
  {
    mistake: 'variants by the ten thousand',
    changes: { parameters: { a: upTo(200), b: upTo(200) } },
    texts: ['RUN_TOO_LARGE', 'parameters', 'make 40,000 combinations', '--set'],
  },
  {
    mistake: 'more than a thousand variants',
    changes: { parameters: { a: upTo(1_001) } },
    texts: ['RUN_TOO_LARGE', 'make 1,001 variants'],
  },
  {
    mistake: 'an unknown index',
    changes: withWorkload(query({ rate: 1, index: 'GSI2', partition: 'a' })),
    texts: ['workloads.ask.index', 'is "GSI2"', 'did you mean "GSI1"?'],
  },
  {
    mistake: 'an unknown table',
    changes: withWorkload(query({ rate: 1, table: 'mian', partition: 'a' })),
    texts: ['workloads.ask.table', 'did you mean "main"?'],
  },
  {
    mistake: 'several tables and none named',
    changes: { tables: () => ({ a: table, b: table }) },
    texts: ['workloads.ask.table', 'is missing', '"a", "b"'],
  },
  {
    mistake: 'a consistent read of a global index',
    changes: withWorkload(query({ rate: 1, index: 'GSI1', consistent: true, partition: 'a' })),
    texts: ['workloads.ask.consistent', 'eventually consistent only'],
  },
  {
    mistake: 'a sort condition without a sort key',
    changes: withWorkload(query({ rate: 1, index: 'GSI1', partition: 'a', sort: { equals: 1 } })),
    texts: ['workloads.ask.sort', 'does not have'],
  },
  {
    mistake: 'a limit of zero',
    changes: withWorkload(query({ rate: 1, partition: 'a', limit: 0 })),
    texts: ['workloads.ask.limit', 'is 0'],
  },
  {
    mistake: 'half a page',
    changes: withWorkload(query({ rate: 1, partition: 'a', pages: 0.5 })),
    texts: ['workloads.ask.pages'],
  },
  {
    mistake: 'too many segments',
    changes: withWorkload(scan({ rate: 1, segments: 1_000_001 })),
    texts: ['workloads.ask.segments', '1,000,000'],
  },
  {
    mistake: 'nothing in parallel',
    changes: withWorkload(scan({ rate: 1, parallel: 0 })),
    texts: ['workloads.ask.parallel'],
  },
  {
    mistake: 'no items wanted of shards',
    changes: withWorkload(queryShards({ rate: 1, shards: shards('a', 2), items: 0 })),
    texts: ['workloads.ask.items'],
  },
  {
    mistake: 'an unknown member of an operation',
    changes: withWorkload(get({ rate: 1, key: item, ...{ consistant: true } })),
    texts: ['workloads.ask.consistant', 'did you mean "consistent"?'],
  },
  {
    mistake: 'a placeholder that is not used',
    changes: withWorkload(scan({ rate: 1, filter: { expression: 'a = :a', values: { ':a': 1, ':b': 2 } } })),
    texts: ['workloads.ask.filter.values.:b', 'is not used'],
  },
  {
    mistake: 'an update without a change',
    changes: withWorkload(update({ rate: 1, key: item })),
    texts: ['workloads.ask.set', 'is missing'],
  },
  {
    mistake: 'two expressions for one update',
    changes: withWorkload(update({ rate: 1, key: item, set: { a: 1 }, update: { expression: 'REMOVE b' } })),
    texts: ['workloads.ask.update', 'stands beside set'],
  },
  {
    mistake: 'something remembered in no pool',
    changes: withWorkload(
      defineWorkload('put', {
        rate: 1,
        item,
        remember: { in: { pick: () => 1, take: () => 1 }, as: () => 1 },
      }),
    ),
    texts: ['workloads.ask.remember.in', 'pool()'],
  },
  {
    mistake: 'an operation without its item',
    changes: withWorkload(batchWrite({ ...load({ rate: 1 }), ...JSON.parse('{}') })),
    texts: ['workloads.ask.writes', 'is missing'],
  },

  {
    mistake: 'a goal for an unknown workload',
    changes: { thresholds: { 'asc.throttledRatio': '< 1%' } },
    texts: ['thresholds["asc.throttledRatio"]', 'did you mean "ask"?'],
  },
  {
    mistake: 'a goal for an unknown metric',
    changes: { thresholds: { 'ask.throtledRatio': '< 1%' } },
    texts: ['did you mean "throttledRatio"?'],
  },
  {
    mistake: 'a goal that is no comparison',
    changes: { thresholds: { 'ask.throttledRatio': 'low' } },
    texts: ['is "low"', "'< 0.1%'"],
  },
  {
    mistake: 'a goal in the wrong unit',
    changes: { thresholds: { 'ask.response.p99': '< 5%' } },
    texts: ['unit ms or s, not %'],
  },
  {
    mistake: 'a ratio above one',
    changes: { thresholds: { 'ask.throttledRatio': '< 5' } },
    texts: ['between 0 and 1'],
  },
];

describe('one mistake each', () => {
  test.each(rows)('$mistake', ({ changes, texts }) => {
    const error = errorOf(scenarioOf(changes));
    expect(error.exitCode).toBe(2);
    for (const text of texts) expect(formatError(error)).toContain(text);
  });
});

test('what was not made by defineScenario is refused', () => {
  expect(formatError(errorOf({ question: 'q' }))).toContain('a scenario is made by defineScenario');
});

test('a sound scenario gets its defaults', () => {
  const valid = validateScenario(scenarioOf({}), { file: 'hot.ts' });
  expect(valid.seed).toBe(1);
  expect(valid.model).toEqual({});
  expect(new Date(valid.startsAtMs).toISOString()).toBe('2026-01-01T00:00:00.000Z');
  expect(valid.stages.map(({ name, durationUs }) => [name, durationUs])).toEqual([
    ['warm-up', 10_000_000],
    ['steady', 30_000_000],
  ]);
});

test('all mistakes are told at once', () => {
  const error = errorOf(
    scenarioOf({ question: '', seed: -1, ...withWorkload(query({ rate: -1, partition: 'a', limit: 0 })) }),
  );
  expect(error.code).toBe('SCENARIO_INVALID');
  expect(error.issues.map(({ what }) => what.split(' ')[0])).toEqual([
    'question',
    'seed',
    'workloads.ask.limit',
    'workloads.ask.rate',
  ]);
});

test('a mistake of all variants is told once, and one of a single variant names it', () => {
  const workloads = ({ n }: { n: number }) => ({
    ask: query({ rate: n === 2 ? -1 : 1, partition: 'a', limit: 0 }),
  });
  const { issues } = errorOf(scenarioOf({ parameters: { n: [1, 2, 3] }, workloads }));
  expect(issues.map(({ what }) => what)).toEqual([
    'workloads.ask.limit in scenarios/hot.ts is 0',
    'workloads.ask.rate in scenarios/hot.ts is -1 (variant n=2)',
  ]);
});

test.each(['tables', 'data', 'workloads', 'skip'])(
  'an exception in %s tells the function and the line',
  (name) => {
    const fails = () => {
      throw new TypeError('no such thing');
    };
    const error = errorOf(scenarioOf({ [name]: fails }));
    expect(error.code).toBe('SCENARIO_FUNCTION_THREW');
    expect(error.what).toContain(`${name} in scenarios/hot.ts threw TypeError: no such thing`);
    expect(error.why).toMatch(/validate\.test\.ts:\d+:\d+$/);
  },
);

test('named choices may hold anything, and flows and pools pass', () => {
  const changes = {
    parameters: { starts: { new: 'new', warm: { warmReadUnits: 1, warmWriteUnits: 1 } } },
    data: () => ({ placed: pool<string>(), rest: 3 }),
    workloads: (_: unknown, { placed }: { placed: ReturnType<typeof pool<string>> }) => ({
      place: put({ rate: 1, item, remember: { in: placed, as: () => 'x' } }),
      ask: flow({ rate: 1, run: async () => {} }),
    }),
  };
  expect(validateScenario(scenarioOf(changes), { file: 'hot.ts' }).parameters[0]?.isNamed).toBe(true);
});
