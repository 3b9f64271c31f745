// BatchExecuteStatement: up to 25 statements, all reads or all writes, each on its own. What fails is told in
// its place and costs the write that it attempted; the request succeeds.
// @see "BatchExecuteStatement",
//   https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html, read 2026-11-30;
//   what failed statements cost: `nubo-db/dynoxide CHANGELOG.md` (captures), read 2026-11-30
import { ApiError, validationError } from '../../dynamodb/api-error.ts';
import type { MemberResponse } from '../../dynamodb/api-output.ts';
import { type ConsumedCapacity, mergeConsumed } from '../../dynamodb/consumed-capacity.ts';
import { MAX_BATCH_STATEMENTS } from '../../dynamodb/limits.ts';
import type { BatchExecuteStatementInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { parseStatement } from '../../dynamodb/partiql/statement-parser.ts';
import { notAlone, planStatement } from '../../dynamodb/partiql/statement-plan.ts';
import { checkReturnConsumedCapacity, constraint } from '../api/request-checks.ts';
import type { DatabaseState } from '../database-state.ts';
import { lockKeyIfSound } from '../item-locks.ts';
import { type Member, type MemberPlan, runMember, type StatementResult } from './batch-member.ts';
import { failedMember } from './member-error.ts';
import { specsOf, statementState, withoutLabels } from './statement-state.ts';
import { keyOfWrite } from './write-statement.ts';

/** @throws ApiError ValidationException for what refuses the batch as a whole */
export function batchExecuteStatement(
  state: DatabaseState,
  input: BatchExecuteStatementInput,
  atUs: number,
): Outcome {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkCount(input);
  checkNotMixed(input);
  const members = input.Statements.map((statement) => readyMember(state, statement));
  checkDistinct(state, members);
  const marked = statementState(state);
  const results = members.map((member) =>
    'plan' in member ? runMember(marked, member, atUs) : { response: member, charged: [] },
  );
  return outcomeOf(results);
}

function checkCount({ Statements }: BatchExecuteStatementInput): void {
  const count = Statements?.length ?? 0;
  if (count === 0) throw constraint('[]', 'statements', 'Member must have length greater than or equal to 1');
  if (count > MAX_BATCH_STATEMENTS)
    throw validationError(`Too many statements in BatchExecuteStatement; limit is ${MAX_BATCH_STATEMENTS}`);
}

function checkNotMixed({ Statements }: BatchExecuteStatementInput): void {
  const areReads = Statements.flatMap(({ Statement }) => {
    try {
      return parseStatement(Statement).statement.kind === 'select';
    } catch (error) {
      if (error instanceof ApiError) return []; // Told in its place.
      throw error;
    }
  });
  if (areReads.includes(true) && areReads.includes(false))
    throw validationError('Read and write requests together in the same batch is not supported.');
}

/** A statement that may be run, or what is answered in its place. */
function readyMember(
  state: DatabaseState,
  statement: BatchExecuteStatementInput['Statements'][number],
): Member | MemberResponse {
  try {
    const plan = withoutLabels(() => planStatement(statement, specsOf(state)));
    return { plan: memberPlan(plan), isConsistent: statement.ConsistentRead === true };
  } catch (error) {
    return failedMember(error, statement.Statement);
  }
}

function memberPlan(plan: ReturnType<typeof planStatement>): MemberPlan {
  if (plan.kind === 'check') throw notAlone();
  if (plan.kind === 'query' || plan.kind === 'scan' || (plan.kind === 'get' && plan.testsExistence))
    throw validationError(
      'Select statements within BatchExecuteStatement must specify the primary key in the where clause.',
    );
  return plan;
}

function checkDistinct(state: DatabaseState, members: readonly (Member | MemberResponse)[]): void {
  const lockKeys = members.flatMap((member) => {
    if (!('plan' in member)) return [];
    const { plan } = member;
    const { tableName, key } =
      plan.kind === 'get'
        ? { tableName: plan.tableName, key: plan.key }
        : { tableName: plan.input.TableName, key: keyOfWrite(plan) };
    return lockKeyIfSound(state.table(tableName).spec, key) ?? [];
  });
  if (new Set(lockKeys).size < lockKeys.length)
    throw validationError('Provided list of item keys contains duplicates');
}

/** A table of which every statement failed is charged, and not reported. */
function outcomeOf(results: readonly StatementResult[]): Outcome {
  const output = { Responses: results.map(({ response }) => response) };
  const failed = results.filter(({ response }) => response.Error !== undefined);
  const served = new Set(
    results.flatMap((result) => (failed.includes(result) ? [] : result.response.TableName)),
  );
  const charged: readonly ConsumedCapacity[] = mergeConsumed(results.flatMap((result) => result.charged));
  const consumed = charged.filter(({ tableName }) => served.has(tableName));
  if (failed.length === 0) return { kind: 'ok', consumed, output };
  const estimated = charged.filter(({ tableName }) => !served.has(tableName));
  return {
    kind: 'partial',
    sentItems: results.length,
    unprocessedItems: failed.length,
    consumed,
    ...(estimated.length > 0 && { estimated }),
    output,
  };
}
