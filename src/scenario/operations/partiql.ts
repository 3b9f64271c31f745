// ExecuteStatement, BatchExecuteStatement and ExecuteTransaction: statements of PartiQL.
import { ApiError } from '../../dynamodb/api-error.ts';
import type { AttributeValue } from '../../dynamodb/attribute-value.ts';
import { cachedByText } from '../../dynamodb/cached-by-text.ts';
import { marshalValue } from '../../dynamodb/marshal.ts';
import type { ParameterizedStatement, Request } from '../../dynamodb/operation.ts';
import { statementUses } from '../../dynamodb/partiql/native-requests.ts';
import { withTableNamed } from '../../dynamodb/partiql/renamed-table.ts';
import { DynoLoadError } from '../../errors.ts';
import type { Context, Value } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import type { PagesOperation, RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { compileOf, listOf, type Of, valueOf } from './of.ts';
import { maximumPages } from './read-many.ts';
import { type Tables, tableOf } from './table-of.ts';

/** One statement. It names its table as the scenario does, which is `main` where there is one and no other name. */
export interface PartiqlSpec {
  /** For example `SELECT * FROM main WHERE PK = ?`. */
  readonly statement: Of<string>;
  /** What each `?` stands for, in order. */
  readonly parameters?: Of<readonly Value[]>;
  readonly consistent?: boolean;
  /** Items evaluated per page. */
  readonly limit?: number;
  /** Pages of a SELECT that one operation follows; one unless given. */
  readonly pages?: number | 'all';
}

/** A statement among several. */
export interface PartiqlStatement {
  readonly statement: string;
  readonly parameters?: readonly Value[];
}

/** Up to 25 statements in one request, all reads of single items or all writes; each succeeds or fails on its own. */
export interface PartiqlBatchSpec {
  readonly statements: Of<readonly (PartiqlStatement & { readonly consistent?: boolean })[]>;
}

/**
 * Up to 100 statements, all or none: reads of single items, or writes and `EXISTS(SELECT …)`. `token` makes a
 * repetition within ten minutes harmless.
 */
export interface PartiqlTransactionSpec {
  readonly statements: Of<readonly PartiqlStatement[]>;
  readonly token?: Of<string>;
}

/** A workload of ExecuteStatement. */
export function partiql(spec: PartiqlSpec & Load & Policy): Workload {
  return defineWorkload('partiql', spec);
}

/** A workload of BatchExecuteStatement. */
export function partiqlBatch(spec: PartiqlBatchSpec & Load & Policy): Workload {
  return defineWorkload('partiqlBatch', spec);
}

/** A workload of ExecuteTransaction. */
export function partiqlTransaction(spec: PartiqlTransactionSpec & Load & Policy): Workload {
  return defineWorkload('partiqlTransaction', spec);
}

/** Makes the operations of a statement. */
export function compilePartiql(
  spec: PartiqlSpec,
  tables: Tables,
): (context: Context) => RequestOperation | PagesOperation {
  const statementOf = compileOf(spec.statement, statementText(tables));
  const parametersOf =
    spec.parameters === undefined ? undefined : compileOf(spec.parameters, marshalParameters);
  const options = {
    ...(spec.consistent && { ConsistentRead: true }),
    ...(spec.limit !== undefined && { Limit: spec.limit }),
  };
  const pages = maximumPages(spec);
  return (context) => {
    const Parameters = parametersOf?.(context);
    const input = { Statement: statementOf(context), ...(Parameters && { Parameters }), ...options };
    const request: Extract<Request, { api: 'ExecuteStatement' }> = { api: 'ExecuteStatement', input };
    return pages === 1 ? { kind: 'request', request } : { kind: 'pages', request, maximumPages: pages };
  };
}

/** Makes the operations of a batch of statements. */
export function compilePartiqlBatch(
  spec: PartiqlBatchSpec,
  tables: Tables,
): (context: Context) => RequestOperation {
  const textOf = statementText(tables);
  return (context) => {
    const Statements = listOf(spec.statements, context, 'statements').map((one) => ({
      ...wireStatement(one, textOf),
      ...(one.consistent && { ConsistentRead: true }),
    }));
    return { kind: 'request', request: { api: 'BatchExecuteStatement', input: { Statements } } };
  };
}

/** Makes the operations of a transaction of statements. */
export function compilePartiqlTransaction(
  spec: PartiqlTransactionSpec,
  tables: Tables,
): (context: Context) => RequestOperation {
  const textOf = statementText(tables);
  return (context) => {
    const statements = listOf(spec.statements, context, 'statements');
    const token = spec.token === undefined ? undefined : valueOf(spec.token, context);
    const input = {
      TransactStatements: statements.map((one) => wireStatement(one, textOf)),
      ...(token !== undefined && { ClientRequestToken: token }),
    };
    return { kind: 'request', request: { api: 'ExecuteTransaction', input } };
  };
}

/** Whether statements may write: those that are computed count as if they did. */
export function partiqlWrites(spec: PartiqlSpec | PartiqlBatchSpec | PartiqlTransactionSpec): boolean {
  const given: unknown = 'statement' in spec ? [spec] : spec.statements;
  if (!Array.isArray(given)) return true;
  return given.some(({ statement }: { readonly statement?: unknown }) => {
    if (typeof statement !== 'string') return true;
    const [use] = statementUses({ api: 'ExecuteStatement', input: { Statement: statement } });
    return use?.verb !== 'select';
  });
}

function wireStatement(
  { statement, parameters }: PartiqlStatement,
  textOf: (statement: string) => string,
): ParameterizedStatement {
  const Parameters = parameters && marshalParameters(parameters);
  return { Statement: textOf(statement), ...(Parameters && { Parameters }) };
}

/** Undefined for none: DynamoDB refuses an empty list. */
function marshalParameters(parameters: readonly Value[]): readonly AttributeValue[] | undefined {
  if (!Array.isArray(parameters))
    throw invalid(
      'parameters is no list',
      'each ? of the statement stands for one of them',
      "write parameters: ['a', 1]",
    );
  if (parameters.length === 0) return undefined;
  return parameters.map((value, index) => marshalValue(value, `parameters[${index}]`));
}

/** The text as it goes out, with the table named as on the target. */
function statementText(tables: Tables): (statement: string) => string {
  return cachedByText((statement) => {
    if (typeof statement !== 'string')
      throw invalid(
        `statement is ${String(statement)}`,
        'a statement is a text',
        "write statement: 'SELECT * FROM main'",
      );
    try {
      return withTableNamed(statement, (table) => tableOf(tables, { table }).tableName);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw invalid(
        `statement is ${statement}`,
        error.message,
        'look for a quote or a comment that is not closed',
      );
    }
  });
}

function invalid(what: string, why: string, fix: string): DynoLoadError {
  return new DynoLoadError('OPERATION_INVALID', { what, why, fix });
}
