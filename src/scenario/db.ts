// What a flow sends its requests through: each data API with native items, on top of the engine's port.
import { DynoLoadError } from '../errors.ts';
import type { ApiOutput } from '../dynamodb/api-output.ts';
import { unmarshalItem } from '../dynamodb/marshal.ts';
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import type { Context, Item } from '../workload/item.ts';
import { type BatchGetSpec, compileBatchGet } from './operations/batch-get.ts';
import { type BatchWriteSpec, compileBatchWrite } from './operations/batch-write.ts';
import { compileGet, type GetSpec } from './operations/get.ts';
import {
  compilePartiql,
  compilePartiqlBatch,
  compilePartiqlTransaction,
  type PartiqlBatchSpec,
  type PartiqlSpec,
  type PartiqlTransactionSpec,
} from './operations/partiql.ts';
import { compilePut, type PutSpec } from './operations/put.ts';
import { compileQuery, type QuerySpec } from './operations/query.ts';
import { compileQueryShards, type ShardsSpec } from './operations/query-shards.ts';
import { compileRemove, type RemoveSpec } from './operations/remove.ts';
import { compileScan, type ScanSpec } from './operations/scan.ts';
import type { Tables } from './operations/table-of.ts';
import { compileTransactGet, type TransactGetSpec } from './operations/transact-get.ts';
import { compileTransactWrite, type TransactWriteSpec } from './operations/transact-write.ts';
import { compileUpdate, type UpdateSpec } from './operations/update.ts';
import type { FlowPort, RequestsOperation } from './run-plan.ts';

/** What a read of many items gives. `items` is empty with `select: 'count'`. */
export interface Page {
  readonly items: Item[];
  readonly count: number;
  readonly scannedCount: number;
  /** Where the next page starts; absent at the end. Pass it on as `startAfter`. */
  readonly next?: Item;
}

/** What one statement of a batch gives. */
export interface StatementResult {
  readonly item?: Item;
  /** Its code where it failed, for example `ConditionalCheckFailed`. */
  readonly error?: string;
}

/** Stands for an index name where the compiler knows of none; its text is what the editor shows. */
type NoIndexKnown = 'no index is known here; if a table has one, write `workloads: (parameters) => …`';

/** `X`, or an explanation where there is no name. */
type IndexName<X> = [X] extends [never] ? NoIndexKnown : X;

/**
 * The data-plane APIs of one flow. Each request has a label, by which reports tell the steps of a flow apart.
 */
export interface Db<X> {
  get(label: string, spec: GetSpec): Promise<Item | undefined>;
  query(label: string, spec: QuerySpec<IndexName<X>>): Promise<Page>;
  queryShards(label: string, spec: ShardsSpec<IndexName<X>>): Promise<Page>;
  scan(label: string, spec: ScanSpec<IndexName<X>>): Promise<Page>;
  put(label: string, spec: PutSpec<never>): Promise<void>;
  update(label: string, spec: UpdateSpec): Promise<void>;
  remove(label: string, spec: RemoveSpec): Promise<void>;
  /** Items that exist, in no particular order. */
  batchGet(label: string, spec: BatchGetSpec): Promise<Item[]>;
  batchWrite(label: string, spec: BatchWriteSpec): Promise<void>;
  /** In the order of the reads; undefined where there is no item. */
  transactGet(label: string, spec: TransactGetSpec): Promise<(Item | undefined)[]>;
  transactWrite(label: string, spec: TransactWriteSpec<never>): Promise<void>;
  /** What a SELECT finds, or what RETURNING asks for. */
  partiql(label: string, spec: PartiqlSpec): Promise<Item[]>;
  /** In the order of the statements. */
  partiqlBatch(label: string, spec: PartiqlBatchSpec): Promise<StatementResult[]>;
  /** In the order of the reads, undefined where there is no item; empty for writes. */
  partiqlTransaction(label: string, spec: PartiqlTransactionSpec): Promise<(Item | undefined)[]>;
}

/**
 * The `db` of one operation. Methods are async, so that a faulty specification rejects and never throws past
 * an `await`.
 */
export function createDb(port: FlowPort, tables: Tables, context: Context): Db<string> {
  const page = async (answer: Promise<ApiOutput>) => toPage(await answer);
  const nothing = async (answer: Promise<ApiOutput>) => void (await answer);
  /** Sends what a specification compiles to, once the call itself is known to be one. */
  const send = <S>(
    method: string,
    [label, spec]: readonly [string, S],
    compile: (spec: S, tables: Tables) => (context: Context) => RequestsOperation,
  ): Promise<ApiOutput> => {
    checkCall(method, label, spec);
    return port.send(label, compile(spec, tables)(context));
  };
  return {
    get: async (...call) => toItem((await send('get', call, compileGet)).Item),
    query: async (...call) => page(send('query', call, compileQuery)),
    queryShards: async (...call) => page(send('queryShards', call, compileQueryShards)),
    scan: async (...call) => page(send('scan', call, compileScan)),
    put: async (...call) => nothing(send('put', call, compilePut)),
    update: async (...call) => nothing(send('update', call, compileUpdate)),
    remove: async (...call) => nothing(send('remove', call, compileRemove)),
    batchGet: async (...call) => batchItems(await send('batchGet', call, compileBatchGet)),
    batchWrite: async (...call) => nothing(send('batchWrite', call, compileBatchWrite)),
    transactGet: async (...call) => transactItems(await send('transactGet', call, compileTransactGet)),
    transactWrite: async (...call) => nothing(send('transactWrite', call, compileTransactWrite)),
    partiql: async (...call) =>
      ((await send('partiql', call, compilePartiql)).Items ?? []).map(unmarshalItem),
    partiqlBatch: async (...call) => statementResults(await send('partiqlBatch', call, compilePartiqlBatch)),
    partiqlTransaction: async (...call) =>
      transactItems(await send('partiqlTransaction', call, compilePartiqlTransaction)),
  };
}

/** Scenarios in plain JavaScript have no compiler that counts arguments. */
function checkCall(method: string, label: unknown, spec: unknown): void {
  const isLabel = typeof label === 'string' && label !== '';
  if (isLabel && typeof spec === 'object' && spec !== null) return;
  throw new DynoLoadError('OPERATION_INVALID', {
    what: isLabel
      ? `db.${method}('${label}', …) has no description of its request`
      : `db.${method}(…) is called without a label`,
    why: 'each request of a flow has a label, by which reports tell its steps apart, and then its description',
    fix: `write await db.${method}('${isLabel ? label : 'find order'}', { … })`,
  });
}

function toItem(item: AttributeMap | undefined): Item | undefined {
  return item === undefined ? undefined : unmarshalItem(item);
}

function toPage(output: ApiOutput): Page {
  const items = (output.Items ?? []).map(unmarshalItem);
  const count = output.Count ?? items.length;
  return {
    items,
    count,
    scannedCount: output.ScannedCount ?? count,
    ...(output.LastEvaluatedKey && { next: unmarshalItem(output.LastEvaluatedKey) }),
  };
}

function batchItems({ Responses = {} }: ApiOutput): Item[] {
  if (isResponseList(Responses)) return [];
  return Object.values(Responses).flatMap((items) => items.map(unmarshalItem));
}

function transactItems({ Responses = [] }: ApiOutput): (Item | undefined)[] {
  if (!isResponseList(Responses)) return [];
  return Responses.map(({ Item }) => toItem(Item));
}

function statementResults({ Responses = [] }: ApiOutput): StatementResult[] {
  if (!isResponseList(Responses)) return [];
  return Responses.map(({ Item, Error }) => ({
    ...(Item && { item: unmarshalItem(Item) }),
    ...(Error && { error: Error.Code }),
  }));
}

type Responses = NonNullable<ApiOutput['Responses']>;

/** Transactions answer with a list, batches by table. */
function isResponseList(responses: Responses): responses is Extract<Responses, readonly unknown[]> {
  return Array.isArray(responses);
}
