// What a request gives the simulated service to do, as its service time depends on it. The times themselves are in
// service-time.ts.
import { totalUnits } from '../dynamodb/consumed-capacity.ts';
import { READ_UNIT_BYTES } from '../dynamodb/limits.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { readsOnly } from '../dynamodb/partiql/native-requests.ts';
import { pageDataUs, type ServiceWork } from './service-time.ts';

const oneItem: ServiceWork = {};
const oneStrongItem: ServiceWork = { isStrong: true };
const oneWrite: ServiceWork = { isWrite: true };

/** What the service time of a request depends on, as far as the request tells. */
export function serviceWorkOf(request: Request): ServiceWork {
  switch (request.api) {
    case 'GetItem':
      return request.input.ConsistentRead === true ? oneStrongItem : oneItem;
    case 'BatchGetItem':
      return { itemCount: sumOf(request.input.RequestItems, (keys) => keys.Keys.length) };
    case 'BatchWriteItem':
      return { itemCount: sumOf(request.input.RequestItems, (writes) => writes.length) };
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return { itemCount: request.input.TransactItems.length };
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
    case 'Query':
    case 'Scan':
      return oneItem;
    case 'ExecuteStatement':
      return readsOnly(request) ? oneItem : oneWrite;
    case 'BatchExecuteStatement':
      return { itemCount: request.input.Statements.length };
    case 'ExecuteTransaction':
      return { itemCount: request.input.TransactStatements.length, isWrite: !readsOnly(request) };
  }
}

function sumOf<V>(byTable: { readonly [tableName: string]: V }, countOf: (value: V) => number): number {
  return Object.values(byTable).reduce((sum, value) => sum + countOf(value), 0);
}

/**
 * Time that the data of a page adds once it is evaluated, taken from the units it cost: a read unit is 4 KB
 * strongly consistent, half a unit eventually. 0 for what is no page.
 */
export function pageTimeUs({ api, input }: Request, outcome: Outcome): number {
  if ((api !== 'Query' && api !== 'Scan') || outcome.kind !== 'ok') return 0;
  const units = totalUnits(outcome.consumed).readUnits;
  const blocks = input.ConsistentRead === true ? units : units * 2;
  return blocks <= 1 ? 0 : pageDataUs(blocks * READ_UNIT_BYTES);
}
