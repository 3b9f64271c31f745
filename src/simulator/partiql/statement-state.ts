// The database as statements of PartiQL see it: the same tables, conflicts and capacity, and accesses that
// are marked, since Contributor Insights does not see them.
// @see "CloudWatch Contributor Insights for DynamoDB: How it works",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html, read
//   2026-11-30
import { ApiError } from '../../dynamodb/api-error.ts';
import type { TableSpecs } from '../../dynamodb/partiql/statement-plan.ts';
import type { Access, AccessListener } from '../access-listener.ts';
import { DatabaseState } from '../database-state.ts';

/** The same state, whose listener is told that accesses are those of statements. */
export function statementState(state: DatabaseState): DatabaseState {
  const { listener } = state;
  if (listener === undefined) return state;
  const copy = Object.create(DatabaseState.prototype) as DatabaseState; // All its fields follow at once.
  return Object.assign(copy, state, { listener: markingListener(listener) });
}

function markingListener(listener: AccessListener): AccessListener {
  return {
    ...(listener.onExpired && { onExpired: listener.onExpired.bind(listener) }),
    onAccess: (access: Access) => listener.onAccess({ ...access, isPartiql: true }),
  };
}

/** Where plans look tables up. */
export function specsOf({ tables }: DatabaseState): TableSpecs {
  return { get: (tableName) => tables.get(tableName)?.spec };
}

const expressionLabel = /^Invalid (?:KeyCondition|Filter|Condition|Projection|Update)Expression: /;

/**
 * Runs what serves a statement. Statements have no expressions of their own, so errors do not name any.
 * @throws ApiError
 */
export function withoutLabels<R>(run: () => R): R {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ApiError) || !expressionLabel.test(error.message)) throw error;
    throw new ApiError(error.type, error.message.replace(expressionLabel, ''), error.details);
  }
}
