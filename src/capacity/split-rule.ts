// Where a partition is cut when it is split: at the weighted median of what was asked of it. Pure geometry;
// when a partition is split, and whether a collection may be cut inside, is decided by who calls. The
// simulated database and the placing of keys anew share this rule, so that both come to the same partitions.

/**
 * A border between partitions: the place of a partition key in the hash range and, where it lies inside that
 * key's item collection, the sort text at which the later part begins; '' is before the whole collection.
 */
export interface Border {
  readonly position: number;
  readonly sort: string;
}

/** What one partition owns: from one border up to, and without, another. */
export interface Interval {
  readonly from: Border;
  readonly until: Border;
}

/** A hot key, or the part of one that a partition holds. */
export interface WeightedKey {
  readonly position: number;
  /** Demand in any unit. */
  readonly weight: number;
  /** Where its collection may be cut, as sort text; undefined: nowhere. */
  readonly sortCut: string | undefined;
}

/** The order of borders in the hash range. */
export function compareBorders(a: Border, b: Border): number {
  if (a.position !== b.position) return a.position - b.position;
  if (a.sort === b.sort) return 0;
  return a.sort < b.sort ? -1 : 1;
}

/**
 * Cuts an interval where the demand on it halves. Where that point falls on a key whose collection may not be
 * cut, the nearer border of the collection takes its place.
 * @param keys  hot keys on the interval, in order of position
 * @param tailWeight  demand of all other keys, evenly spread
 * @returns undefined where nothing is left to cut: a single key that stays whole
 * @see "Burst and adaptive capacity",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html, read
 *   2026-11-30
 */
export function cutOf(
  interval: Interval,
  keys: readonly WeightedKey[],
  tailWeight: number,
): Border | undefined {
  const { from, until } = interval;
  const width = until.position - from.position;
  const half = (keys.reduce((sum, { weight }) => sum + weight, 0) + tailWeight) / 2;
  const inside = (border: Border) => compareBorders(from, border) < 0 && compareBorders(border, until) < 0;
  let before = 0;
  let at = from.position;
  for (const { position, weight, sortCut } of [...keys, { ...atEnd, position: until.position }]) {
    const gapWeight = width === 0 ? 0 : (tailWeight * Math.max(0, position - at)) / width;
    if (before + gapWeight >= half) {
      const cut = borderInGap(at, position, gapWeight === 0 ? 0.5 : (half - before) / gapWeight);
      if (inside(cut)) return cut;
    }
    before += gapWeight;
    if (before + weight > half) {
      if (sortCut !== undefined) return { position, sort: sortCut };
      const ends = [
        { border: { position, sort: '' }, off: Math.abs(half - before) },
        { border: { position: position + 1, sort: '' }, off: Math.abs(before + weight - half) },
      ];
      return ends.filter(({ border }) => inside(border)).sort((a, b) => a.off - b.off)[0]?.border;
    }
    before += weight;
    at = position + 1;
  }
  return undefined;
}

/** Ends the walk over keys: the last gap reaches to the end of the interval. */
const atEnd: Omit<WeightedKey, 'position'> = { weight: Number.POSITIVE_INFINITY, sortCut: undefined };

function borderInGap(from: number, until: number, share: number): Border {
  return { position: Math.min(until, Math.round(from + share * (until - from))), sort: '' };
}
