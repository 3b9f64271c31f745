// One statement of a batch: run on its own, its outcome put into its place of the answer.
import type { MemberResponse } from '../../dynamodb/api-output.ts';
import type { ConsumedCapacity } from '../../dynamodb/consumed-capacity.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { GetPlan } from '../../dynamodb/partiql/statement-plan.ts';
import { itemSizeBytes } from '../../dynamodb/item-size.ts';
import { failCondition } from '../api/single-write.ts';
import type { DatabaseState } from '../database-state.ts';
import { lockKeyIfSound } from '../item-locks.ts';
import { probeOf } from '../table-key.ts';
import { findEntry } from '../write-plan.ts';
import { failedMember, memberError } from './member-error.ts';
import { getStatement } from './read-statement.ts';
import { withoutLabels } from './statement-state.ts';
import { keyOfWrite, type WritePlan, writeStatement } from './write-statement.ts';

export type MemberPlan = GetPlan | WritePlan;

export interface Member {
  readonly plan: MemberPlan;
  readonly isConsistent: boolean;
}

/** What a statement is answered, and what it was charged whether it failed or not. */
export interface StatementResult {
  readonly response: MemberResponse;
  readonly charged: readonly ConsumedCapacity[];
}

/** Answers one statement; a rule that it breaks is its own answer. */
export function runMember(state: DatabaseState, member: Member, atUs: number): StatementResult {
  const { plan } = member;
  const TableName = plan.kind === 'get' ? plan.tableName : plan.input.TableName;
  try {
    const outcome = withoutLabels(() => outcomeOf(state, member, atUs));
    if (outcome.kind === 'ok') {
      const Item = outcome.output.Items?.[0];
      return { response: { TableName, ...(Item && { Item }) }, charged: outcome.consumed };
    }
    const charged = outcome.kind === 'conditionFailed' ? (outcome.estimated ?? []) : [];
    return { response: { TableName, Error: memberError(outcome, plan.kind === 'put') }, charged };
  } catch (error) {
    const charged = plan.kind === 'get' ? [] : attemptedWrite(state, plan, atUs);
    return { response: failedMember(error, undefined), charged };
  }
}

function outcomeOf(state: DatabaseState, { plan, isConsistent }: Member, atUs: number): Outcome {
  if (plan.kind === 'get') return getStatement(state, plan, isConsistent, atUs);
  return isHeld(state, plan) ? { kind: 'conflict' } : writeStatement(state, plan, atUs);
}

/** Whether a transaction in flight holds the item. */
function isHeld(state: DatabaseState, plan: WritePlan): boolean {
  if (state.locks.isEmpty) return false;
  const lockKey = lockKeyIfSound(state.table(plan.input.TableName).spec, keyOfWrite(plan));
  return lockKey !== undefined && state.locks.isHeld(lockKey);
}

/** A write that turned out wrong is charged as one whose condition failed, where its key names an item at all. */
function attemptedWrite(state: DatabaseState, plan: WritePlan, atUs: number): readonly ConsumedCapacity[] {
  const table = state.table(plan.input.TableName);
  const key = keyOfWrite(plan);
  if (lockKeyIfSound(table.spec, key) === undefined) return [];
  const proposedBytes = plan.kind === 'put' ? itemSizeBytes(plan.input.Item) : 0;
  const found = findEntry(table, probeOf(key, table.spec.keys));
  const outcome = failCondition(state, found, proposedBytes, 'NONE', atUs);
  return outcome.kind === 'conditionFailed' ? (outcome.estimated ?? []) : [];
}
