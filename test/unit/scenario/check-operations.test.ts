// Aim: what DynamoDB would refuse is found before load, with workload and operation; what only meets missing
// data is not. Method: scenarios with one fault that shows in generated values only; each is planned and
// checked.
import { expect, test } from 'vitest';
import { DynoLoadError, formatError } from '../../../src/errors.ts';
import {
  batchGet,
  batchWrite,
  defineScenario,
  filler,
  flow,
  get,
  pool,
  preload,
  put,
  query,
  queryShards,
  scan,
  shards,
  partiql,
  partiqlBatch,
  partiqlTransaction,
  transactWrite,
  update,
  type Item,
  type Workload,
} from '../../../src/index.ts';
import { checkOperations } from '../../../src/scenario/check-operations.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';

const tables = () =>
  ({
    keys: { partition: 'PK', sort: 'SK' },
    types: { SK: 'N' },
    indexes: { GSI1: { partition: 'G', sort: 'SK' } },
  }) as const;

async function checkedText(workload: Workload<'GSI1'>, data: object = {}): Promise<string> {
  const scenario = defineScenario({
    question: 'q',
    tables,
    data: () => data,
    workloads: () => ({ w: workload }),
  });
  const { plans } = planRuns(validateScenario(scenario, { file: 'hot.ts' }), { scenarioName: 'hot' });
  try {
    await checkOperations(plans, { file: 'hot.ts' });
    return 'ok';
  } catch (error) {
    if (error instanceof DynoLoadError) return formatError(error);
    throw error;
  }
}

/** What plain JavaScript may hand over where an item is due. */
function promising(item: Item | undefined): () => Item {
  const promise = item === undefined ? Promise.reject(new Error('gone')) : Promise.resolve(item);
  promise.catch(() => undefined);
  return () => promise as never; // The point of these rows.
}

/** A call as plain JavaScript may make it. */
function withoutLabel(get: (label: string, spec: { key: Item }) => Promise<unknown>): Promise<unknown> {
  return get({ key: good } as never, undefined as never); // The point of the row.
}

const rate = 1;
const good: Item = { PK: 'a', SK: 1 };
const manyKeys = (count: number) => Array.from({ length: count }, (_, SK) => ({ PK: 'a', SK }));

const faults: readonly { fault: string; workload: Workload<'GSI1'>; texts: readonly string[] }[] = [
  {
    fault: 'an item over 400 KB, from some operation on',
    workload: put({ rate, item: ({ seq }) => ({ ...good, body: filler(seq < 40 ? 10 : 409_600) }) }),
    texts: ['ITEM_TOO_LARGE  workloads.w in hot.ts (operation 40)', '409,6', '"body"'],
  },
  {
    fault: 'an item without its sort key',
    workload: put({ rate, item: { PK: 'a' } }),
    texts: ['OPERATION_INVALID', 'has no "SK"'],
  },
  {
    fault: 'a sort key of the wrong type',
    workload: put({ rate, item: { PK: 'a', SK: 'b' } }),
    texts: ['the string "b" as "SK"', 'a number'],
  },
  {
    fault: 'an index key of the wrong type',
    workload: put({ rate, item: { ...good, G: 5 } }),
    texts: ['the number 5 as "G"', 'index "GSI1"'],
  },
  {
    fault: 'an empty partition key',
    workload: put({ rate, item: { PK: '', SK: 1 } }),
    texts: ['an empty "PK"'],
  },
  {
    fault: 'a partition key that is too long',
    workload: put({ rate, item: { PK: 'x'.repeat(2049), SK: 1 } }),
    texts: ['2049 bytes', '2048'],
  },
  {
    fault: 'a filler as a key',
    workload: put({ rate, item: { PK: filler('10 B'), SK: 1 } }),
    texts: ['a filler as key "PK"'],
  },
  {
    fault: 'a key with more than the key',
    workload: get({ rate, key: { ...good, status: 'x' } }),
    texts: ['has "status" in its key', 'PK and SK'],
  },
  {
    fault: 'a query by a value of the wrong type',
    workload: query({ rate, index: 'GSI1', partition: 7 }),
    texts: ['the number 7 as "G"'],
  },
  {
    fault: 'a sort condition of the wrong type',
    workload: query({ rate, partition: 'a', sort: { atLeast: '1' } }),
    texts: ['the string "1" as "SK"'],
  },
  {
    fault: 'shards of an index with a key of numbers',
    workload: queryShards({ rate, shards: shards('x', 2), items: 1, sort: { equals: 'a' } }),
    texts: ['"SK"'],
  },
  {
    fault: 'a filler inside a filter',
    workload: scan({ rate, filter: { expression: 'a = :a', values: { ':a': filler('1 KB') } } }),
    texts: ['a filler as :a in an expression'],
  },
  {
    fault: 'a filler inside a condition',
    workload: update({
      rate,
      key: good,
      set: { a: 1 },
      condition: { expression: 'a = :a', values: { ':a': [filler('1 B')] } },
    }),
    texts: ['a filler as :a'],
  },
  {
    fault: 'a batch of 26 writes',
    workload: batchWrite({ rate, writes: manyKeys(26).map((item) => ({ put: { item } })) }),
    texts: ['26 items', '1 to 25'],
  },
  { fault: 'an empty batch', workload: batchGet({ rate, reads: [] }), texts: ['0 items', 'at least one'] },
  {
    fault: 'a batch of 101 reads',
    workload: batchGet({ rate, reads: manyKeys(101).map((key) => ({ key })) }),
    texts: ['101 items'],
  },
  {
    fault: 'one item twice in a transaction',
    workload: transactWrite({ rate, writes: [{ put: { item: good } }, { remove: { key: good } }] }),
    texts: ['names one item twice'],
  },
  {
    fault: 'a transaction over 4 MB',
    workload: transactWrite({
      rate,
      writes: manyKeys(11).map((key) => ({ put: { item: { ...key, body: filler('390 KB') } } })),
    }),
    texts: ['in one transaction', '4,194,304'],
  },
  {
    fault: 'what is no statement',
    workload: partiql({ rate, statement: 'SELECT FROM main' }),
    texts: ['DynamoDB refuses: SELECT FROM "', "Expected an attribute but got 'FROM'"],
  },
  {
    fault: 'a statement of a table that the scenario does not have',
    workload: partiql({ rate, statement: 'SELECT * FROM mian' }),
    texts: ['there is no table "mian"', 'did you mean "main"?'],
  },
  {
    fault: 'a quote that is not closed',
    workload: partiql({ rate, statement: `SELECT * FROM main WHERE PK = 'a` }),
    texts: ['OPERATION_INVALID', 'a quote or a comment that is not closed'],
  },
  {
    fault: 'a parameter too few',
    workload: partiql({ rate, statement: 'SELECT * FROM main WHERE PK = ? AND SK = ?', parameters: ['a'] }),
    texts: ["Number of parameters in request and statement don't match"],
  },
  {
    fault: 'a write that names no item',
    workload: partiql({ rate, statement: `UPDATE main SET a = 1 WHERE PK = 'a'` }),
    texts: ['a mandatory equality on all key attributes'],
  },
  {
    fault: 'a key of the wrong type in a statement',
    workload: partiql({ rate, statement: `DELETE FROM main WHERE PK = 'a' AND SK = ?`, parameters: ['one'] }),
    texts: ['"SK"'],
  },
  {
    fault: 'an item that a statement makes too large',
    workload: partiql({
      rate,
      statement: `INSERT INTO main VALUE {'PK': 'a', 'SK': 1, 'body': ?}`,
      parameters: [filler('401 KB')],
    }),
    texts: ['ITEM_TOO_LARGE'],
  },
  {
    fault: 'a batch of 26 statements',
    workload: partiqlBatch({
      rate,
      statements: manyKeys(26).map(({ PK, SK }) => ({
        statement: 'SELECT * FROM main WHERE PK = ? AND SK = ?',
        parameters: [PK, SK],
      })),
    }),
    texts: ['26 statements', '1 to 25'],
  },
  {
    fault: 'a batch that reads and writes',
    workload: partiqlBatch({
      rate,
      statements: [
        { statement: `SELECT * FROM main WHERE PK = 'a' AND SK = 1` },
        { statement: `DELETE FROM main WHERE PK = 'a' AND SK = 2` },
      ],
    }),
    texts: ['statements that read and statements that write'],
  },
  {
    fault: 'a transaction with a SELECT of many items',
    workload: partiqlTransaction({ rate, statements: [{ statement: `SELECT * FROM main WHERE PK = 'a'` }] }),
    texts: ['many items', 'use partiql for this statement'],
  },
  {
    fault: 'a value that DynamoDB cannot hold',
    workload: put({ rate, item: () => ({ ...good, n: Number.NaN }) }),
    texts: ['workloads.w in hot.ts (operation 0) fails: "n" is NaN'],
  },
  {
    fault: 'an exception from some operation on',
    workload: put({
      rate,
      item: ({ seq }) => {
        if (seq === 999) throw new Error('the thousandth');
        return good;
      },
    }),
    texts: ['SCENARIO_FUNCTION_THREW', 'operation 999', 'Error: the thousandth', 'check-operations.test.ts:'],
  },
  {
    fault: 'a faulty request in a flow',
    workload: flow({ rate, run: async (db) => void (await db.get('one', { key: { PK: 'a' } })) }),
    texts: ['OPERATION_INVALID', 'has no "SK"'],
  },
  {
    fault: 'an unknown table in a flow',
    workload: flow({ rate, run: async (db) => void (await db.get('one', { table: 'mian', key: good })) }),
    texts: ['there is no table "mian"', 'did you mean "main"?'],
  },
  {
    fault: 'a flow that waits for something else',
    workload: flow({ rate, run: () => new Promise<void>(() => {}) }),
    texts: ['FLOW_AWAITED_OUTSIDE'],
  },
  {
    fault: 'a flow that forgets to await',
    workload: flow({
      rate,
      run: async (db) => {
        void db.get('find order', { key: good });
      },
    }),
    texts: ['FLOW_NOT_AWAITED', 'while the request "find order" was under way', 'write await before'],
  },
  {
    fault: 'a flow that never asks anything',
    workload: flow({ rate, run: async () => undefined }),
    texts: ['workloads.w.run in hot.ts makes no request in any of its first 1,000 operations'],
  },
  {
    fault: 'a db call without a label',
    workload: flow({ rate, run: async (db) => void (await withoutLabel(db.get)) }),
    texts: ['db.get(…) is called without a label', "db.get('find order'"],
  },
  {
    fault: 'a list that is null',
    workload: batchWrite({ rate, writes: () => JSON.parse('null') }),
    texts: ['OPERATION_INVALID', 'writes is null', 'a list of objects'],
  },
  {
    fault: 'an item from an async function',
    workload: put({ rate, item: promising(good) }),
    texts: ['its function returns a Promise', 'it has to be synchronous'],
  },
  {
    fault: 'a key from an async function that rejects',
    workload: update({ rate, key: promising(undefined), set: { a: 1 } }),
    texts: ['its function returns a Promise'],
  },
  {
    fault: 'a flow that fails before it asks anything',
    workload: flow({ rate, run: async () => Promise.reject(new Error('at once')) }),
    texts: ['Error: at once'],
  },
];

test.each(faults)('$fault', async ({ workload, texts }) => {
  const told = await checkedText(workload);
  for (const text of texts) expect(told).toContain(text);
});

test('a preloaded item is checked as well', async () => {
  const items = preload({ count: 2000, item: ({ index }) => (index < 1500 ? good : { PK: 'a' }) });
  expect(await checkedText(query({ rate, partition: 'a' }), { items })).toMatch(
    /data\.items in hot\.ts \(item 1500\) has no "SK"/,
  );
});

const names = pool<string>();
const sound: readonly { what: string; workload: Workload<'GSI1'> }[] = [
  {
    what: 'an item of 400 KB exactly',
    workload: put({ rate, item: { ...good, b: filler(409_600 - 2 - 1 - 2 - 2 - 1) } }),
  },
  { what: 'an item that is in no index', workload: put({ rate, item: good }) },
  {
    what: 'a filler that an update stores',
    workload: update({ rate, key: good, set: { body: filler('10 KB') } }),
  },
  {
    what: 'a query by a pool that is empty',
    workload: query({ rate, partition: ({ random }) => names.pick(random) }),
  },
  {
    what: 'a flow that fails on missing items',
    workload: flow({
      rate,
      run: async (db) => {
        const item = await db.get('one', { key: good });
        if (item === undefined) throw new Error('gone');
      },
    }),
  },
  {
    what: 'a flow with a pool that is empty',
    workload: flow({
      rate,
      run: async (db, { random }) => void (await db.get('one', { key: { PK: names.pick(random), SK: 1 } })),
    }),
  },
  {
    what: 'a flow of many steps, some together',
    workload: flow({
      rate,
      run: async (db) => {
        for (let step = 0; step < 20; step++)
          await Promise.all([
            db.query('a', { partition: 'a' }),
            db.query('b', { index: 'GSI1', partition: 'b' }),
            db.transactGet('c', { reads: [{ key: good }] }),
          ]);
      },
    }),
  },
];

test.each(sound)('$what is no fault', async ({ workload }) => {
  expect(await checkedText(workload)).toBe('ok');
});

test('several faults are told together', async () => {
  const told = await checkedText(
    put({ rate, item: ({ seq }) => (seq % 2 ? { PK: '' } : { PK: 5, SK: 'x' }) }),
  );
  expect(told).toMatch(/OPERATION_INVALID {2}\d problems in hot\.ts/);
  expect(told).toContain('an empty "PK"');
  expect(told).toContain('the string "x" as "SK"');
});
