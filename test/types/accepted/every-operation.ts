// Every operation, rate and option at least once; what the six scenarios beside it leave out.
import {
  batchGet,
  batchWrite,
  defineScenario,
  filler,
  flow,
  get,
  hotspot,
  latest,
  partiql,
  partiqlBatch,
  partiqlTransaction,
  pool,
  preload,
  put,
  query,
  queryShards,
  ramp,
  remove,
  scan,
  sequential,
  shards,
  steps,
  transactGet,
  transactWrite,
  uniform,
  update,
  zipfian,
} from 'dyno-load';

export default defineScenario({
  question: 'Does every operation of the scenario API compile?',
  parameters: {
    billing: {
      onDemand: 'on-demand',
      provisioned: { provisioned: { readUnits: 10, writeUnits: 10 } },
    },
    count: [1, 4],
    consistent: [true],
    mode: ['a', 'b'],
  },
  seed: 7,
  stages: [
    { name: 'warm-up', duration: '500ms', measured: false, rateFactor: 0.5 },
    { name: 'steady', duration: '1.5m' },
  ],
  tables: ({ billing }) => ({
    main: {
      keys: { partition: 'PK', sort: 'SK' },
      types: { SK: 'N', G: 'N' },
      indexes: {
        GSI1: { partition: 'G', projection: 'KEYS_ONLY' },
        GSI2: { partition: 'G', sort: 'SK', projection: ['a', 'b', 'map'], billing },
      },
      localIndexes: { LSI1: { sort: 'at', projection: 'ALL' } },
      timeToLive: 'expires',
      billing,
      starts: 'new',
    },
    other: { keys: { partition: 'id' }, billing: { onDemand: { maximumWriteUnits: 100 } } },
  }),
  data: ({ count }) => ({
    items: preload({
      table: 'main',
      count: 10 * count,
      item: ({ index }) => ({ PK: `p${index}`, SK: index }),
    }),
    written: pool<{ PK: string; SK: number }>(),
  }),
  workloads: ({ count, consistent, mode }, { items, written }) => ({
    put: put({
      table: 'main',
      rate: ramp({ from: 10, to: 1000 }),
      item: ({ seq, random }) => ({
        PK: random.pick(['x', 'y']),
        SK: seq,
        set: new Set(['a']),
        list: [1, 'two', null],
        map: { deep: { deeper: true } },
        bytes: new Uint8Array([1, 2]),
        big: 12345678901234567890n,
        left: undefined,
        note: filler('2 KB'),
      }),
      condition: { expression: 'attribute_not_exists(PK)' },
      remember: { in: written, as: (item, { seq }) => ({ PK: item.PK as string, SK: seq }) },
      expect: ['conditionFailed'],
    }),
    get: get({
      table: 'main',
      rate: steps([
        { rate: 10, for: '10s' },
        { rate: 20, for: '20s' },
      ]),
      key: ({ random }) => written.pick(random, latest()),
      consistent,
      project: ['PK', 'list'],
    }),
    update: update({
      table: 'main',
      rate: { wcu: 100 },
      key: ({ random }) => items.pick(random, zipfian()),
      set: { at: mode },
      add: ({ random }) => ({ n: random.int(3) }),
      removeAttributes: ['old'],
      condition: () => ({ expression: '#n < :n', names: { '#n': 'n' }, values: { ':n': 3 } }),
    }),
    rawUpdate: update({
      table: 'other',
      rate: { poisson: { wcu: 10, of: 'other' } },
      key: { id: 'one' },
      update: { expression: 'SET n = n + :one', values: { ':one': 1 } },
    }),
    remove: remove({ table: 'main', rate: { poisson: 5 }, key: () => written.take() }),
    query: query({
      table: 'main',
      index: 'GSI2',
      concurrency: 4,
      pause: '10ms',
      partition: 1,
      sort: { between: [1, 2] },
      select: 'count',
      pages: 3,
      limit: 10,
      startAfter: { PK: 'p', SK: 1, G: 1 },
    }),
    local: query({ table: 'main', index: 'LSI1', rate: 1, partition: 'p', consistent: true }),
    sharded: queryShards({
      table: 'main',
      rate: { poisson: ramp({ from: 1, to: 2 }) },
      shards: shards('p', count),
      items: 'all',
    }),
    scan: scan({
      table: 'main',
      index: 'GSI2',
      concurrency: 1,
      segments: 4,
      parallel: 2,
      pages: 'all',
      filter: { expression: 'a = :a', values: { ':a': 1 } },
      project: { expression: '#m.deep', names: { '#m': 'map' } },
    }),
    batchGet: batchGet({
      rate: 1,
      reads: ({ random }) => [
        { table: 'main', key: items.pick(random, sequential()) },
        { table: 'other', key: { id: 'one' } },
      ],
      consistent: true,
    }),
    batchWrite: batchWrite({
      rate: 1,
      writes: [
        { put: { table: 'other', item: { id: 'a' } } },
        { remove: { table: 'other', key: { id: 'b' } } },
      ],
      maxInFlight: 10,
      timeout: '3s',
      retry: 'sdk',
    }),
    transactGet: transactGet({
      rate: 1,
      reads: [{ table: 'other', key: { id: 'a' }, project: ['id'] }],
    }),
    transactWrite: transactWrite({
      rate: 1,
      writes: ({ random }) => [
        { remove: { table: 'other', key: { id: random.id(4) } } },
        {
          check: {
            table: 'main',
            key: items.pick(random, hotspot({ share: 0.5, of: 0.1 })),
            condition: { expression: 'attribute_exists(PK)' },
          },
        },
      ],
    }),
    partiql: partiql({
      rate: 1,
      statement: 'SELECT * FROM main WHERE PK = ?',
      parameters: ({ random }) => [items.pick(random, uniform()).PK],
      consistent,
      limit: 10,
      pages: 'all',
    }),
    partiqlBatch: partiqlBatch({
      rate: 1,
      statements: [
        { statement: `SELECT * FROM other WHERE id = 'a'`, consistent: true },
        { statement: 'SELECT * FROM other WHERE id = ?', parameters: ['b'] },
      ],
    }),
    partiqlTransaction: partiqlTransaction({
      rate: 1,
      statements: ({ seq }) => [
        { statement: `INSERT INTO other VALUE {'id': ?}`, parameters: [`${seq}`] },
        { statement: `EXISTS(SELECT * FROM other WHERE id = 'a' AND n IS MISSING)` },
      ],
      token: ({ random }) => random.id(20),
    }),
    flow: flow({
      rate: 1,
      run: async (db, { random, seq }) => {
        const first = await db.query('first', { table: 'main', index: 'GSI1', partition: 1, limit: 5 });
        if (first.next)
          await db.query('next', { table: 'main', index: 'GSI1', partition: 1, startAfter: first.next });
        await db.scan('scan', { table: 'main', segments: 2 });
        await db.queryShards('shards', { table: 'main', shards: shards('p', 2), items: 10 });
        const found = await db.batchGet('batch', { reads: [{ table: 'other', key: { id: 'a' } }] });
        const [one] = await db.transactGet('together', { reads: [{ table: 'other', key: { id: 'a' } }] });
        if (one ?? found[0]) await db.update('count', { table: 'other', key: { id: 'a' }, add: { n: 1 } });
        await db.batchWrite('write', { writes: [{ put: { table: 'other', item: { id: `${seq}` } } }] });
        await db.put('put', { table: 'other', item: { ...items.pick(random, uniform()), id: `${seq}` } });
        await db.remove('remove', { table: 'other', key: { id: `${seq}` } });
        const [stated] = await db.partiql('statement', { statement: `SELECT * FROM other WHERE id = 'a'` });
        const results = await db.partiqlBatch('statements', {
          statements: [{ statement: `DELETE FROM other WHERE id = ?`, parameters: [`${seq}`] }],
        });
        if (stated ?? results[0]?.item ?? results[0]?.error)
          await db.partiqlTransaction('together', {
            statements: [{ statement: `DELETE FROM other WHERE id = 'b'` }],
          });
        await db.transactWrite('all', { writes: [{ put: { table: 'other', item: { id: 'z' } } }] });
      },
    }),
  }),
  thresholds: {
    'put.throttledRatio': '< 0.1%',
    'put.achievedPerSecond': '> 2900/s',
    'get.response.p99.9': '<= 1.5 s',
    'query.readUnitsPerOperation': '<= 5',
    'flow.costPerMillion': '< 3 USD',
  },
});
