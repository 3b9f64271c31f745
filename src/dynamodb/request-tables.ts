// Which tables a request is about, in the terms in which the service counts requests: once for each table, and as
// throttled on those that refused.
import type { CancellationReason } from './api-error.ts';
import type { Request } from './operation.ts';
import type { Outcome } from './outcome.ts';
import { statementTables, statementUses } from './partiql/native-requests.ts';
import { resourceOfArn } from './throttling-reason.ts';

/** The tables that a request names, each once. */
export function tablesOfRequest(request: Request): readonly string[] {
  switch (request.api) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(request.input.RequestItems ?? {});
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return [...new Set(tablesOfActions(request).filter((name) => name !== ''))];
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      return statementTables(request);
    default:
      return [request.input.TableName];
  }
}

/** The table of each action of a transaction, in order; empty for other requests. */
export function tablesOfActions(request: Request): readonly string[] {
  if (request.api === 'TransactGetItems') return request.input.TransactItems.map(({ Get }) => Get.TableName);
  if (request.api === 'ExecuteTransaction') return statementUses(request).map(({ tableName }) => tableName);
  if (request.api !== 'TransactWriteItems') return [];
  return request.input.TransactItems.map(
    ({ Put, Update, Delete, ConditionCheck }) => (Put ?? Update ?? Delete ?? ConditionCheck)?.TableName ?? '',
  );
}

/** Codes of an action that was throttled. */
const throttleCodes: readonly CancellationReason['Code'][] = [
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'RequestLimitExceeded',
];

/**
 * The tables on which a request counts as throttled: for a transaction those that its reasons name, or whose
 * actions were throttled; else all of them, as a batch counts only where every member was throttled.
 */
export function throttledTables(
  request: Request,
  { reasons, cancellationReasons = [] }: Extract<Outcome, { kind: 'throttled' }>,
): readonly string[] {
  const actions = tablesOfActions(request);
  if (actions.length === 0) return tablesOfRequest(request);
  const named = reasons.flatMap(({ arn }) => (arn && resourceOfArn(arn)?.tableName) || []);
  const refused = actions.filter((_, place) =>
    throttleCodes.some((code) => code === cancellationReasons[place]?.Code),
  );
  const known = named.length > 0 ? named : refused;
  return known.length === 0 ? tablesOfRequest(request) : [...new Set(known)];
}
