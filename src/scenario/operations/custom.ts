// The user's own data layer as an operation: their client, their library, through the AWS SDK.
// Only types of the SDK are named here; clients are made by whoever runs the workload.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context } from '../../workload/item.ts';
import type { Load, Policy } from '../load.ts';
import { defineWorkload, type Workload } from '../workload.ts';

/** What `setup` gets: clients that point at the target and count what they send. */
export interface Sdk {
  readonly client: DynamoDBClient;
  readonly documentClient: DynamoDBDocumentClient;
  readonly endpoint: { readonly url?: string; readonly region: string };
  /** The name on the target of a table of the scenario. */
  tableName(logical?: string): string;
  /** Makes a client of their own count what it sends. */
  instrument<C>(theirClient: C): C;
}

/** `setup` runs once for each worker, `run` once for each operation. Needs a target on the wall clock. */
export interface CustomSpec<L> {
  setup(sdk: Sdk): L | Promise<L>;
  run(layer: L, context: Context & { readonly signal: AbortSignal }): Promise<unknown>;
}

/** A workload of the user's own code. */
export function custom<L>(spec: CustomSpec<L> & Load & Policy): Workload {
  return defineWorkload('custom', spec);
}
