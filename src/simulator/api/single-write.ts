// What PutItem, UpdateItem and DeleteItem share once they know the item before and after: condition,
// admission, effect, what was consumed.
import type { ApiOutput } from '../../dynamodb/api-output.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { tableWriteUnits } from '../../dynamodb/consumed-capacity.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { tellItem, tellWrite } from '../access-listener.ts';
import type { Throttled } from '../admission.ts';
import type { DatabaseState } from '../database-state.ts';
import { checkCollections, metricsOf } from '../collection-sizes.ts';
import { evaluateCondition } from '../expression/condition-evaluator.ts';
import {
  applyWrite,
  consumedByWrite,
  demandWrite,
  type FoundEntry,
  tableKeyState,
  type WritePlan,
} from '../write-plan.ts';
import type { ReadyCondition } from './request-checks.ts';

/** Whether a write's condition holds on the item as it is. */
export function holds({ condition, bindings }: ReadyCondition, found: FoundEntry): boolean {
  return condition === undefined || evaluateCondition(condition, found.before?.item, bindings);
}

/**
 * A write whose condition failed: it is charged on the table all the same, by the larger of the stored and
 * the
 * proposed item, and so it may be throttled.
 * @param proposedBytes  of the item that a put proposes; 0 for updates and deletes
 */
export function failCondition(
  state: DatabaseState,
  found: FoundEntry,
  proposedBytes: number,
  returnValues: 'NONE' | 'ALL_OLD' | undefined,
  atUs: number,
): Outcome {
  const { table, before } = found;
  const units = tableWriteUnits(before?.sizeBytes, proposedBytes);
  const { admission, listener } = state;
  admission.begin().need(table.throughput, tableKeyState(found), units);
  const isAdmitted = admission.isAdmitted('Write', atUs);
  if (listener) tellItem(listener, found, { operation: 'Write', units, isAdmitted, atUs });
  if (!isAdmitted) return admission.refuse('Write', atUs);
  admission.spendWrites(atUs);
  const estimated = table.plainWrite(units);
  if (returnValues !== 'ALL_OLD' || before === undefined) return { kind: 'conditionFailed', estimated };
  return { kind: 'conditionFailed', estimated, item: before.item };
}

/** Admits a planned write and carries it out; gives back the refusal where it is throttled. */
export function admitAndApply(state: DatabaseState, plan: WritePlan, atUs: number): Throttled | undefined {
  const { admission, listener } = state;
  if (plan.table.collectionSizes !== undefined) checkCollections([plan]);
  demandWrite(admission.begin(), plan, 1);
  const isAdmitted = admission.isAdmitted('Write', atUs);
  if (listener) tellWrite(listener, plan, { isAdmitted, tableFactor: 1, atUs });
  if (!isAdmitted) return admission.refuse('Write', atUs);
  admission.spendWrites(atUs);
  applyWrite(plan);
  return undefined;
}

const nothing: ApiOutput = {};

/**
 * The answer to a write that was carried out.
 * @param returnMetrics  SIZE: the size of the item collection is told
 */
export function written(
  plan: WritePlan,
  attributes: AttributeMap | undefined,
  returnMetrics: 'SIZE' | 'NONE' | undefined,
): Outcome {
  const output = attributes === undefined ? nothing : { Attributes: attributes };
  const consumed = consumedByWrite(plan, 1);
  const metrics = returnMetrics === 'SIZE' ? metricsOf(plan) : undefined;
  if (metrics === undefined) return { kind: 'ok', consumed, output };
  return { kind: 'ok', consumed, output: { ...output, ItemCollectionMetrics: metrics } };
}
