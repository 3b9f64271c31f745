// Aim: hot spans are cut between keys until each is cool or holds one key, and nothing is lost on the way.
// Method: spans small enough to cut by hand; demand of one second.
import { expect, test } from 'vitest';
import type { PlacedDemand, PlacedKey } from '../../../src/experiment/placed-demand.ts';
import { type Span, settle } from '../../../src/experiment/settle-partition.ts';

const keyOf = (text: string, units: number): PlacedKey => ({
  text,
  unitsPerSecond: Float64Array.of(units),
  meanUnits: units,
});

/** A span over a whole table with keys of these units at these places, and this much cold tail. */
function tableOf(keys: readonly (readonly [text: string, units: number, place: number])[], tailUnits = 0) {
  const located = keys.map(([text, units, place]) => ({ key: keyOf(text, units), place }));
  const demand: PlacedDemand = {
    keys: located.map(({ key }) => key),
    tailPerSecond: Float64Array.of(tailUnits),
    tailMeanUnits: tailUnits,
    totalUnits: keys.reduce((sum, [, units]) => sum + units, tailUnits),
    seconds: 1,
  };
  return { span: { from: 0, until: 1, keys: located } satisfies Span, demand };
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
  expect(settle(span, demand, 800)).toMatchObject([
    { from: 0, until: 0.25, keys: [] },
    { from: 0.25, until: 0.25, keys: [{ place: 0.25 }] },
    { from: 0.25, until: 1, keys: [] },
  ]);
});

test('a hot tail is halved until it is cool', () => {
  const { span, demand } = tableOf([], 3_000);
  expect(settle(span, demand, 800).map(({ from, until }) => [from, until])).toEqual([
    [0, 0.25],
    [0.25, 0.5],
    [0.5, 0.75],
    [0.75, 1],
  ]);
});
