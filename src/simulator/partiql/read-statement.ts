// SELECT: one item, the items of partition keys one after another, or all of a table or index.
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { type ConsumedCapacity, mergeConsumed, totalUnits } from '../../dynamodb/consumed-capacity.ts';
import { MAX_PAGE_BYTES, READ_UNIT_BYTES } from '../../dynamodb/limits.ts';
import type { ExecuteStatementInput, QueryInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { GetPlan, Projected, StatementPlan } from '../../dynamodb/partiql/statement-plan.ts';
import { getItem } from '../api/get-item.ts';
import { query } from '../api/query.ts';
import { constraint, readyCondition } from '../api/request-checks.ts';
import { scan } from '../api/scan.ts';
import type { DatabaseState } from '../database-state.ts';
import { evaluateCondition } from '../expression/condition-evaluator.ts';
import { nextToken, type PageStart, pageStart } from './next-token.ts';
import { projectPaths } from './project-paths.ts';

export type ReadPlan = Extract<StatementPlan, { kind: 'get' | 'query' | 'scan' }>;

/**
 * Runs a SELECT.
 * @throws ApiError ValidationException
 */
export function readStatement(
  state: DatabaseState,
  plan: ReadPlan,
  input: ExecuteStatementInput,
  atUs: number,
): Outcome {
  const { Limit } = input;
  if (Limit !== undefined && !(Limit >= 1))
    throw constraint(Limit, 'limit', 'Member must have value greater than or equal to 1');
  const start = pageStart(input);
  if (plan.kind === 'get') return getStatement(state, plan, input.ConsistentRead === true, atUs);
  return plan.kind === 'query'
    ? queryStatement({ state, input, atUs }, plan.inputs, plan.paths, start)
    : scanStatement({ state, input, atUs }, plan, start);
}

/** One item by its key; paid for whether the rest of the clause holds or not. */
export function getStatement(
  state: DatabaseState,
  plan: GetPlan,
  isConsistent: boolean,
  atUs: number,
): Outcome {
  const takeIfMet = conditionalTake(plan);
  const key = { TableName: plan.tableName, Key: plan.key };
  const outcome = getItem(state, { ...key, ...(isConsistent && { ConsistentRead: true }) }, atUs);
  if (outcome.kind !== 'ok') return outcome;
  const item = takeIfMet(outcome.output.Item);
  return { ...outcome, output: { Items: item === undefined ? [] : [item] } };
}

/**
 * What a plan gives back of the item at its key.
 * @throws ApiError ValidationException for a condition that no item could be asked
 */
export function conditionalTake({
  condition,
  paths,
}: GetPlan): (item: AttributeMap | undefined) => AttributeMap | undefined {
  const ready = condition && readyCondition(condition);
  return (item) => {
    if (item === undefined) return undefined;
    const isMet = !ready?.condition || evaluateCondition(ready.condition, item, ready.bindings);
    return isMet ? projectPaths(paths, item) : undefined;
  };
}

interface Run {
  readonly state: DatabaseState;
  readonly input: ExecuteStatementInput;
  readonly atUs: number;
}

function queryStatement(
  run: Run,
  queries: readonly QueryInput[],
  paths: Projected,
  start: PageStart,
): Outcome {
  const { state, input, atUs } = run;
  const items: AttributeMap[] = [];
  const consumed: ConsumedCapacity[] = [];
  let left = input.Limit;
  let next: PageStart | undefined = start;
  while (next !== undefined && next.query < queries.length) {
    const { query: index, key }: PageStart = next;
    const one = { ...(queries[index] as QueryInput), ...pageMembers(input, left, key) };
    const outcome = query(state, one, atUs, { mayFilterKeys: true });
    if (outcome.kind !== 'ok') {
      // What was read before is given back; who asks for more will meet the refusal.
      if (consumed.length === 0) return outcome;
      break;
    }
    const { Items = [], ScannedCount = 0, LastEvaluatedKey } = outcome.output;
    items.push(...Items);
    consumed.push(...outcome.consumed);
    next = nextStart(index, queries.length, LastEvaluatedKey);
    if (left !== undefined) left -= ScannedCount;
    if (LastEvaluatedKey !== undefined || left === 0 || isFull(input, consumed)) break;
  }
  return page(run, { items, paths, consumed, next });
}

function nextStart(index: number, count: number, key: AttributeMap | undefined): PageStart | undefined {
  if (key !== undefined) return { query: index, key };
  return index + 1 < count ? { query: index + 1 } : undefined;
}

/** Several queries together read up to the page of one. */
function isFull({ ConsistentRead }: ExecuteStatementInput, consumed: readonly ConsumedCapacity[]): boolean {
  const units = totalUnits(consumed).readUnits;
  return (ConsistentRead === true ? units : units * 2) * READ_UNIT_BYTES >= MAX_PAGE_BYTES;
}

function scanStatement(run: Run, plan: Extract<ReadPlan, { kind: 'scan' }>, start: PageStart): Outcome {
  const { state, input, atUs } = run;
  const outcome = scan(state, { ...plan.input, ...pageMembers(input, input.Limit, start.key) }, atUs);
  if (outcome.kind !== 'ok') return outcome;
  const { Items = [], LastEvaluatedKey } = outcome.output;
  const next = nextStart(0, 1, LastEvaluatedKey);
  return page(run, { items: Items, paths: plan.paths, consumed: outcome.consumed, next });
}

function pageMembers(
  { ConsistentRead }: ExecuteStatementInput,
  limit: number | undefined,
  key: AttributeMap | undefined,
) {
  return {
    ...(limit !== undefined && { Limit: limit }),
    ...(ConsistentRead === true && { ConsistentRead }),
    ...(key && { ExclusiveStartKey: key }),
  };
}

interface PageRead {
  readonly items: readonly AttributeMap[];
  readonly paths: Projected;
  readonly consumed: readonly ConsumedCapacity[];
  readonly next: PageStart | undefined;
}

function page({ input }: Run, { items, paths, consumed, next }: PageRead): Outcome {
  return {
    kind: 'ok',
    consumed: mergeConsumed(consumed),
    output: {
      Items: paths === 'all' ? items : items.map((item) => projectPaths(paths, item)),
      ...(next && { NextToken: nextToken(input, next) }),
      ...(next?.key && { LastEvaluatedKey: next.key }),
    },
  };
}
