// Tables named by ARN, which every API takes in place of a name and gives back in its answer.
import { validationError } from '../dynamodb/api-error.ts';
import type { Request } from '../dynamodb/operation.ts';
import { resourceOfArn } from '../dynamodb/throttling-reason.ts';
import type { WireAnswer } from './wire-answer.ts';

/**
 * The name of a table that a request names, by name or by ARN.
 * @throws ApiError ValidationException where it is neither
 */
export function plainTableName(nameOrArn: string): string {
  if (!nameOrArn.startsWith('arn:')) return nameOrArn;
  const resource = resourceOfArn(nameOrArn);
  if (resource === undefined || resource.indexName !== undefined)
    throw validationError(
      `Invalid TableArn: Invalid ResourceArn provided as input ${nameOrArn.slice(0, 300)}`,
    );
  return resource.tableName;
}

/** A request whose tables are named by name. */
export interface PlainRequest {
  readonly request: Request;
  /** ARNs that the request gave, by the names that they stand for; undefined: it gave names. */
  readonly arns: ReadonlyMap<string, string> | undefined;
}

/** @throws ApiError ValidationException for an ARN of no table, or a table that a batch names twice */
export function withPlainTableNames(request: Request): PlainRequest {
  switch (request.api) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return withPlainKeys(request);
    case 'TransactGetItems':
      return renamed(
        request,
        request.input.TransactItems.map(({ Get }) => Get),
      );
    case 'TransactWriteItems':
      return renamed(
        request,
        request.input.TransactItems.flatMap(({ Put, Update, Delete, ConditionCheck }) =>
          [Put, Update, Delete, ConditionCheck].filter((action) => action !== undefined),
        ),
      );
    // Statements name tables in their text, and by name only.
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      return { request, arns: undefined };
    default:
      return renamed(request, [request.input]);
  }
}

/** Inputs come from one request's own JSON, so they may be changed in place. */
function renamed(request: Request, places: readonly { TableName: string }[]): PlainRequest {
  let arns: Map<string, string> | undefined;
  for (const place of places) {
    const given = place.TableName;
    if (!given.startsWith('arn:')) continue;
    place.TableName = plainTableName(given);
    arns ??= new Map();
    arns.set(place.TableName, given);
  }
  return { request, arns };
}

function withPlainKeys(request: Extract<Request, { api: 'BatchGetItem' | 'BatchWriteItem' }>): PlainRequest {
  const { RequestItems } = request.input;
  const given = Object.keys(RequestItems).filter((name) => name.startsWith('arn:'));
  if (given.length === 0) return { request, arns: undefined };
  const entries = Object.entries(RequestItems).map(([name, items]) => [plainTableName(name), items] as const);
  const names = entries.map(([name]) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined)
    throw validationError(
      `One or more parameter values were invalid: RequestItems names the table ${twice} twice`,
    );
  return {
    request: { ...request, input: { ...request.input, RequestItems: Object.fromEntries(entries) } },
    arns: new Map(given.map((arn) => [plainTableName(arn), arn])),
  };
}

/** Members of answers that are keyed by table in batches and transactions; lists and maps of other kinds are left. */
const keyedByTable = ['Responses', 'UnprocessedKeys', 'UnprocessedItems', 'ItemCollectionMetrics'];

/**
 * The answer with each table named as the request named it.
 * @see "ConsumedCapacity", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html,
 *   and "BatchGetItem", …/API_BatchGetItem.html, read 2026-11-30
 */
export function withGivenNames({ status, body }: WireAnswer, arns: ReadonlyMap<string, string>): WireAnswer {
  if (status !== 200) return { status, body };
  const output = JSON.parse(body) as Record<string, unknown>; // Our own answer, which is an object.
  for (const member of keyedByTable) {
    const value = output[member];
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      output[member] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [arns.get(name) ?? name, one]),
      );
  }
  const { ConsumedCapacity: consumed } = output;
  for (const entry of Array.isArray(consumed) ? consumed : [consumed]) {
    const named = entry as { TableName?: string } | undefined; // By `toWireConsumedCapacity`.
    if (named?.TableName !== undefined) named.TableName = arns.get(named.TableName) ?? named.TableName;
  }
  return { status, body: JSON.stringify(output) };
}
