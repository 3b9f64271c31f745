// The requests of other APIs that do what a request of PartiQL does: for whatever judges requests by their
// tables, keys and cost.
import { ApiError } from '../api-error.ts';
import type { PartiqlRequest, Request } from '../operation.ts';
import { parseStatement } from './statement-parser.ts';
import { planStatement, type StatementPlan, type TableSpecs, tableNameOf } from './statement-plan.ts';
import type { Statement } from './syntax-tree.ts';
import { planTransaction } from './transaction-plan.ts';

/** Requests of the other APIs. */
export type NativeRequest = Exclude<Request, PartiqlRequest>;

/** The requests that a request of PartiQL stands for; what DynamoDB would refuse stands for none. */
export function nativeRequests(request: PartiqlRequest, specs: TableSpecs): readonly NativeRequest[] {
  switch (request.api) {
    case 'ExecuteStatement': {
      const { Limit, ConsistentRead } = request.input;
      return orNothing(() => requestsOf(planStatement(request.input, specs), { Limit, ConsistentRead }));
    }
    case 'BatchExecuteStatement':
      return request.input.Statements.flatMap((one) =>
        orNothing(() => requestsOf(planStatement(one, specs), { ConsistentRead: one.ConsistentRead })),
      );
    case 'ExecuteTransaction':
      return orNothing(() => {
        const plan = planTransaction(request.input, specs);
        if (plan.kind === 'reads') return [{ api: 'TransactGetItems', input: plan.input }];
        return plan.kind === 'writes' ? [{ api: 'TransactWriteItems', input: plan.input }] : [];
      });
  }
}

/** Whether a text is a statement. */
export function isKnownStatement(text: string): boolean {
  return parsedOrNothing(text) !== undefined;
}

/** A table that a statement names, and what the statement does to it. */
export interface StatementUse {
  /** Empty where the text is no statement. */
  readonly tableName: string;
  /** `check`: EXISTS. Undefined where the text is no statement. */
  readonly verb: 'select' | 'insert' | 'update' | 'delete' | 'check' | undefined;
}

/** What each statement of a request is about, in order, as far as the text tells. */
export function statementUses(request: PartiqlRequest): readonly StatementUse[] {
  return statementTexts(request).map((text) => {
    const statement = parsedOrNothing(text);
    if (statement === undefined) return { tableName: '', verb: undefined };
    return {
      tableName: tableNameOf(statement),
      verb: statement.kind === 'exists' ? 'check' : statement.kind,
    };
  });
}

/** The tables that a request names, each once. */
export function statementTables(request: PartiqlRequest): readonly string[] {
  return [
    ...new Set(statementUses(request).flatMap(({ tableName }) => (tableName === '' ? [] : [tableName]))),
  ];
}

/** Whether every statement of a request is a SELECT. */
export function readsOnly(request: PartiqlRequest): boolean {
  return statementUses(request).every(({ verb }) => verb === 'select');
}

function statementTexts(request: PartiqlRequest): readonly string[] {
  switch (request.api) {
    case 'ExecuteStatement':
      return [request.input.Statement];
    case 'BatchExecuteStatement':
      return request.input.Statements.map(({ Statement }) => Statement);
    case 'ExecuteTransaction':
      return request.input.TransactStatements.map(({ Statement }) => Statement);
  }
}

function parsedOrNothing(text: string): Statement | undefined {
  try {
    return parseStatement(text).statement;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function orNothing(requests: () => readonly NativeRequest[]): readonly NativeRequest[] {
  try {
    return requests();
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

interface ReadOptions {
  readonly Limit?: number | undefined;
  readonly ConsistentRead?: boolean | undefined;
}

function requestsOf(plan: StatementPlan, { Limit, ConsistentRead }: ReadOptions): readonly NativeRequest[] {
  const consistent = ConsistentRead === true ? { ConsistentRead } : {};
  const read = { ...consistent, ...(Limit !== undefined && { Limit }) };
  switch (plan.kind) {
    case 'get':
      return [{ api: 'GetItem', input: { TableName: plan.tableName, Key: plan.key, ...consistent } }];
    case 'query':
      return plan.inputs.map((input) => ({ api: 'Query', input: { ...input, ...read } }));
    case 'scan':
      return [{ api: 'Scan', input: { ...plan.input, ...read } }];
    case 'put':
      return [{ api: 'PutItem', input: plan.input }];
    case 'update':
      return [{ api: 'UpdateItem', input: plan.input }];
    case 'delete':
      return [{ api: 'DeleteItem', input: plan.input }];
    case 'check':
      return [];
  }
}
