// Keys in parts, each with a weight that its keys share evenly. A part of which only some keys exist has its
// weight in proportion; where all that exists weighs nothing, keys are alike.
import type { WeightedPart } from './distribution.ts';

/** A part that has keys and weight. */
interface LaidPart {
  readonly firstKey: number;
  readonly keys: number;
  /** Weight of all parts up to the start and to the end of this one. */
  readonly from: number;
  readonly upTo: number;
}

/** The parts of a distribution, laid over a count of keys. */
interface Layout {
  readonly count: number;
  readonly parts: readonly LaidPart[];
  readonly total: number;
}

/** By the list of parts, so that a preload of fixed size is laid out once. */
const layouts = new WeakMap<readonly WeightedPart[], Layout>();

/** The index of a key, 0 … count − 1. */
export function pickWeighted(parts: readonly WeightedPart[], count: number, draw: number): number {
  const layout = layoutOf(parts, count);
  const wanted = draw * layout.total;
  const part = partAt(layout.parts, wanted);
  if (part === undefined) return Math.floor(draw * count);
  const { firstKey, keys, from, upTo } = part;
  return firstKey + Math.min(keys - 1, Math.floor(((wanted - from) / (upTo - from)) * keys));
}

/** The first part that ends beyond a weight, or the last one. */
function partAt(parts: readonly LaidPart[], weight: number): LaidPart | undefined {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((parts[middle] as LaidPart).upTo > weight) high = middle;
    else low = middle + 1;
  }
  return parts[low];
}

/** The share of the hottest key. */
export function hottestWeighted(parts: readonly WeightedPart[], count: number): number {
  const layout = layoutOf(parts, count);
  const shares = layout.parts.map(({ keys, from, upTo }) => (upTo - from) / keys / layout.total);
  return shares.length === 0 ? 1 / count : shares.reduce((most, share) => Math.max(most, share));
}

function layoutOf(parts: readonly WeightedPart[], count: number): Layout {
  const known = layouts.get(parts);
  if (known?.count === count) return known;
  const layout = layOut(parts, count);
  layouts.set(parts, layout);
  return layout;
}

function layOut(parts: readonly WeightedPart[], count: number): Layout {
  const laid: LaidPart[] = [];
  let firstKey = 0;
  let total = 0;
  for (const { weight, count: named = 1 } of parts) {
    const wanted = named === 'rest' ? count - firstKey : named;
    const keys = Math.min(wanted, count - firstKey);
    const upTo = keys === 0 ? total : total + (weight * keys) / wanted;
    if (upTo > total) laid.push({ firstKey, keys, from: total, upTo });
    firstKey += keys;
    total = upTo;
  }
  return { count, parts: laid, total };
}
