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
 * Suffixes of shards are numbers in a row. With a calculated suffix some may see no demand; more gaps are
 * none.
 */
const MOST_SUFFIXES_PER_SHARD = 1.5;

/**
 * Of all keys of the resource, where not all shards are listed: else the listed ones may be any of many
 * alike.
 */
const LEAST_SHARDS_OF_KEYS = 0.5;

/**
 * The logical key that the hottest key belongs to. Keys are taken for shards where they differ in a trailing
 * number only, the numbers stand in a row, and all that are listed with that base share the demand about
 * evenly: customers `CUST#7`, `CUST#315` and `CUST#1851` are no shards of `CUST`. Where all keys listed are
 * shards and there are more than the list holds, the others are taken to be alike.
 */
export function logicalKeyOf(
  { keys, distinctKeys }: Pick<ResourceResult, 'keys' | 'distinctKeys'>,
  side: 'read' | 'write',
): LogicalKey | null {
  const share = (row: KeyRow): number => (side === 'read' ? row.readShare : row.writeShare);
  const hot = keys.filter((row) => share(row) > 0).toSorted((a, b) => share(b) - share(a));
  const hottest = hot[0] ?? keys[0];
  if (hottest === undefined) return null;
  const lone = { name: hottest.key, shardCount: 1, shareRatio: share(hottest) };
  const family = familyOf(hottest.key, hot);
  if (family === null || family.rows.some((row) => share(row) < ALIKE_RATIO * share(hottest))) return lone;
  const listedRatio = family.rows.reduce((sum, row) => sum + share(row), 0);
  const listedCount = family.rows.length;
  const isCut = listedCount === keys.length && distinctKeys > listedCount;
  const shardCount = isCut ? Math.min(distinctKeys, Math.round(listedCount / listedRatio)) : listedCount;
  if (family.suffixSpan > MOST_SUFFIXES_PER_SHARD * shardCount) return lone;
  if (!isCut) return { name: family.base, shardCount, shareRatio: listedRatio };
  // So many alike are the ordinary keys of a table, such as USER#1 … USER#100000.
  if (shardCount > MOST_SHARDS || shardCount < LEAST_SHARDS_OF_KEYS * distinctKeys) return lone;
  return { name: family.base, shardCount, shareRatio: Math.min(1, (shardCount * listedRatio) / listedCount) };
}

/** Keys that differ from the hottest one in a trailing number only. */
interface KeyFamily {
  readonly base: string;
  readonly rows: readonly KeyRow[];
  /** From the lowest to the highest suffix, both included. */
  readonly suffixSpan: number;
}

function familyOf(key: string, rows: readonly KeyRow[]): KeyFamily | null {
  const parts = splitSuffix(key);
  if (parts === null) return null;
  const members = rows.filter((row) => {
    const other = splitSuffix(row.key);
    return other !== null && other.base === parts.base && other.separator === parts.separator;
  });
  if (members.length < 2) return null;
  const suffixes = members.map((row) => splitSuffix(row.key)?.suffix ?? 0);
  return { base: parts.base, rows: members, suffixSpan: Math.max(...suffixes) - Math.min(...suffixes) + 1 };
}

/** A date ends in a number too, and days are no shards. */
const endsInDate = /\d{4}-\d{2}-\d{2}$/;

function splitSuffix(
  key: string,
): { readonly base: string; readonly separator: string; readonly suffix: number } | null {
  const match = endsInDate.test(key) ? null : /^(.+)([#._:/|-])(\d+)$/.exec(key);
  if (match === null) return null;
  const [, base = '', separator = '', digits = ''] = match;
  return { base, separator, suffix: Number(digits) };
}
