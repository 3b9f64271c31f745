// Puts a scenario's items in place before load: batches of 25 over the lean client, a few at a time, until
// every item is stored.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { MAX_BATCH_WRITE_ITEMS } from '../dynamodb/limits.ts';
import type { Request, WriteRequest } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { Target } from '../engine/target.ts';
import { DynoLoadError } from '../errors.ts';

export interface PreloadTask {
  readonly target: Target;
  readonly tableName: string;
  readonly count: number;
  /** The item with this index, 0 … count − 1. */
  itemAt(index: number): AttributeMap;
  /** Told how many items are stored, after each batch. */
  readonly onProgress?: (done: number) => void;
  /** Batches under way at once. Default 16. */
  readonly parallel?: number;
  /** Ends the preload early, without an error. */
  readonly signal?: AbortSignal;
  readonly pause?: (delayMs: number) => Promise<void>;
}

const PARALLEL = 16;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
// Twelve tries with nothing stored are about 45 s: longer than throttling of a new table lasts, shorter than
// patience.
const FRUITLESS_TRIES = 12;

/**
 * Stores all items. Throttled and unprocessed ones are sent again, later and later; any other refusal stops
 * everything.
 * @throws DynoLoadError PRELOAD_FAILED with the first refusal
 */
export async function preload(task: PreloadTask): Promise<void> {
  let next = 0;
  let done = 0;
  let failure: unknown;
  const work = async (): Promise<void> => {
    while (next < task.count && failure === undefined && task.signal?.aborted !== true) {
      const first = next;
      next = Math.min(task.count, first + MAX_BATCH_WRITE_ITEMS);
      const size = next - first;
      await storeBatch(task, first, size);
      done += size;
      task.onProgress?.(done);
    }
  };
  const workers = Array.from({ length: task.parallel ?? PARALLEL }, () =>
    work().catch((error: unknown) => {
      failure ??= error;
    }),
  );
  await Promise.all(workers);
  if (failure !== undefined) throw failure;
}

async function storeBatch(task: PreloadTask, first: number, size: number): Promise<void> {
  const writes = Array.from({ length: size }, (_, offset) => task.itemAt(first + offset)).map(
    (Item): WriteRequest => ({ PutRequest: { Item } }),
  );
  let left: readonly WriteRequest[] = writes;
  let tries = 0;
  let pauseMs = FIRST_PAUSE_MS;
  while (left.length > 0 && task.signal?.aborted !== true) {
    const outcome = await sendOne(task, {
      api: 'BatchWriteItem',
      input: { RequestItems: { [task.tableName]: left } },
    });
    if (outcome.kind === 'ok') return;
    if (isDuplicate(outcome)) return storeOneByOne(task, left, first);
    const still = stillLeft(outcome, task.tableName, left);
    if (still === undefined || (still.length === left.length && ++tries > FRUITLESS_TRIES))
      throw preloadError(task, first, outcome);
    if (still.length < left.length) {
      tries = 0;
      pauseMs = FIRST_PAUSE_MS;
    }
    left = still;
    await pause(task, pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** A batch may not hold one key twice, a preload may: the later item replaces the earlier, so order is kept. */
async function storeOneByOne(
  task: PreloadTask,
  writes: readonly WriteRequest[],
  first: number,
): Promise<void> {
  for (const { PutRequest } of writes) {
    let pauseMs = FIRST_PAUSE_MS;
    for (let tries = 1; task.signal?.aborted !== true; tries++) {
      const input = { TableName: task.tableName, Item: PutRequest?.Item ?? {} };
      const outcome = await sendOne(task, { api: 'PutItem', input });
      if (outcome.kind === 'ok') break;
      if (!isTransient(outcome) || tries > FRUITLESS_TRIES) throw preloadError(task, first, outcome);
      await pause(task, pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }
}

/** What must be sent again; undefined where that would not help. */
function stillLeft(
  outcome: Outcome,
  tableName: string,
  sent: readonly WriteRequest[],
): readonly WriteRequest[] | undefined {
  if (outcome.kind === 'partial') return outcome.output.UnprocessedItems?.[tableName] ?? [];
  return isTransient(outcome) ? sent : undefined;
}

function isTransient(outcome: Outcome): boolean {
  if (outcome.kind === 'throttled') return true;
  if (outcome.kind !== 'failed') return false;
  if (outcome.httpStatus !== undefined) return outcome.httpStatus >= 500;
  return /^(ECONNRESET|EPIPE|ETIMEDOUT|ATTEMPT_TIMED_OUT|CONNECTION_CLOSED|EAI_AGAIN)$/.test(outcome.code);
}

function isDuplicate(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && /duplicates?/i.test(outcome.message);
}

function sendOne(task: PreloadTask, request: Request): Promise<Outcome> {
  return new Promise((resolve) => {
    task.target.send({ request, workloadIndex: 0, sequence: 0, part: 0 }, 0, resolve);
  });
}

function pause(task: PreloadTask, delayMs: number): Promise<void> {
  return task.pause?.(delayMs) ?? new Promise((resolve) => setTimeout(resolve, delayMs));
}

function preloadError(task: PreloadTask, first: number, outcome: Outcome): DynoLoadError {
  const said = outcome.kind === 'failed' ? `${outcome.code}, ${outcome.message}` : outcome.kind;
  const isThrottle = outcome.kind === 'throttled' || outcome.kind === 'partial';
  return new DynoLoadError('PRELOAD_FAILED', {
    what: `items ${first} and following of ${task.count} could not be stored in table "${task.tableName}": ${said}`,
    why: isThrottle
      ? 'the table kept throttling, although fewer and fewer items were sent'
      : 'the server refused a batch of preloaded items, and sending it again would not help',
    fix: isThrottle
      ? 'preload fewer items, spread their keys, or give the table more write capacity'
      : 'correct what the message names in the data of the scenario',
  });
}
