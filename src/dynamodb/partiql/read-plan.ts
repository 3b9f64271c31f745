// What a SELECT comes to: the whole key by `=` is one item, a partition key a Query, anything else a Scan.
// @see "PartiQL select statements for DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.select.html, read 2026-11-30
import { validationError } from '../api-error.ts';
import { checkFilterNames, checkProjectedNames, heldNamesOf } from '../held-names.ts';
import { compareScalar } from '../key-text.ts';
import type { QueryInput } from '../operation.ts';
import {
  type GlobalIndexSpec,
  keyAttributes,
  type KeySchema,
  type LocalIndexSpec,
  partitionAttributes,
  sortAttributes,
  type TableSpec,
} from '../table-spec.ts';
import { constantValue, type Parameters } from './constant-value.ts';
import { ExpressionWriter } from './expression-writer.ts';
import {
  attributesIn,
  conjunction,
  conjuncts,
  isEquality,
  isSortTerm,
  namedKey,
  namedPartitions,
} from './key-terms.ts';
import type { Projected, StatementPlan } from './statement-plan.ts';
import type { Constant, SelectStatement, Where } from './syntax-tree.ts';

/** @throws ApiError ValidationException */
export function planRead(select: SelectStatement, table: TableSpec, parameters: Parameters): StatementPlan {
  const { where, paths, index: indexName } = select;
  const index = indexName === undefined ? undefined : indexOf(table, indexName);
  if (index !== undefined) {
    checkProjected(paths, table, index);
    checkFilters(where, table, index);
  }
  const keys = index?.keys ?? table.keys;
  checkOrder(select, keys);
  const named = index === undefined ? namedKey(where, keyAttributes(keys), parameters) : undefined;
  if (named !== undefined) {
    const writer = new ExpressionWriter(parameters);
    const rest = conjunction(named.rest);
    return {
      kind: 'get',
      tableName: table.tableName,
      key: named.key,
      condition: rest && { ConditionExpression: writer.condition(rest), ...writer.bound },
      paths,
      testsExistence: named.rest.some(testsExistence),
    };
  }
  const read = { select, table, index, parameters };
  const queries = partitionQueries(read, keys);
  if (queries !== undefined) return { kind: 'query', inputs: queries, paths };
  if (select.orders.length > 0)
    throw validationError(
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    );
  const writer = new ExpressionWriter(parameters);
  return { kind: 'scan', input: { ...commonInput(read, writer, conjuncts(where)), ...writer.bound }, paths };
}

type IndexSpec = GlobalIndexSpec | LocalIndexSpec;

interface Read {
  readonly select: SelectStatement;
  readonly table: TableSpec;
  readonly index: IndexSpec | undefined;
  readonly parameters: Parameters;
}

function indexOf(table: TableSpec, name: string): IndexSpec {
  const found = [...table.globalIndexes, ...table.localIndexes].find((index) => index.name === name);
  if (found !== undefined) return found;
  throw validationError(`The table does not have the specified index: ${name}`);
}

/** One query for each partition key; undefined where the clause limits them to none. */
function partitionQueries(read: Read, keys: KeySchema): readonly QueryInput[] | undefined {
  const { select, parameters } = read;
  const attributes = partitionAttributes(keys);
  if (attributes.length > 1) {
    const named = namedKey(select.where, attributes, parameters);
    if (named === undefined) return undefined;
    const terms = attributes.map(
      ({ name }): Where => equality(name, { kind: 'value', value: named.key[name] ?? {} }),
    );
    return [queryOf(read, keys, terms, named.rest)];
  }
  const { name } = keys.partition;
  const named = namedPartitions(select.where, name);
  if (named === undefined) return undefined;
  return inOrder(distinct(named.values, parameters), select, keys, parameters).map((value) =>
    queryOf(read, keys, [equality(name, value)], named.rest),
  );
}

function equality(name: string, value: Constant): Where {
  return { kind: 'comparison', comparator: '=', left: { kind: 'path', parts: [name] }, right: value };
}

function queryOf(
  read: Read,
  keys: KeySchema,
  partitionTerms: readonly Where[],
  rest: readonly Where[],
): QueryInput {
  const writer = new ExpressionWriter(read.parameters);
  const sortTerms = sortTermsOf(rest, keys);
  const terms = [...partitionTerms, ...sortTerms].map((term) => writer.condition(term));
  const filters = rest.filter((term) => !sortTerms.includes(term));
  const isDescending = read.select.orders.some(
    ({ attribute, isDescending }) => isDescending && attribute !== keys.partition.name,
  );
  return {
    ...commonInput(read, writer, filters),
    KeyConditionExpression: terms.join(' AND '),
    ...(isDescending && { ScanIndexForward: false }),
    ...writer.bound,
  };
}

/** The terms that the sort key can answer: equalities on its first attributes and one comparison on the next. */
function sortTermsOf(rest: readonly Where[], keys: KeySchema): readonly Where[] {
  const terms: Where[] = [];
  for (const { name } of sortAttributes(keys)) {
    const equal = rest.find((term) => isEquality(term, name));
    const term = equal ?? rest.find((one) => isSortTerm(one, name));
    if (term !== undefined) terms.push(term);
    if (equal === undefined) break;
  }
  return terms;
}

function commonInput({ select, table, index }: Read, writer: ExpressionWriter, filters: readonly Where[]) {
  const filter = conjunction(filters);
  const { paths } = select;
  return {
    TableName: table.tableName,
    ...(index && { IndexName: index.name }),
    ...(filter && { FilterExpression: writer.condition(filter) }),
    // The attributes that hold what is asked for; the paths are taken out of them afterwards.
    ...(paths !== 'all' && {
      ProjectionExpression: namesOf(paths)
        .map((name) => writer.name(name))
        .join(', '),
    }),
  };
}

function namesOf(paths: Exclude<Projected, 'all'>): readonly string[] {
  return [...new Set(paths.map(({ parts }) => parts[0]))];
}

function checkProjected(paths: Projected, table: TableSpec, index: IndexSpec): void {
  if (paths === 'all' || !isGlobal(table, index)) return;
  checkProjectedNames(index.name, heldNamesOf(index, table.keys), namesOf(paths));
}

function checkFilters(where: Where | undefined, table: TableSpec, index: IndexSpec): void {
  if (where !== undefined) checkFilterNames(index.name, heldNamesOf(index, table.keys), attributesIn(where));
}

function isGlobal(table: TableSpec, index: IndexSpec): boolean {
  return table.globalIndexes.some(({ name }) => name === index.name);
}

function checkOrder({ orders, where }: SelectStatement, keys: KeySchema): void {
  if (orders.length === 0) return;
  if (where === undefined)
    throw validationError('Must have WHERE clause in the statement when using ORDER BY clause.');
  const names = keyAttributes(keys).map(({ name }) => name);
  const unknown = orders.find(({ attribute }) => !names.includes(attribute));
  if (unknown !== undefined)
    throw validationError(
      `Variable reference ${unknown.attribute} in ORDER BY clause must be part of the primary key`,
    );
}

function distinct(values: readonly Constant[], parameters: Parameters): readonly Constant[] {
  const byValue = new Map(values.map((value) => [JSON.stringify(constantValue(value, parameters)), value]));
  return [...byValue.values()];
}

/** Several partition keys are read one after another, so they can be ordered by themselves only. */
function inOrder(
  values: readonly Constant[],
  { orders }: SelectStatement,
  keys: KeySchema,
  parameters: Parameters,
): readonly Constant[] {
  const [first] = orders;
  if (first === undefined || values.length < 2) return values;
  if (first.attribute !== keys.partition.name)
    throw validationError('ORDER BY the sort key needs a single partition key in the WHERE clause');
  const direction = first.isDescending ? -1 : 1;
  return values.toSorted(
    (one, two) => direction * compareScalar(constantValue(one, parameters), constantValue(two, parameters)),
  );
}

function testsExistence(where: Where): boolean {
  switch (where.kind) {
    case 'attribute_exists':
    case 'attribute_not_exists':
      return true;
    case 'and':
    case 'or':
      return testsExistence(where.left) || testsExistence(where.right);
    case 'not':
      return testsExistence(where.condition);
    default:
      return false;
  }
}
