// Aim: hot spans are cut between keys until each is cool or holds one key, and nothing is lost on the way.
// Method: spans small enough to cut by hand; demand of one second.
import { expect, test } from 'vitest';
import { HASH_RANGE } from '../../../src/capacity/placement.ts';
import type { PlacedDemand, PlacedKey } from '../../../src/experiment/placed-demand.ts';
import { hashShareOf, type Span, settle } from '../../../src/experiment/settle-partition.ts';

const keyOf = (text: string, units: number, isDivisible = false): PlacedKey => ({
  text,
  unitsPerSecond: Float64Array.of(units),
  meanUnits: units,
  isDivisible,
});

const positionOf = (place: number) => Math.round(place * HASH_RANGE);
const whole = { fromShare: 0, untilShare: 1 };
const hashRange = { from: { position: 0, sort: '' }, until: { position: HASH_RANGE, sort: '' } };

/** A span over a whole table with keys of these units at these places, and this much cold tail. */
function tableOf(keys: readonly (readonly [text: string, units: number, place: number])[], tailUnits = 0) {
  const located = keys.map(([text, units, place]) => ({
    key: keyOf(text, units, text.startsWith('divisible')),
    position: positionOf(place),
    ...whole,
  }));
  const demand: PlacedDemand = {
    keys: located.map(({ key }) => key),
    tailPerSecond: Float64Array.of(tailUnits),
    tailMeanUnits: tailUnits,
    totalUnits: keys.reduce((sum, [, units]) => sum + units, tailUnits),
    seconds: 1,
  };
  return { span: { interval: hashRange, keys: located } satisfies Span, demand };
}

const textsOf = (spans: readonly Span[]) => spans.map((span) => span.keys.map(({ key }) => key.text).join());

test.each([
  { name: 'a cool span stays whole', units: [200, 200, 300], spans: ['a,b,c'] },
  { name: 'a hot one is cut where its demand halves', units: [300, 300, 300], spans: ['a', 'b,c'] },
  { name: 'cuts go on until each part is cool', units: [700, 700, 700], spans: ['a', 'b', 'c'] },
  { name: 'the cut goes beside the hot key', units: [100, 100, 700], spans: ['a,b', 'c'] },
])('$name', ({ units, spans }) => {
  const [a, b, c] = units as [number, number, number];
  const { span, demand } = tableOf([
    ['a', a, 0.2],
    ['b', b, 0.5],
    ['c', c, 0.9],
  ]);
  expect(textsOf(settle(span, demand, 800))).toEqual(spans);
});

test('a single key above the ceiling keeps a span of its own and is not cut', () => {
  const { span, demand } = tableOf([['hot', 5_000, 0.25]], 400);
  const at = positionOf(0.25);
  const spans = settle(span, demand, 800);
  expect(spans.map(({ interval }) => [interval.from.position, interval.until.position])).toEqual([
    [0, at],
    [at, at + 1],
    [at + 1, HASH_RANGE],
  ]);
  expect(textsOf(spans)).toEqual(['', 'hot', '']);
});

test('one whose items may be cut is, until each part is cool', () => {
  const { span, demand } = tableOf([['divisible', 1_400, 0.25]]);
  const parts = settle(span, demand, 800).flatMap(({ keys }) => keys);
  expect(parts.map(({ fromShare, untilShare }) => [fromShare, untilShare])).toEqual([
    [0, 0.5],
    [0.5, 1],
  ]);
});

test('one that could be cut is not where it is below the threshold by itself', () => {
  const { span, demand } = tableOf([
    ['divisible a', 700, 0.25],
    ['divisible b', 700, 0.75],
  ]);
  expect(textsOf(settle(span, demand, 800))).toEqual(['divisible a', 'divisible b']);
});

test('a hot tail is halved until it is cool', () => {
  const { span, demand } = tableOf([], 3_000);
  expect(settle(span, demand, 800).map(hashShareOf)).toEqual([0.25, 0.25, 0.25, 0.25]);
});
