// INSERT, UPDATE and DELETE: the writes of one item that they come to.
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { StatementPlan } from '../../dynamodb/partiql/statement-plan.ts';
import { deleteItem } from '../api/delete-item.ts';
import { putItem } from '../api/put-item.ts';
import { updateItem } from '../api/update-item.ts';
import type { DatabaseState } from '../database-state.ts';

export type WritePlan = Extract<StatementPlan, { kind: 'put' | 'update' | 'delete' }>;

/**
 * Runs a write; the items that RETURNING asks for, or none.
 * @throws ApiError ValidationException
 */
export function writeStatement(state: DatabaseState, plan: WritePlan, atUs: number): Outcome {
  const outcome = written(state, plan, atUs);
  if (outcome.kind !== 'ok') return outcome;
  const { Attributes } = outcome.output;
  return { ...outcome, output: { Items: Attributes === undefined ? [] : [Attributes] } };
}

function written(state: DatabaseState, plan: WritePlan, atUs: number): Outcome {
  switch (plan.kind) {
    case 'put':
      return putItem(state, plan.input, atUs);
    case 'update':
      return updateItem(state, plan.input, atUs, 'finished item');
    case 'delete':
      return deleteItem(state, plan.input, atUs);
  }
}

/** The key attributes that a write names, perhaps among others. */
export function keyOfWrite(plan: WritePlan): AttributeMap {
  return plan.kind === 'put' ? plan.input.Item : plan.input.Key;
}
