// TransactWriteItems: up to 100 writes and checks, all or none. Conditions are looked at first, then
// throughput; a transaction that fails changes nothing. The items it holds meanwhile are in item-locks.ts.
import { type CancellationReason, validationError } from '../../dynamodb/api-error.ts';
import {
  type ConsumedCapacity,
  mergeConsumed,
  readUnits,
  tableWriteUnits,
} from '../../dynamodb/consumed-capacity.ts';
import { MAX_TRANSACTION_BYTES } from '../../dynamodb/limits.ts';
import type { TransactWriteItemsInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { type AccessListener, tellItem, tellWrite } from '../access-listener.ts';
import type { Admission } from '../admission.ts';
import { COLLECTION_TOO_LARGE, metricsByTable, tooLarge } from '../collection-sizes.ts';
import type { DatabaseState } from '../database-state.ts';
import {
  applyPlannedTogether,
  consumedByWrite,
  demandWrite,
  type FoundEntry,
  findEntry,
  tableKeyState,
  type WritePlan,
} from '../write-plan.ts';
import { cancelledByMistakes, reasonsInOrder, throttledCodes, TRANSACTION_CANCELED } from './cancellation.ts';
import { checkReturnCollections, checkReturnConsumedCapacity } from './request-checks.ts';
import {
  type FailedAction,
  type PlannedAction,
  planAction,
  type ReadyAction,
  readyAction,
} from './transact-action.ts';
import { checkActionCount } from './transact-get-items.ts';

export function transactWriteItems(
  state: DatabaseState,
  input: TransactWriteItemsInput,
  atUs: number,
): Outcome {
  const actions = readyActions(state, input);
  const { ClientRequestToken: token, TransactItems } = input;
  const replay = token === undefined ? undefined : state.replays.find(token, TransactItems, atUs);
  if (replay !== undefined) return replayed(state, actions, replay.readUnits, atUs);
  const results = actions.map(planAction);
  const plans = results.filter((result) => 'write' in result);
  if (plans.length < results.length) return failed(state, results, atUs);
  checkTotalSize(plans);
  const overfull = tooLarge(plans.flatMap(({ write }) => write ?? []));
  if (overfull.length > 0) return cancelledByMistakes(plans.map((plan) => collectionReason(plan, overfull)));
  const { admission, listener } = state;
  const refusal = refused(admission, plans, demand, atUs);
  if (listener) for (const plan of plans) tellPlan(listener, plan, refusal === undefined, atUs);
  if (refusal !== undefined) return refusal;
  admission.spendWrites(atUs);
  if (token !== undefined) state.replays.keep(token, TransactItems, plans.map(replayUnits), atUs);
  const consumed = mergeConsumed(plans.flatMap(consumedBy));
  for (const plan of plans) apply(plan);
  const metrics =
    input.ReturnItemCollectionMetrics === 'SIZE'
      ? metricsByTable(plans.flatMap(({ write }) => write ?? []))
      : undefined;
  return { kind: 'ok', consumed, output: metrics === undefined ? {} : { ItemCollectionMetrics: metrics } };
}

/**
 * The actions of a request, checked as far as the request alone allows.
 * @throws ApiError ValidationException, ResourceNotFoundException
 */
function readyActions(state: DatabaseState, input: TransactWriteItemsInput): readonly ReadyAction[] {
  checkReturnConsumedCapacity(input.ReturnConsumedCapacity);
  checkReturnCollections(input.ReturnItemCollectionMetrics);
  const { TransactItems, ClientRequestToken: token } = input;
  checkActionCount(TransactItems);
  if (token !== undefined && (token.length < 1 || token.length > MAX_TOKEN_LENGTH))
    throw validationError(`ClientRequestToken must have a length of 1 to ${MAX_TOKEN_LENGTH}`);
  const actions = TransactItems.map((action) => readyAction(state, action));
  const lockKeys = actions.flatMap(({ aim }) => aim.lockKey ?? []);
  if (new Set(lockKeys).size < lockKeys.length)
    throw validationError('Transaction request cannot include multiple operations on one item');
  return actions;
}

/**
 * @see "TransactWriteItems",
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, read 2026-11-30
 */
const MAX_TOKEN_LENGTH = 36;

function checkTotalSize(plans: readonly PlannedAction[]): void {
  if (plans.reduce((sum, { write }) => sum + (write?.afterBytes ?? 0), 0) > MAX_TRANSACTION_BYTES)
    throw validationError('Aggregated size of all items of the transaction exceeds 4 MB');
}

/**
 * A transaction of which actions failed. Mistakes cost nothing; failed conditions cost what was prepared, and
 * no index was touched yet.
 * That cancelled transactions consume units is our belief: AWS does not publish it.
 */
function failed(
  { admission, listener }: DatabaseState,
  results: readonly (PlannedAction | FailedAction)[],
  atUs: number,
): Outcome {
  const cancellationReasons = reasonsInOrder(
    results.map((result) => ('failure' in result ? result.failure : undefined)),
  );
  if (cancellationReasons.some(({ Code }) => Code === 'ValidationError'))
    return cancelledByMistakes(cancellationReasons);
  const prepared = results.flatMap((result) =>
    result.found === undefined ? [] : [{ found: result.found, units: preparedUnits(result) }],
  );
  const refusal = refused(admission, prepared, demandPrepared, atUs);
  if (listener)
    for (const { found, units } of prepared)
      tellItem(listener, found, { operation: 'Write', units, isAdmitted: refusal === undefined, atUs });
  if (refusal !== undefined) return refusal;
  admission.spendWrites(atUs);
  const estimated = mergeConsumed(prepared.flatMap(({ found, units }) => found.table.plainWrite(units)));
  return { kind: 'conditionFailed', estimated, cancellationReasons };
}

function collectionReason({ write }: PlannedAction, overfull: readonly WritePlan[]): CancellationReason {
  if (write === undefined || !overfull.includes(write)) return { Code: 'None' };
  return { Code: COLLECTION_TOO_LARGE.code, Message: COLLECTION_TOO_LARGE.message };
}

/** Asks for everything at once; a refusal names the actions that would have been refused alone. */
function refused<A extends { readonly found: FoundEntry }>(
  admission: Admission,
  actions: readonly A[],
  demandOf: (admission: Admission, action: A) => void,
  atUs: number,
): Outcome | undefined {
  admission.begin();
  for (const action of actions) demandOf(admission, action);
  if (admission.isAdmitted('Write', atUs)) return undefined;
  const refusal = admission.refuse('Write', atUs, TRANSACTION_CANCELED);
  const cancellationReasons = throttledCodes(actions, (action) => {
    demandOf(admission.begin(), action);
    return admission.isAdmitted('Write', atUs) ? undefined : action.found.table.spec.billing.mode;
  });
  return { ...refusal, cancellationReasons };
}

function tellPlan(listener: AccessListener, plan: PlannedAction, isAdmitted: boolean, atUs: number): void {
  if (plan.write !== undefined) tellWrite(listener, plan.write, { isAdmitted, tableFactor: 2, atUs });
  else tellItem(listener, plan.found, { operation: 'Write', units: preparedUnits(plan), isAdmitted, atUs });
}

function demand(admission: Admission, plan: PlannedAction): void {
  if (plan.write === undefined) demandPrepared(admission, { found: plan.found, units: preparedUnits(plan) });
  else demandWrite(admission, plan.write, 2);
}

interface Prepared {
  readonly found: FoundEntry;
  readonly units: number;
}

function demandPrepared(admission: Admission, { found, units }: Prepared): void {
  admission.need(found.table.throughput, tableKeyState(found), units);
}

/**
 * Transactional units on the table: two for each unit of a plain write; a check pays for the item it reads.
 */
function preparedUnits(action: PlannedAction | FailedAction): number {
  const write = 'write' in action ? action.write : undefined;
  return 2 * (write?.tableUnits ?? tableWriteUnits(action.found?.before?.sizeBytes, undefined));
}

/** What a repetition of the transaction will cost for one action. */
function replayUnits({ found, write }: PlannedAction): number {
  return readUnits(Math.max(found.before?.sizeBytes ?? 0, write?.afterBytes ?? 0), 'transactional');
}

function consumedBy(plan: PlannedAction): readonly ConsumedCapacity[] {
  return plan.write === undefined
    ? plan.found.table.plainWrite(preparedUnits(plan))
    : consumedByWrite(plan.write, 2);
}

function apply({ found, write, isPut }: PlannedAction): void {
  if (write === undefined) return;
  if (isPut && found.before !== undefined) found.table.replacedPuts++;
  applyPlannedTogether(write);
}

/**
 * The same transaction once more within ten minutes: nothing changes, and it is charged as transactional
 * reads.
 */
function replayed(
  { admission, listener }: DatabaseState,
  actions: readonly ReadyAction[],
  units: readonly number[],
  atUs: number,
): Outcome {
  admission.begin();
  const consumed: ConsumedCapacity[] = [];
  const reads: Prepared[] = [];
  actions.forEach(({ aim }, index) => {
    if ('mistake' in aim) return;
    const found = findEntry(aim.table, aim.probe);
    const table = { readUnits: units[index] ?? 0, writeUnits: 0 };
    admission.need(found.table.throughput, tableKeyState(found), table.readUnits);
    reads.push({ found, units: table.readUnits });
    consumed.push({ tableName: found.table.spec.tableName, table });
  });
  const isAdmitted = admission.isAdmitted('Read', atUs);
  if (listener)
    for (const read of reads)
      tellItem(listener, read.found, { operation: 'Read', units: read.units, isAdmitted, atUs });
  if (!isAdmitted) return admission.refuse('Read', atUs, TRANSACTION_CANCELED);
  admission.spendReads(atUs, false);
  return { kind: 'ok', consumed: mergeConsumed(consumed), output: {} };
}
