// Shards of one key recognised as such: `STATUS#PENDING#0` … `STATUS#PENDING#4` are one key to the reader,
// and its demand is their sum.
import { MOST_SHARDS } from './shards-needed.ts';
import type { ResourceResult } from './run-result.ts';

type KeyRow = ResourceResult['keys'][number];

/** A key as the scenario thinks of it. */
export interface LogicalKey {
  readonly name: string;
  /** 1: the key is not sharded. */
  readonly shardCount: number;
  /** Of all demand on the resource, its shards together, 0–1. */
  readonly shareRatio: number;
}

/**
 * Shards are about equally hot; a key with less than this share of the hottest one's demand is another key
 * that looks alike.
 */
const ALIKE_RATIO = 0.25;

/**
 * The logical key that the hottest key belongs to. Where all keys listed are its shards and there are more
 * than the list holds, the others are taken to be alike.
 */
export function logicalKeyOf(
  { keys, distinctKeys }: Pick<ResourceResult, 'keys' | 'distinctKeys'>,
  side: 'read' | 'write',
): LogicalKey | null {
  const share = (row: KeyRow): number => (side === 'read' ? row.readShare : row.writeShare);
  const hottest = keys.toSorted((a, b) => share(b) - share(a))[0];
  if (hottest === undefined) return null;
  const stem = stemOf(hottest.key);
  const lone = { name: hottest.key, shardCount: 1, shareRatio: share(hottest) };
  const siblings = keys.filter(
    (row) => stem !== null && stemOf(row.key) === stem && share(row) >= ALIKE_RATIO * share(hottest),
  );
  if (stem === null || siblings.length < 2) return lone;
  const listedRatio = siblings.reduce((sum, row) => sum + share(row), 0);
  const isCut = siblings.length === keys.length && distinctKeys > keys.length;
  if (!isCut || listedRatio === 0) {
    return { name: stem, shardCount: siblings.length, shareRatio: listedRatio };
  }
  const meanRatio = listedRatio / siblings.length;
  const shardCount = Math.min(distinctKeys, Math.round(1 / meanRatio));
  // So many alike are the ordinary keys of a table, such as USER#1 … USER#100000.
  if (shardCount > MOST_SHARDS) return lone;
  return { name: stem, shardCount, shareRatio: Math.min(1, shardCount * meanRatio) };
}

/** The key without a trailing number set off by a separator; null where there is none. */
function stemOf(key: string): string | null {
  return /^(.+)[#._:/|-]\d+$/.exec(key)?.[1] ?? null;
}
