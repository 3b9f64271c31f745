// How a Query or Scan reads: index, consistency, what is filtered and given back. Shared, because both take
// the same members.
import { validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { checkProjectedNames } from '../../dynamodb/held-names.ts';
import type { QueryInput, ScanInput } from '../../dynamodb/operation.ts';
import { checkedItem } from '../checked-item.ts';
import type { DatabaseState } from '../database-state.ts';
import { checkBindingsUsed } from '../expression/check-bindings.ts';
import { parseCondition } from '../expression/condition-parser.ts';
import { parseProjection, projectedNames } from '../expression/projection.ts';
import type { Bindings, KeyConditionNode, ProjectionNode } from '../expression/syntax-tree.ts';
import { StoredEntry } from '../stored-entry.ts';
import type { PageView } from '../read-pages.ts';
import type { TableIndex } from '../simulated-table.ts';
import { checkKeyShape, keyOf, partitionTextOf, probeOf, sortTextOf } from '../table-key.ts';
import { bindingsOf, checkChoice, checkReturnConsumedCapacity, constraint } from './request-checks.ts';

type ReadManyInput = QueryInput | ScanInput;

const selectChoices = ['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'COUNT'];

/**
 * Checks what Query and Scan have in common and works out how to read. Expressions are checked before the
 * table is looked up, as everywhere.
 * @param keyCondition  a query's; it shares the bindings with filter and projection
 * @throws ApiError ValidationException, ResourceNotFoundException
 */
export function pageView(
  state: DatabaseState,
  input: ReadManyInput,
  keyCondition: KeyConditionNode | undefined,
): PageView {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkChoice('select', input.Select, selectChoices);
  if (input.Limit !== undefined && !(input.Limit >= 1))
    throw constraint(input.Limit, 'limit', 'Member must have value greater than or equal to 1');
  const filter =
    input.FilterExpression === undefined
      ? undefined
      : parseCondition(input.FilterExpression, 'FilterExpression');
  const projection =
    input.ProjectionExpression === undefined ? undefined : parseProjection(input.ProjectionExpression);
  const bindings = bindingsOf(input);
  checkBindingsUsed(bindings, filter, projection, keyCondition);
  const table = state.table(input.TableName);
  const index = input.IndexName === undefined ? undefined : table.index(input.IndexName);
  if (index?.isGlobal === true && input.ConsistentRead === true)
    throw validationError('Consistent reads are not supported on global secondary indexes');
  checkSelect(input, index, projection);
  if (index?.isGlobal === true && projection !== undefined)
    checkProjectedNames(index.name, index.heldNames, projectedNames(projection, bindings));
  return {
    table,
    index,
    consistency: input.ConsistentRead === true ? 'strong' : 'eventual',
    limit: input.Limit,
    isFetching: index !== undefined && isFetching(input.Select, index, projection, bindings),
    isCountOnly: input.Select === 'COUNT',
    filter,
    projection,
    bindings,
  };
}

/**
 * The place behind which a page begins, as an entry.
 * @throws ApiError ValidationException where the key is not one of the table (and index)
 */
export function startEntry(
  { table, index }: PageView,
  startKey: AttributeMap | undefined,
): StoredEntry | undefined {
  if (startKey === undefined) return undefined;
  const problem = 'The provided starting key is invalid';
  const key = checkedItem(startKey);
  const tableKeys = table.spec.keys;
  if (index === undefined) {
    checkKeyShape(key, tableKeys, `${problem}: The provided key element does not match the schema`);
    return probeOf(key, tableKeys);
  }
  const expected = new Set([...Object.keys(keyOf(key, tableKeys)), ...Object.keys(keyOf(key, index.keys))]);
  if (Object.keys(key).length !== expected.size) throw validationError(problem);
  checkKeyShape(keyOf(key, tableKeys), tableKeys, problem);
  checkKeyShape(keyOf(key, index.keys), index.keys, problem);
  const base = probeOf(key, tableKeys);
  return new StoredEntry(partitionTextOf(key, index.keys), sortTextOf(key, index.keys), key, 0, base);
}

function checkSelect(
  { Select }: ReadManyInput,
  index: TableIndex | undefined,
  projection: ProjectionNode | undefined,
): void {
  if (projection !== undefined && Select !== undefined && Select !== 'SPECIFIC_ATTRIBUTES')
    throw validationError(`Cannot specify the ProjectionExpression when choosing to get ${Select}`);
  if (projection === undefined && Select === 'SPECIFIC_ATTRIBUTES')
    throw validationError(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && index === undefined)
    throw validationError('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  if (Select === 'ALL_ATTRIBUTES' && index?.isGlobal === true && index.heldNames !== undefined)
    throw validationError(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
}

/** A local index fetches from the table what it is asked for and does not hold; a global one cannot. */
function isFetching(
  select: ReadManyInput['Select'],
  { isGlobal, heldNames }: TableIndex,
  projection: ProjectionNode | undefined,
  bindings: Bindings,
): boolean {
  if (isGlobal || heldNames === undefined) return false;
  if (select === 'ALL_ATTRIBUTES') return true;
  if (projection === undefined) return false;
  return projectedNames(projection, bindings).some((name) => !heldNames.includes(name));
}
