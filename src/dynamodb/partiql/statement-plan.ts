// What a statement comes to: the inputs of the other APIs that do the same, for what they do not know a little beside
// them. So statements share capacity, conflicts, indexes and metrics with everything else.
import type { AttributeMap } from '../attribute-value.ts';
import { ApiError, validationError } from '../api-error.ts';
import type {
  DeleteItemInput,
  ParameterizedStatement,
  PutItemInput,
  QueryInput,
  ScanInput,
  UpdateItemInput,
} from '../operation.ts';
import { keyAttributes, type TableSpec } from '../table-spec.ts';
import { mapValue, type Parameters } from './constant-value.ts';
import { type Bound, ExpressionWriter } from './expression-writer.ts';
import { conjunction, type NamedKey, namedKey } from './key-terms.ts';
import { malformed } from './malformed.ts';
import { planRead } from './read-plan.ts';
import { parseStatement } from './statement-parser.ts';
import type {
  DeleteStatement,
  ExistsStatement,
  InsertStatement,
  PartiqlPath,
  Statement,
  UpdateStatement,
  Where,
} from './syntax-tree.ts';
import { updateExpression } from './update-text.ts';

/** A condition with what it binds. */
export interface BoundCondition extends Bound {
  readonly ConditionExpression: string;
}

/** What a SELECT gives back. */
export type Projected = readonly PartiqlPath[] | 'all';

/** One item by its key. The condition decides whether it is given back; it was paid for either way. */
export interface GetPlan {
  readonly kind: 'get';
  readonly tableName: string;
  readonly key: AttributeMap;
  readonly condition: BoundCondition | undefined;
  readonly paths: Projected;
  /** Whether the clause asks by `attribute_exists` or its opposite, which batches and transactions refuse. */
  readonly testsExistence: boolean;
}

/** What a statement comes to, by the API that does the same. */
export type StatementPlan =
  | GetPlan
  /** The items of one partition key after another. */
  | { readonly kind: 'query'; readonly inputs: readonly QueryInput[]; readonly paths: Projected }
  | { readonly kind: 'scan'; readonly input: ScanInput; readonly paths: Projected }
  | { readonly kind: 'put'; readonly input: PutItemInput }
  | { readonly kind: 'update'; readonly input: UpdateItemInput & { readonly UpdateExpression: string } }
  | { readonly kind: 'delete'; readonly input: DeleteItemInput }
  | {
      readonly kind: 'check';
      readonly input: BoundCondition & { readonly TableName: string; readonly Key: AttributeMap };
    };

/** Where tables are looked up. */
export interface TableSpecs {
  get(tableName: string): TableSpec | undefined;
}

/**
 * Plans a statement.
 * @throws ApiError ValidationException, ResourceNotFoundException
 */
export function planStatement(input: ParameterizedStatement, specs: TableSpecs): StatementPlan {
  const { statement, parameterCount } = parseStatement(input.Statement);
  const parameters = input.Parameters ?? [];
  if (parameters.length !== parameterCount)
    throw validationError("Number of parameters in request and statement don't match.");
  const table = specs.get(tableNameOf(statement));
  if (table === undefined) throw new ApiError('ResourceNotFoundException', 'Requested resource not found');
  const { ReturnValuesOnConditionCheckFailure: onFailure } = input;
  const returned = onFailure === undefined ? {} : { ReturnValuesOnConditionCheckFailure: onFailure };
  switch (statement.kind) {
    case 'select':
      return planRead(statement, table, parameters);
    case 'insert':
      return { kind: 'put', input: { ...insertion(statement, table, parameters), ...returned } };
    case 'update':
      return { kind: 'update', input: { ...update(statement, table, parameters), ...returned } };
    case 'delete':
      return { kind: 'delete', input: { ...deletion(statement, table, parameters), ...returned } };
    case 'exists':
      return { kind: 'check', input: check(statement, table, parameters) };
  }
}

/** The one table that a statement is about. */
export function tableNameOf(statement: Statement): string {
  return statement.kind === 'exists' ? statement.select.table : statement.table;
}

function insertion(statement: InsertStatement, table: TableSpec, parameters: Parameters): PutItemInput {
  const writer = new ExpressionWriter(parameters);
  const ConditionExpression = `attribute_not_exists(${writer.name(table.keys.partition.name)})`;
  const Item = mapValue(statement.item, parameters);
  return { TableName: table.tableName, Item, ConditionExpression, ...writer.bound };
}

function update(
  statement: UpdateStatement,
  table: TableSpec,
  parameters: Parameters,
): UpdateItemInput & { readonly UpdateExpression: string } {
  const { key, rest } = itemKey(statement.where, table, parameters);
  const writer = new ExpressionWriter(parameters);
  const UpdateExpression = updateExpression(statement.changes, writer);
  // An update makes no item of nothing.
  const ConditionExpression = writer.condition(conjunction([itemExists(table), ...rest]) as Where);
  const { returning } = statement;
  return {
    TableName: table.tableName,
    Key: key,
    UpdateExpression,
    ConditionExpression,
    ...writer.bound,
    ...(returning && {
      ReturnValues: `${returning.extent === 'ALL' ? 'ALL' : 'UPDATED'}_${returning.moment}` as const,
    }),
  };
}

function deletion(statement: DeleteStatement, table: TableSpec, parameters: Parameters): DeleteItemInput {
  const { returning } = statement;
  if (returning !== undefined && (returning.extent !== 'ALL' || returning.moment !== 'OLD'))
    throw validationError(
      `Invalid returning clause: RETURNING ${returning.extent} ${returning.moment} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
    );
  const { key, rest } = itemKey(statement.where, table, parameters);
  const writer = new ExpressionWriter(parameters);
  const further = conjunction(rest);
  // To delete an item that is not there is a success, whatever else the clause asks.
  const condition: Where | undefined = further && {
    kind: 'or',
    left: { kind: 'attribute_not_exists', path: { kind: 'path', parts: [table.keys.partition.name] } },
    right: further,
  };
  return {
    TableName: table.tableName,
    Key: key,
    ...(condition && { ConditionExpression: writer.condition(condition) }),
    ...writer.bound,
    ...(returning && { ReturnValues: 'ALL_OLD' as const }),
  };
}

function check({ select }: ExistsStatement, table: TableSpec, parameters: Parameters) {
  const named = select.index === undefined && namedKey(select.where, keyAttributes(table.keys), parameters);
  if (!named || named.rest.length === 0)
    throw validationError('EXISTS() must contain a single item read with additional condition');
  const writer = new ExpressionWriter(parameters);
  const condition = conjunction([itemExists(table), ...named.rest]) as Where; // There is at least the first.
  const ConditionExpression = writer.condition(condition);
  return { TableName: table.tableName, Key: named.key, ConditionExpression, ...writer.bound };
}

function itemKey(where: Where, table: TableSpec, parameters: Parameters): NamedKey {
  const named = namedKey(where, keyAttributes(table.keys), parameters);
  if (named !== undefined) return named;
  throw validationError('Where clause does not contain a mandatory equality on all key attributes');
}

function itemExists(table: TableSpec): Where {
  return { kind: 'attribute_exists', path: { kind: 'path', parts: [table.keys.partition.name] } };
}

/** The error of EXISTS where a statement must do something of its own. */
export function notAlone(): ApiError {
  return malformed('Expected data manipulation');
}
