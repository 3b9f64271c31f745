// What one finished request adds to the metrics that count requests and members of requests. Throttle events,
// of which a request may cause several, are counted as they happen (service-metrics.ts).
// @see "DynamoDB metrics and dimensions",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html, read 2026-11-30
import type { CancellationReason } from '../../dynamodb/api-error.ts';
import { isPartiql, type PartiqlRequest, type Request } from '../../dynamodb/operation.ts';
import type { ConsumedCapacity } from '../../dynamodb/consumed-capacity.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { readsOnly, statementUses } from '../../dynamodb/partiql/native-requests.ts';
import { tablesOfActions, tablesOfRequest, throttledTables } from '../../dynamodb/request-tables.ts';
import type { OperationMetric, TableMetric } from './metric-list.ts';
import type { MinuteSeries } from './minute-series.ts';
import type { StatementDetail, TableSeries } from './table-series.ts';

/** A request and how it ended; times in whole µs since the database began. */
export interface FinishedRequest {
  /** Undefined where what came was no request at all; it has then failed. */
  readonly request: Request | undefined;
  readonly outcome: Outcome;
  readonly startUs: number;
  readonly endUs: number;
}

/** Where a request is counted. */
export interface RequestBooks {
  /** Undefined for a table that does not exist. */
  tableSeries(tableName: string): TableSeries | undefined;
  readonly userErrors: MinuteSeries;
}

/** Counts a finished request in the minute in which it ended. */
export function countRequest(books: RequestBooks, finished: FinishedRequest, minute: number): void {
  const { request, outcome } = finished;
  if (request === undefined) {
    if (outcome.kind === 'failed') countFailure(books, request, outcome.httpStatus, minute);
    return;
  }
  switch (outcome.kind) {
    case 'ok':
    case 'partial':
      countAnswer(books, request, finished, minute);
      for (const consumed of [...outcome.consumed, ...estimatedBy(outcome)])
        books.tableSeries(consumed.tableName)?.consume(consumed, minute);
      return;
    case 'throttled':
      for (const tableName of throttledTables(request, outcome))
        for (const series of operationSeries(books.tableSeries(tableName), request, 'ThrottledRequests'))
          series.add(minute, 1);
      return;
    case 'conditionFailed':
    case 'conflict':
      countRefusals(books, request, outcome, minute);
      for (const consumed of outcome.estimated ?? [])
        books.tableSeries(consumed.tableName)?.consume(consumed, minute);
      return;
    case 'failed':
      countFailure(books, request, outcome.httpStatus, minute);
      return;
    case 'timedOut':
    case 'dropped':
    case 'skipped':
      return; // The service knows nothing of them.
  }
}

/** What a batch was charged for statements that failed. */
function estimatedBy(outcome: Outcome): readonly ConsumedCapacity[] {
  return (outcome.kind === 'partial' && outcome.estimated) || [];
}

function countAnswer(
  books: RequestBooks,
  request: Request,
  { outcome, startUs, endUs }: FinishedRequest,
  minute: number,
): void {
  for (const tableName of tablesOfRequest(request)) {
    const series = books.tableSeries(tableName);
    for (const one of operationSeries(series, request, 'SuccessfulRequestLatency'))
      one.addLatency(minute, endUs - startUs);
    if (outcome.kind === 'ok' && countsItems(request)) {
      const { Count, Items = [] } = outcome.output;
      for (const one of operationSeries(series, request, 'ReturnedItemCount'))
        one.add(minute, Count ?? Items.length);
    }
  }
}

/**
 * Where a request counts on a table: under its operation, and for statements of PartiQL once more by verb, or by
 * reading and writing.
 */
function operationSeries(
  table: TableSeries | undefined,
  request: Request,
  metric: OperationMetric,
): readonly MinuteSeries[] {
  if (table === undefined) return [];
  const series = table.operation(request.api, metric);
  if (!isPartiql(request)) return [series];
  return [series, table.statement(detailOf(request), metric)];
}

const verbs = {
  select: 'PartiQLSelect',
  insert: 'PartiQLInsert',
  update: 'PartiQLUpdate',
  delete: 'PartiQLDelete',
  check: 'PartiQLSelect',
} as const;

function detailOf(request: PartiqlRequest): StatementDetail {
  const operation = request.api;
  if (operation !== 'ExecuteStatement')
    return { operation, operationType: readsOnly(request) ? 'Read' : 'Write' };
  return { operation, verb: verbs[statementUses(request)[0]?.verb ?? 'select'] };
}

/** Whether the items that a request gives back are counted: those of a Query, a Scan, or a SELECT. */
function countsItems(request: Request): boolean {
  if (request.api === 'ExecuteStatement') return readsOnly(request);
  return request.api === 'Query' || request.api === 'Scan';
}

type Refusal = Extract<Outcome, { kind: 'conditionFailed' | 'conflict' }>;

/**
 * Failed conditions and conflicts count item by item. A conflict is the user's error too, a condition is not.
 */
function countRefusals(books: RequestBooks, request: Request, outcome: Refusal, minute: number): void {
  if (outcome.kind === 'conflict') books.userErrors.add(minute, 1);
  const metric = outcome.kind === 'conflict' ? 'TransactionConflict' : 'ConditionalCheckFailedRequests';
  const { cancellationReasons } = outcome;
  if (cancellationReasons === undefined)
    for (const tableName of tablesOfRequest(request)) books.tableSeries(tableName)?.count(metric, minute);
  else countActions(books, { request, cancellationReasons, metric }, minute);
}

/** Metrics that count refused items of requests. */
type RefusalMetric = Exclude<TableMetric, 'TimeToLiveDeletedItemCount'>;

const codes: Readonly<Record<RefusalMetric, string>> = {
  ConditionalCheckFailedRequests: 'ConditionalCheckFailed',
  TransactionConflict: 'TransactionConflict',
};

function countActions(
  books: RequestBooks,
  cancelled: {
    readonly request: Request;
    readonly cancellationReasons: readonly CancellationReason[];
    readonly metric: RefusalMetric;
  },
  minute: number,
): void {
  const { request, cancellationReasons, metric } = cancelled;
  const tableNames = tablesOfActions(request);
  cancellationReasons.forEach(({ Code }, index) => {
    const tableName = tableNames[index];
    if (Code === codes[metric] && tableName !== undefined)
      books.tableSeries(tableName)?.count(metric, minute);
  });
}

function countFailure(
  books: RequestBooks,
  request: Request | undefined,
  httpStatus: number | undefined,
  minute: number,
): void {
  if (httpStatus === undefined) return;
  if (httpStatus < 500) books.userErrors.add(minute, 1);
  else if (request !== undefined)
    for (const tableName of tablesOfRequest(request))
      for (const series of operationSeries(books.tableSeries(tableName), request, 'SystemErrors'))
        series.add(minute, 1);
}
