// Aim: a run whose items cannot fit into memory is refused before it starts, with those that load itself
// writes; one that may fit is only told of it. Method: scenarios in rows, planned and weighed against a
// memory of 2 GB; nothing is run, and keys come from the scenario's functions.
import { describe, expect, test } from 'vitest';
import { DynoLoadError, formatError } from '../../../src/errors.ts';
import {
  batchWrite,
  bursts,
  defineScenario,
  get,
  type Item,
  preload,
  put,
  type PutSpec,
  type Rate,
  remove,
  transactWrite,
  update,
} from '../../../src/index.ts';
import { planRuns } from '../../../src/scenario/plan.ts';
import { checkRunMemory } from '../../../src/scenario/run-memory.ts';
import { validateScenario } from '../../../src/scenario/validate.ts';

type Parts = Partial<Parameters<typeof defineScenario>[0]>;

const gigabyte = 2 ** 30;
const keys = { partition: 'PK' };
const warm = { warmReadUnits: 40_000, warmWriteUnits: 40_000 };
/** Makes tables keep items. */
const reader = { r: get({ rate: 1, key: { PK: 'a' } }) };
const fresh = ({ seq }: { readonly seq: number }): Item => ({ PK: `order${seq}`, text: 'x'.repeat(60) });

/** A put, and somebody who looks at items. */
function looked(rate: Rate, item: PutSpec<never>['item'] = fresh): Parts {
  return { workloads: () => ({ w: put({ rate, item }), ...reader }) };
}

interface Check {
  readonly parts: Parts;
  readonly keepsOnlySizes?: boolean;
  readonly heapBytes?: number;
  readonly machineBytes?: number;
}

/** What is told: the refusal, or the warnings. */
function weigh({ parts, keepsOnlySizes = true, heapBytes = 2 * gigabyte, machineBytes }: Check): string {
  const scenario = defineScenario({
    question: 'q',
    tables: () => ({ keys, starts: warm }),
    stages: [{ name: 'steady', duration: '1h' }],
    workloads: () => ({ w: put({ rate: 10_000, item: fresh }) }),
    ...parts,
  });
  const { plans } = planRuns(validateScenario(scenario, { file: 'hot.ts' }), { scenarioName: 'hot' });
  try {
    const memory = { heapBytes, machineBytes: machineBytes ?? 16 * gigabyte, keepsOnlySizes };
    return checkRunMemory(plans, { file: 'hot.ts', ...memory }).join('\n');
  } catch (error) {
    if (error instanceof DynoLoadError) return formatError(error);
    throw error;
  }
}

describe('refused is', () => {
  test.each<[string, Check, readonly (string | RegExp)[]]>([
    [
      'a put of new items that somebody looks at',
      { parts: looked(10_000) },
      [
        /hot\.ts writes about 36,000,000 new items, which take about 1\d\.\d GB of memory/,
        'the simulated table keeps them in memory, and this process may use 2.0 GB',
        /lower rates, .*--max-old-space-size=\d{5}/,
      ],
    ],
    [
      'a bare put behind a port, where all items are kept',
      { parts: {}, keepsOnlySizes: false },
      ['writes about 36,000,000 new items'],
    ],
    [
      'a bare put into a table with an index',
      {
        parts: {
          tables: () => ({
            keys,
            starts: warm,
            indexes: { GSI1: { partition: 'G', projection: 'ALL', starts: warm } },
          }),
        },
      },
      ['writes about 36,000,000 new items'],
    ],
    [
      'a bare put of which not even the sizes fit into the machine',
      { parts: {}, machineBytes: gigabyte },
      [/take about \d\.\d GB of memory/, 'this machine has 1.0 GB', /fix: lower rates/],
    ],
    [
      'what is put in place and what load writes together',
      {
        parts: {
          data: () => ({ items: preload<Item>({ count: 3e6, item: ({ index }) => ({ PK: `i${index}` }) }) }),
          stages: [{ name: 'steady', duration: '2m' }],
          workloads: () => ({ w: put({ rate: 20_000, item: fresh }), ...reader }),
        },
      },
      ['preloads 3,000,000 items and writes about 2,400,000 new items'],
    ],
    [
      'what is put in place alone',
      {
        parts: {
          data: () => ({ items: preload<Item>({ count: 6e6, item: ({ index }) => ({ PK: `i${index}` }) }) }),
          workloads: () => reader,
        },
      },
      ['data in hot.ts preloads 6,000,000 items, which take', 'lower count, use filler'],
    ],
    [
      'a batch, by its puts',
      {
        parts: {
          workloads: () => ({
            w: batchWrite({
              rate: 1_000,
              writes: ({ seq }) =>
                Array.from({ length: 20 }, (_, at) => ({ put: { item: { PK: `${seq}-${at}` } } })),
            }),
            ...reader,
          }),
        },
      },
      ['writes about 72,000,000 new items'],
    ],
    [
      'a transaction, by its puts',
      {
        parts: {
          workloads: () => ({
            w: transactWrite({
              rate: 5_000,
              writes: ({ seq }) => [
                { put: { item: { PK: `a${seq}` } } },
                { put: { item: { PK: `b${seq}` } } },
              ],
            }),
            ...reader,
          }),
        },
      },
      ['writes about 36,000,000 new items'],
    ],
  ])('%s', (_, check, texts) => {
    const told = weigh(check);
    expect(told).toMatch(/^RUN_TOO_LARGE/);
    for (const text of texts) expect(told).toMatch(text);
  });
});

describe('told of beforehand, and not refused, is', () => {
  test.each<[string, Parts]>([
    [
      'more than a new table surely takes',
      { tables: () => ({ keys }), stages: [{ name: 'steady', duration: '5m' }], ...looked(40_000) },
    ],
    [
      'a hot key, most of whose puts are throttled',
      {
        tables: () => ({ keys: { partition: 'PK', sort: 'SK' }, starts: warm }),
        ...looked(10_000, ({ seq }) => ({ PK: 'hot', SK: `${seq}` })),
      },
    ],
    ['a table whose items expire', { tables: () => ({ keys, starts: warm, timeToLive: 'ttl' }) }],
    [
      'a table from which items are deleted too',
      {
        workloads: () => ({
          w: put({ rate: 10_000, item: fresh }),
          d: remove({ rate: 10_000, key: ({ seq }) => ({ PK: `order${seq}` }) }),
        }),
      },
    ],
    [
      'load that comes in bursts of more than the table takes',
      { tables: () => ({ keys }), ...looked(bursts({ rate: 40_000, for: '1s', pause: '3s' })) },
    ],
  ])('%s', (_, parts) => {
    const told = weigh({ parts });
    expect(told).toMatch(/^default writes about (36|12),000,000 new items/);
    expect(told).toMatch(/if the table takes all of them; .*may use 2\.0 GB\. If it comes to that: lower/);
  });
});

describe('nothing is told of', () => {
  test.each<[string, Check]>([
    ['a bare put, of which only sizes are kept', { parts: {} }],
    [
      'items in place of which only sizes are kept',
      {
        parts: {
          data: () => ({ items: preload<Item>({ count: 6e6, item: ({ index }) => ({ PK: `i${index}` }) }) }),
        },
      },
    ],
    [
      'a million items in place',
      {
        parts: {
          data: () => ({ items: preload<Item>({ count: 1e6, item: ({ index }) => ({ PK: `i${index}` }) }) }),
          workloads: () => reader,
        },
      },
    ],
    ['few items', { parts: looked(100) }],
    [
      'a million keys, each of which is written again and again',
      { parts: looked(10_000, ({ random }) => ({ PK: `k${random.int(1_000_000)}` })) },
    ],
    ['a million keys in turn', { parts: looked(10_000, ({ seq }) => ({ PK: `k${seq % 1_000_000}` })) }],
    [
      'keys that are written a hundred times in a row',
      { parts: looked(10_000, ({ seq }) => ({ PK: `k${Math.floor(seq / 100)}` })) },
    ],
    [
      'updates, which may be of items that are there',
      {
        parts: {
          workloads: () => ({
            u: update({ rate: 10_000, key: ({ seq }) => ({ PK: `${seq}` }), set: { n: 1 } }),
          }),
        },
      },
    ],
    [
      'a workload under concurrency, whose turns nobody knows',
      { parts: { workloads: () => ({ w: put({ concurrency: 50, item: fresh }), ...reader }) } },
    ],
    [
      'puts over what was put in place',
      {
        parts: {
          data: () => ({ items: preload<Item>({ count: 3e6, item: ({ index }) => ({ PK: `i${index}` }) }) }),
          ...looked(10_000, ({ random }) => ({ PK: `i${random.int(3_000_000)}` })),
        },
      },
    ],
  ])('%s', (_, check) => {
    expect(weigh(check)).toBe('');
  });
});
