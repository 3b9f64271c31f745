// Aim: variants share tables only where none of them could notice. Method: scenarios of two variants, planned as they
// are run, which differ in one thing each; and plans whose preloads differ in one item anywhere.
import { expect, test } from 'vitest';
import {
  batchGet,
  custom,
  defineScenario,
  flow,
  get,
  partiql,
  preload,
  put,
  query,
  queryShards,
  type Scenario,
  scan,
  shards,
  type TableDefinition,
  transactGet,
} from '../../../src/index.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { canShareTables, type ComparedItems } from '../../../src/scenario/shared-tables.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';
import { planOf } from '../../support/plan-builder.ts';

interface Wishes {
  readonly tables?: (version: number) => TableDefinition;
  readonly count?: (version: number) => number;
  readonly text?: (version: number, index: number) => string;
  readonly workload?: (version: number) => ReturnType<typeof put>;
}

const keys = { partition: 'PK', sort: 'SK' };
const read = () => get({ rate: 1, key: { PK: 'a', SK: 'b' } });

/** Two variants, `version` 1 and 2, alike but for what is wished. */
function scenarioOf({
  tables = () => ({ keys }),
  count = () => 30,
  text = () => '',
  workload = read,
}: Wishes) {
  return defineScenario({
    question: 'q',
    parameters: { version: [1, 2] },
    tables: ({ version }) => tables(version),
    data: ({ version }) => ({
      orders: preload({
        count: count(version),
        item: ({ index }) => ({ PK: 'a', SK: String(index), text: text(version, index) }),
      }),
    }),
    workloads: ({ version }) => ({ ask: workload(version) }),
  });
}

function plansOf(scenario: Scenario, options: { readonly sharesTables?: boolean } = {}): readonly RunPlan[] {
  const valid = validateScenario(scenario, { file: 'hot.ts' });
  return planRuns(valid, { scenarioName: 'hot', wallClock: true, ...options }).plans;
}

const facts = { isTableExisting: false, turn: async () => undefined };

test.each<[string, Wishes, boolean]>([
  ['are alike and get items', {}, true],
  [
    'get other items of the same tables',
    { workload: (v) => get({ rate: v, key: { PK: `${v}`, SK: 'b' } }) },
    true,
  ],
  [
    'query and scan',
    { workload: (v) => (v === 1 ? query({ rate: 1, partition: 'a' }) : scan({ rate: 1 })) },
    true,
  ],
  ['get batches', { workload: () => batchGet({ rate: 1, reads: [{ key: { PK: 'a', SK: 'b' } }] }) }, true],
  [
    'get in transactions',
    { workload: () => transactGet({ rate: 1, reads: [{ key: { PK: 'a', SK: 'b' } }] }) },
    true,
  ],
  ['select', { workload: () => partiql({ rate: 1, statement: "SELECT * FROM main WHERE PK = 'a'" }) }, true],
  [
    'read all shards of a key',
    { workload: (v) => queryShards({ rate: 1, shards: shards('a', v), items: 'all' }) },
    true,
  ],
  ['have nothing put in place', { count: () => 0 }, true],
  ['both put', { workload: () => put({ rate: 1, item: { PK: 'a', SK: 'b' } }) }, false],
  [
    'read in one and put in the other',
    { workload: (v) => (v === 1 ? read() : put({ rate: 1, item: { PK: 'a', SK: 'b' } })) },
    false,
  ],
  [
    'update by a statement',
    { workload: () => partiql({ rate: 1, statement: "UPDATE main SET x = 1 WHERE PK = 'a' AND SK = 'b'" }) },
    false,
  ],
  [
    'compute their statements',
    { workload: () => partiql({ rate: 1, statement: () => "SELECT * FROM main WHERE PK = 'a'" }) },
    false,
  ],
  [
    'run a flow, which may write',
    {
      workload: () =>
        flow({ rate: 1, run: async (db) => void (await db.get('one', { key: { PK: 'a', SK: 'b' } })) }),
    },
    false,
  ],
  [
    'run their own code, which may write',
    { workload: () => custom({ rate: 1, setup: () => null, run: async () => undefined }) },
    false,
  ],
  [
    'have other keys',
    { tables: (v) => ({ keys: v === 1 ? keys : { partition: 'PK' } }), workload: () => scan({ rate: 1 }) },
    false,
  ],
  [
    'have other billing',
    { tables: (v) => ({ keys, billing: { provisioned: { readUnits: 10 * v, writeUnits: 10 } } }) },
    false,
  ],
  [
    'start from other warm throughput',
    { tables: (v) => ({ keys, starts: { warmReadUnits: 12_000 * v, warmWriteUnits: 4_000 } }) },
    false,
  ],
  [
    'have an index in one',
    { tables: (v) => ({ keys, indexes: v === 1 ? {} : { byText: { partition: 'text' } } }), text: () => 'x' },
    false,
  ],
  [
    'project other attributes into an index',
    {
      tables: (v) => ({
        keys,
        indexes: { byText: { partition: 'text', projection: v === 1 ? 'ALL' : 'KEYS_ONLY' } },
      }),
      text: () => 'x',
    },
    false,
  ],
  ['have items that expire', { tables: () => ({ keys, timeToLive: 'expires' }) }, false],
  ['have more items in one', { count: (v) => 30 + v }, false],
  ['have items of other text', { text: (v) => `version ${v}` }, false],
  ['have items of which the last differs', { text: (v, index) => (index === 29 ? `${v}` : '') }, false],
])('variants that %s', async (_, wishes, isShared) => {
  expect(await canShareTables(plansOf(scenarioOf(wishes)), facts)).toBe(isShared);
});

test('one variant that only reads shares its tables with its repeats, and makes no item to see that', async () => {
  const itemAt = () => {
    throw new Error('no item is needed');
  };
  const preloads = [{ name: 'p', tableName: 't', count: 10, itemAt }];
  expect(await canShareTables([{ ...planOf({}), onlyReads: true, preloads }], facts)).toBe(true);
});

test('in a table that was there before only items are to be equal: it is what it is', async () => {
  const billing = (v: number) => ({ keys, billing: { provisioned: { readUnits: 10 * v, writeUnits: 10 } } });
  const existing = { ...facts, isTableExisting: true };
  expect(await canShareTables(plansOf(scenarioOf({ tables: billing })), existing)).toBe(true);
  expect(await canShareTables(plansOf(scenarioOf({ text: (v) => `${v}` })), existing)).toBe(false);
});

test.each([0, 9_999, 24_999])(
  'item %i of 25,000 is compared, and the event loop gets its turns',
  async (odd) => {
    const preloadOf = (text: string) => ({
      name: 'p',
      tableName: 't',
      count: 25_000,
      itemAt: (index: number) => ({ PK: { S: `${index}` }, text: { S: index === odd ? text : '' } }),
    });
    const readers = ['same', 'same', 'other'].map((text) => ({
      ...planOf({}),
      onlyReads: true,
      preloads: [preloadOf(text)],
    }));
    const turns: string[] = [];
    const turn = async ({ preload: name, done, of }: ComparedItems) =>
      void turns.push(`${name} ${done}/${of}`);
    expect(await canShareTables(readers, { ...facts, turn })).toBe(false);
    expect(await canShareTables(readers.slice(0, 2), { ...facts, turn })).toBe(true);
    const ofAll = ['p 9999/25000', 'p 19999/25000'];
    expect(turns).toEqual([...ofAll.slice(0, Math.floor((odd + 1) / 10_000)), ...ofAll]);
  },
);

test('preloads in another order are others: the later one of equal keys is the one that stays', async () => {
  const preloads = ['a', 'b'].map((text) => ({
    name: text,
    tableName: 't',
    count: 1,
    itemAt: () => ({ PK: { S: 'k' }, text: { S: text } }),
  }));
  const reader = { ...planOf({}), onlyReads: true, preloads };
  expect(await canShareTables([reader, { ...reader, preloads: preloads.toReversed() }], facts)).toBe(false);
});

test('shared tables have one name for all variants, and a single variant keeps its own', () => {
  const scenario = scenarioOf({});
  const names = (plans: readonly RunPlan[]) => plans.map(({ tables }) => tables[0]?.tableName);
  expect(names(plansOf(scenario))).toEqual(['dyno-load-hot-version-1-main', 'dyno-load-hot-version-2-main']);
  const shared = plansOf(scenario, { sharesTables: true });
  expect(names(shared)).toEqual(['dyno-load-hot-shared-main', 'dyno-load-hot-shared-main']);
  expect(shared.map(({ preloads }) => preloads[0]?.tableName)).toEqual(names(shared));
  const single = defineScenario({
    question: 'q',
    tables: () => ({ keys }),
    workloads: () => ({ ask: read() }),
  });
  expect(names(plansOf(single, { sharesTables: true }))).toEqual(['dyno-load-hot-default-main']);
});
