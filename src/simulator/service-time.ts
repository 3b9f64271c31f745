// How long the simulated service takes to answer: modelled distributions, labelled as such wherever they are
// shown. AWS publishes "single-digit milliseconds" and no distribution; the shapes below are plausible, not
// measured. Nothing here depends on load. Times come from integer tables by a uniform draw, never from
// Math.log or Math.exp, whose last digits differ between platforms.
import type { DataApi } from '../dynamodb/operation.ts';

/** What a request's time depends on besides chance. */
export interface ServiceWork {
  /** A strongly consistent read goes to the leader, which is a little further away on average. */
  readonly isStrong?: boolean;
  /** Items returned, written or evaluated. */
  readonly itemCount?: number;
  /** Statements of PartiQL that write. */
  readonly isWrite?: boolean;
  /** Bytes evaluated by a Query or Scan page. */
  readonly pageBytes?: number;
}

/**
 * Shares of requests at which the tables below give a time: median, 90 %, 99 %, 99.9 %, 99.99 % and the two
 * ends.
 */
const RANKS = [0, 0.5, 0.9, 0.99, 0.999, 0.999_9, 1] as const;

/** µs at each rank. */
type Quantiles = readonly [number, number, number, number, number, number, number];

const eventualRead: Quantiles = [900, 1_900, 3_200, 6_500, 14_000, 30_000, 60_000];
const strongRead: Quantiles = [1_200, 2_600, 4_300, 8_000, 17_000, 36_000, 70_000];
const write: Quantiles = [1_800, 3_600, 5_600, 10_000, 21_000, 45_000, 90_000];
const page: Quantiles = [1_300, 2_700, 4_500, 9_000, 19_000, 40_000, 80_000];
const batch: Quantiles = [2_300, 4_600, 7_400, 14_000, 28_000, 60_000, 110_000];
const transactedRead: Quantiles = [2_600, 5_200, 8_400, 15_000, 30_000, 62_000, 120_000];
/** Two rounds, prepare and commit. */
const transactedWrite: Quantiles = [5_200, 10_000, 16_000, 29_000, 55_000, 110_000, 200_000];

const quantiles: Readonly<Record<DataApi, Quantiles>> = {
  PutItem: write,
  GetItem: eventualRead,
  UpdateItem: write,
  DeleteItem: write,
  Query: page,
  Scan: page,
  BatchGetItem: batch,
  BatchWriteItem: batch,
  TransactGetItems: transactedRead,
  TransactWriteItems: transactedWrite,
  // Of reads; those of writes stand below.
  ExecuteStatement: page,
  BatchExecuteStatement: batch,
  ExecuteTransaction: transactedRead,
};

/** Added for each further item of a batch or transaction, and for each 4 KB that a page evaluates. */
const US_PER_ITEM = 40;
const US_PER_BLOCK = 60;
const BLOCK_BYTES = 4_096;

/**
 * A modelled service time.
 *
 * @param uniform  a draw in [0, 1) that decides where in the distribution the request lies
 * @returns whole µs; the same for the same arguments on every platform
 */
export function serviceTimeUs(api: DataApi, uniform: number, work: ServiceWork = {}): number {
  const table = quantilesOf(api, work);
  const { itemCount = 1, pageBytes = 0 } = work;
  const extraItems = api === 'Query' || api === 'Scan' ? 0 : Math.max(0, itemCount - 1);
  return timeAt(table, uniform) + extraItems * US_PER_ITEM + pageDataUs(pageBytes);
}

function quantilesOf(api: DataApi, { isStrong, isWrite }: ServiceWork): Quantiles {
  if (api === 'GetItem' && isStrong === true) return strongRead;
  if (isWrite !== true) return quantiles[api];
  return api === 'ExecuteTransaction' ? transactedWrite : api === 'ExecuteStatement' ? write : quantiles[api];
}

/** Time that the data evaluated by a Query or Scan page adds to its answer, whole µs. */
export function pageDataUs(pageBytes: number): number {
  return Math.floor(pageBytes / BLOCK_BYTES) * US_PER_BLOCK;
}

/** Linear between the ranks: only sums, products and one division, which every platform rounds alike. */
function timeAt(table: Quantiles, uniform: number): number {
  let rank = 1;
  while (rank < RANKS.length - 1 && uniform >= (RANKS[rank] as number)) rank++;
  const low = RANKS[rank - 1] as number;
  const high = RANKS[rank] as number;
  const lowUs = table[rank - 1] as number;
  const highUs = table[rank] as number;
  return lowUs + Math.floor(((uniform - low) / (high - low)) * (highUs - lowUs));
}
