// Which members each kind of operation has, and which of them it cannot do without. A new kind starts here; what
// its members may hold is check-spec.ts.
import type { WorkloadKind } from '../run-plan.ts';

const readMany = ['table', 'index', 'filter', 'consistent', 'select', 'project'];
const paging = ['limit', 'pages', 'startAfter'];

/** The members of each kind of operation; those of its load and policy come on top. */
export const membersOf: Readonly<Record<WorkloadKind, readonly string[]>> = {
  put: ['table', 'item', 'condition', 'remember'],
  get: ['table', 'key', 'consistent', 'project'],
  update: ['table', 'key', 'set', 'add', 'removeAttributes', 'update', 'condition'],
  remove: ['table', 'key', 'condition'],
  query: [...readMany, ...paging, 'partition', 'sort', 'newestFirst'],
  queryShards: [...readMany, 'shards', 'sort', 'newestFirst', 'items', 'parallel'],
  scan: [...readMany, ...paging, 'segments', 'parallel'],
  batchGet: ['reads', 'consistent', 'project'],
  batchWrite: ['writes'],
  transactGet: ['reads'],
  transactWrite: ['writes', 'token', 'remember'],
  partiql: ['statement', 'parameters', 'consistent', 'limit', 'pages'],
  partiqlBatch: ['statements'],
  partiqlTransaction: ['statements', 'token'],
  flow: ['run'],
  custom: ['setup', 'run'],
};

/** Members without which an operation says nothing, each with an example. */
export const requiredOf: Readonly<Record<WorkloadKind, Readonly<Record<string, string>>>> = {
  put: { item: "add item: ({ seq }) => ({ PK: 'a', SK: seq })" },
  get: { key: "add key: { PK: 'a' }" },
  update: { key: "add key: { PK: 'a' }" },
  remove: { key: "add key: { PK: 'a' }" },
  query: { partition: "add partition: 'a'" },
  queryShards: { shards: "add shards: shards('STATUS#PENDING', 10)", items: "add items: 50 or items: 'all'" },
  scan: {},
  batchGet: { reads: "add reads: [{ key: { PK: 'a' } }]" },
  batchWrite: { writes: "add writes: [{ put: { item: { PK: 'a' } } }]" },
  transactGet: { reads: "add reads: [{ key: { PK: 'a' } }]" },
  transactWrite: { writes: "add writes: [{ put: { item: { PK: 'a' } } }]" },
  partiql: { statement: "add statement: 'SELECT * FROM main WHERE PK = ?'" },
  partiqlBatch: {
    statements: "add statements: [{ statement: 'SELECT * FROM main WHERE PK = ?', parameters: ['a'] }]",
  },
  partiqlTransaction: {
    statements: "add statements: [{ statement: 'SELECT * FROM main WHERE PK = ?', parameters: ['a'] }]",
  },
  flow: { run: 'add run: async (db) => { … }' },
  custom: { setup: 'add setup: ({ documentClient }) => …', run: 'add run: async (layer) => { … }' },
};
