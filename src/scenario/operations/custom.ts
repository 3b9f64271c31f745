// The user's own data layer as an operation: their client, their library, through the AWS SDK.
// Only types of the SDK are named here; clients are made by whoever runs the workload.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import { defineWorkload, type Workload } from '../workload.ts';

/**
 * What `setup` gets: clients that point at the target and count what they send. They do not retry, unless the
 * workload says `retry: 'sdk'`.
 */
export interface Sdk {
  readonly client: DynamoDBClient;
  readonly documentClient: DynamoDBDocumentClient;
  readonly endpoint: { readonly url?: string; readonly region: string };
  /** The name on the target of a table of the scenario. */
  tableName(logical?: string): string;
  /**
   * Makes a client of their own count what it sends, and returns it; once for each client is enough. Takes clients
   * and document clients of the AWS SDK v3; the client's own retries stay, each attempt is counted.
   */
  instrument<C>(theirClient: C): C;
}

/** `setup` runs once for each variant and worker, `run` once for each operation. Needs a target on the wall clock. */
export interface CustomSpec<L> {
  setup(sdk: Sdk): L | Promise<L>;
  /**
   * An operation lasts until the promise is settled. Its outcome is the worst of the requests that were sent by then,
   * each with the last of its attempts; where none failed and it throws, `failed` with the code ScenarioThrew.
   * `signal` is aborted at the workload's timeout and when the run is interrupted.
   */
  run(layer: L, context: Context & { readonly signal: AbortSignal }): Promise<unknown>;
}

/** A workload of the user's own code. */
export function custom<L>(spec: CustomSpec<L> & Load & Policy): Workload {
  return defineWorkload('custom', spec);
}
