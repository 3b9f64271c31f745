// TransactWriteItems: up to 100 writes and checks, all or none. Conditions are looked at first, then throughput; a transaction that fails
// changes nothing. The items it holds meanwhile are in item-locks.ts.
import { type CancellationReason, validationError } from '../../dynamodb/api-error.ts';
import {
  addUnits,
  type ConsumedCapacity,
  mergeConsumed,
  noUnits,
  readUnits,
  tableWriteUnits,
} from '../../dynamodb/consumed-capacity.ts';
import { MAX_TRANSACTION_BYTES } from '../../dynamodb/limits.ts';
import type { TransactWriteItemsInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { Admission } from '../admission.ts';
import type { DatabaseState } from '../database-state.ts';
import { applyWrite, consumedByWrite, demandWrite, tableKeyState } from '../write-plan.ts';
import { cancellationMessage, reasonsInOrder, throttledCodes, TRANSACTION_CANCELED } from './cancellation.ts';
import { checkReturnConsumedCapacity } from './request-checks.ts';
import { checkActionCount } from './transact-get-items.ts';
import {
  lookAgain,
  type PlannedAction,
  planAction,
  type ReadyAction,
  readyAction,
} from './transact-action.ts';

export function transactWriteItems(
  state: DatabaseState,
  input: TransactWriteItemsInput,
  atUs: number,
): Outcome {
  const actions = readyActions(state, input);
  const { ClientRequestToken: token, TransactItems } = input;
  const replay = token === undefined ? undefined : state.replays.find(token, TransactItems, atUs);
  if (replay !== undefined) return replayed(state, actions, replay.readUnits, atUs);
  const plans = actions.map(planAction);
  const failure = failedConditions(state, plans, atUs);
  if (failure !== undefined) return failure;
  const refusal = refused(state, plans, atUs);
  if (refusal !== undefined) return refusal;
  state.admission.spendWrites(atUs);
  const sizes = plans.map(({ found, write }) =>
    Math.max(found.before?.sizeBytes ?? 0, write?.afterBytes ?? 0),
  );
  if (token !== undefined)
    state.replays.keep(
      token,
      TransactItems,
      sizes.map((bytes) => readUnits(bytes, 'transactional')),
      atUs,
    );
  const consumed = mergeConsumed(plans.flatMap(consumedBy));
  for (const plan of plans) apply(plan);
  return { kind: 'ok', consumed, output: {} };
}

/**
 * The actions of a request, checked and with their items looked up.
 * @throws ApiError ValidationException, ResourceNotFoundException
 */
export function readyActions(state: DatabaseState, input: TransactWriteItemsInput): readonly ReadyAction[] {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  const { TransactItems, ClientRequestToken: token } = input;
  checkActionCount(TransactItems);
  if (token !== undefined && (token.length < 1 || token.length > 36))
    throw validationError('ClientRequestToken must have a length of 1 to 36');
  const actions = TransactItems.map((action) => readyAction(state, action));
  if (new Set(actions.map(({ lockKey }) => lockKey)).size < actions.length)
    throw validationError('Transaction request cannot include multiple operations on one item');
  return actions;
}

function failedConditions(
  state: DatabaseState,
  plans: readonly PlannedAction[],
  atUs: number,
): Outcome | undefined {
  const bytes = plans.reduce((sum, { write }) => sum + (write?.afterBytes ?? 0), 0);
  if (bytes > MAX_TRANSACTION_BYTES)
    throw validationError('Aggregated size of all items of the transaction exceeds 4 MB');
  if (plans.every(({ failure }) => failure === undefined)) return undefined;
  const cancellationReasons = reasonsInOrder(plans.map(({ failure }) => failure));
  const isCondition = cancellationReasons.some(({ Code }) => Code === 'ConditionalCheckFailed');
  if (!isCondition)
    return {
      kind: 'failed',
      code: TRANSACTION_CANCELED,
      message: cancellationMessage(cancellationReasons),
      httpStatus: 400,
      cancellationReasons,
    };
  // What was prepared is charged; no index was touched yet. AWS does not publish this (facts 11, number 3: believed so).
  const { admission } = state;
  admission.begin();
  for (const plan of plans)
    admission.need(plan.found.table.throughput, tableKeyState(plan.found), preparedUnits(plan));
  if (!admission.isAdmitted('Write', atUs)) return cancelThrottled(state, plans, atUs, demandPrepared);
  admission.spendWrites(atUs);
  const estimated = mergeConsumed(
    plans.map((plan) => ({
      tableName: plan.found.table.spec.tableName,
      table: { readUnits: 0, writeUnits: preparedUnits(plan) },
    })),
  );
  return { kind: 'conditionFailed', estimated, cancellationReasons };
}

function refused(state: DatabaseState, plans: readonly PlannedAction[], atUs: number): Outcome | undefined {
  state.admission.begin();
  for (const plan of plans) demand(state.admission, plan);
  if (state.admission.isAdmitted('Write', atUs)) return undefined;
  return cancelThrottled(state, plans, atUs, demand);
}

function cancelThrottled(
  { admission }: DatabaseState,
  plans: readonly PlannedAction[],
  atUs: number,
  demandOf: (admission: Admission, plan: PlannedAction) => void,
): Outcome {
  const refusal = admission.refuse('Write', atUs, TRANSACTION_CANCELED);
  const cancellationReasons: readonly CancellationReason[] = throttledCodes(plans, (plan) => {
    demandOf(admission.begin(), plan);
    return admission.isAdmitted('Write', atUs) ? undefined : plan.found.table.spec.billing.mode;
  });
  return { ...refusal, cancellationReasons };
}

/** Transactional units on the table: two for each unit of a plain write; a check pays for the item it reads. */
function preparedUnits({ found, write }: PlannedAction): number {
  return 2 * (write?.tableUnits ?? tableWriteUnits(found.before?.sizeBytes, undefined));
}

function demandPrepared(admission: Admission, plan: PlannedAction): void {
  admission.need(plan.found.table.throughput, tableKeyState(plan.found), preparedUnits(plan));
}

function demand(admission: Admission, plan: PlannedAction): void {
  if (plan.write === undefined) demandPrepared(admission, plan);
  else demandWrite(admission, plan.write, 2);
}

function consumedBy(plan: PlannedAction): readonly ConsumedCapacity[] {
  return plan.write === undefined
    ? plan.found.table.plainWrite(preparedUnits(plan))
    : consumedByWrite(plan.write, 2);
}

function apply({ found, write, isPut }: PlannedAction): void {
  if (write === undefined) return;
  if (isPut && found.before !== undefined) found.table.replacedPuts++;
  applyWrite(write);
}

/** The same transaction once more within ten minutes: nothing changes, and it is charged as transactional reads. */
function replayed(
  { admission }: DatabaseState,
  actions: readonly ReadyAction[],
  units: readonly number[],
  atUs: number,
): Outcome {
  admission.begin();
  const consumed: ConsumedCapacity[] = [];
  actions.forEach((action, index) => {
    const found = lookAgain(action);
    const actionUnits = { readUnits: units[index] ?? 0, writeUnits: 0 };
    admission.need(found.table.throughput, tableKeyState(found), actionUnits.readUnits);
    consumed.push({ tableName: found.table.spec.tableName, table: addUnits(noUnits, actionUnits) });
  });
  if (!admission.isAdmitted('Read', atUs)) return admission.refuse('Read', atUs, TRANSACTION_CANCELED);
  admission.spendReads(atUs, false);
  return { kind: 'ok', consumed: mergeConsumed(consumed), output: {} };
}
