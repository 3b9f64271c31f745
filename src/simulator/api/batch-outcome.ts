// How a batch ends: an answer, an answer with unprocessed members, or an exception when every member was
// throttled.
import type { ApiOutput } from '../../dynamodb/api-output.ts';
import type { ConsumedCapacity } from '../../dynamodb/consumed-capacity.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import type { Throttled } from '../admission.ts';

export interface BatchResult {
  readonly sentItems: number;
  readonly unprocessedItems: number;
  /** Why the first throttled member was refused. */
  readonly refusal: Throttled | undefined;
  readonly consumed: readonly ConsumedCapacity[];
  readonly output: ApiOutput;
}

/**
 * An empty map by table name. It inherits nothing: a table may be called `constructor` or `__proto__`.
 */
export function byTable<V>(): { [tableName: string]: V } {
  return Object.create(null) as { [tableName: string]: V };
}

/** The outcome of a batch of which some members may have come back. */
export function batchOutcome(result: BatchResult): Outcome {
  const { sentItems, unprocessedItems, refusal, consumed, output } = result;
  if (unprocessedItems === 0) return { kind: 'ok', consumed, output };
  if (unprocessedItems === sentItems && refusal !== undefined) return refusal;
  return { kind: 'partial', sentItems, unprocessedItems, consumed, output };
}
