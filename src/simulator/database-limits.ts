// Figures of the simulated database that are AWS's guess or ours, apart from throughput: what tests make small
// to reach a limit.
import { MAX_ITEM_COLLECTION_BYTES } from '../dynamodb/limits.ts';

export interface DatabaseLimits {
  /** Largest item collection of a table with local indexes, bytes. */
  readonly itemCollectionBytes: number;
  /**
   * Seconds from the moment when an item expires to its deletion. AWS promises no more than "within a few
   * days"; ten minutes are a guess for a small table.
   * @see "Using time to live (TTL) in DynamoDB",
   *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html, read 2026-11-30
   */
  readonly expiryDelaySeconds: number;
}

/** As DynamoDB has them, where it says. */
export const defaultLimits: DatabaseLimits = {
  itemCollectionBytes: MAX_ITEM_COLLECTION_BYTES,
  expiryDelaySeconds: 600,
};
