// What becomes of a hot partition when it has been given time: it is split by the rule of the simulated
// database, again and again, until each part is cool enough or holds a single key that stays whole.
import { HASH_RANGE } from '../capacity/placement.ts';
import { type Border, compareBorders, cutOf, type Interval } from '../capacity/split-rule.ts';
import { meanUnits, type PlacedDemand, type PlacedKey } from './placed-demand.ts';

/** A key, or part of one whose collection was cut, with its place in the hash range. */
export interface LocatedKey {
  readonly key: PlacedKey;
  readonly position: number;
  /** The part of its demand, from one share of it up to another; 0 to 1: all. */
  readonly fromShare: number;
  readonly untilShare: number;
}

/** A partition with its keys in order of place. */
export interface Span {
  readonly interval: Interval;
  readonly keys: readonly LocatedKey[];
}

/** Part of the hash range that a span covers, 0–1. */
export function hashShareOf({ interval }: Span): number {
  return (interval.until.position - interval.from.position) / HASH_RANGE;
}

/**
 * The spans that a span has become after all splits.
 * @param thresholdUnits  mean units per second above which a partition is split
 */
export function settle(span: Span, demand: PlacedDemand, thresholdUnits: number): Span[] {
  if (useOf(span, demand) <= thresholdUnits) return [span];
  const weighted = span.keys.map((located) => {
    const weight = shareOf(located) * located.key.meanUnits;
    const isAlone = located.key.isDivisible && weight > thresholdUnits;
    const middle = (located.fromShare + located.untilShare) / 2;
    return { position: located.position, weight, sortCut: isAlone ? sortOf(middle) : undefined };
  });
  const border = cutOf(span.interval, weighted, hashShareOf(span) * demand.tailMeanUnits);
  if (border === undefined) return [span];
  return halvesOf(span, border).flatMap((half) => settle(half, demand, thresholdUnits));
}

/** Mean units per second on a span. */
function useOf(span: Span, demand: PlacedDemand): number {
  return meanUnits(demand, { keys: span.keys, tailRatio: hashShareOf(span) });
}

/** Which part of a key's demand a located key stands for, 0–1. */
function shareOf({ fromShare, untilShare }: Pick<LocatedKey, 'fromShare' | 'untilShare'>): number {
  return untilShare - fromShare;
}

function halvesOf({ interval, keys }: Span, border: Border): Span[] {
  const before: LocatedKey[] = [];
  const after: LocatedKey[] = [];
  for (const located of keys) {
    if (border.sort !== '' && located.position === border.position) {
      const middle = (located.fromShare + located.untilShare) / 2;
      before.push({ ...located, untilShare: middle });
      after.push({ ...located, fromShare: middle });
      continue;
    }
    const start = { position: located.position, sort: sortOf(located.fromShare) };
    (compareBorders(start, border) < 0 ? before : after).push(located);
  }
  return [
    { interval: { from: interval.from, until: border }, keys: before },
    { interval: { from: border, until: interval.until }, keys: after },
  ];
}

/** Stands for the sort key before which that share of a collection's demand lies; '' before all of it. */
function sortOf(share: number): string {
  return share === 0 ? '' : share.toFixed(12);
}
