// What becomes of a hot partition when it has been given time: it is split between keys, again and again,
// until each part is cool enough or holds a single key. Cuts inside a key's own items are left out: they need
// a sort key without a trend and no local index, so that a single key above the ceiling still throttles.
import { meanUnits, type PlacedDemand, type PlacedKey } from './placed-demand.ts';

/** A key with its place in the hash range, 0–1. */
export interface LocatedKey {
  readonly key: PlacedKey;
  readonly place: number;
}

/** A part of the hash range with its keys in order of place. */
export interface Span {
  readonly from: number;
  readonly until: number;
  readonly keys: readonly LocatedKey[];
}

/**
 * The spans that a span has become after all splits.
 * @param thresholdUnits  mean units per second above which a partition is split
 */
export function settle(span: Span, demand: PlacedDemand, thresholdUnits: number): Span[] {
  const halves = useOf(span, demand) > thresholdUnits ? split(span) : [span];
  if (halves.length < 2) return halves;
  return halves.flatMap((half) => settle(half, demand, thresholdUnits));
}

/** Mean units per second on a span. */
function useOf(span: Span, demand: PlacedDemand): number {
  return meanUnits(demand, { keys: span.keys.map(({ key }) => key), tailRatio: span.until - span.from });
}

/** Cuts a span at the border between keys that is nearest to half the keys' demand, or around its one key. */
function split(span: Span): Span[] {
  const { from, until, keys } = span;
  if (keys.length > 1) return cutBetween(span, borderNearHalf(keys));
  const only = keys[0];
  if (only === undefined) {
    const middle = (from + until) / 2;
    return [
      { from, until: middle, keys },
      { from: middle, until, keys },
    ];
  }
  if (from === until) return [span];
  const alone: Span = { from: only.place, until: only.place, keys };
  return [{ from, until: only.place, keys: [] }, alone, { from: only.place, until, keys: [] }];
}

function cutBetween({ from, until, keys }: Span, border: number): Span[] {
  const before = keys[border - 1]?.place ?? from;
  const after = keys[border]?.place ?? until;
  const cut = (before + after) / 2;
  return [
    { from, until: cut, keys: keys.slice(0, border) },
    { from: cut, until, keys: keys.slice(border) },
  ];
}

/** How many keys lie before the cut. */
function borderNearHalf(keys: readonly LocatedKey[]): number {
  const total = keys.reduce((units, { key }) => units + key.meanUnits, 0);
  let best = 1;
  let bestDistance = Number.POSITIVE_INFINITY;
  let before = 0;
  for (let border = 1; border < keys.length; border++) {
    before += keys[border - 1]?.key.meanUnits ?? 0;
    const distance = Math.abs(total / 2 - before);
    if (distance >= bestDistance) continue;
    best = border;
    bestDistance = distance;
  }
  return best;
}
