// Aim: a partition is cut where its demand halves, at borders of item collections unless they may be cut.
// Method: intervals of a hundred positions, so that each cut can be read off.
import { expect, test } from 'vitest';
import { type Border, cutOf, type Interval, type WeightedKey } from '../../../src/capacity/split-rule.ts';

const at = (position: number, sort = ''): Border => ({ position, sort });
const interval: Interval = { from: at(0), until: at(100) };
const key = (position: number, weight: number, sortCut?: string): WeightedKey => ({
  position,
  weight,
  sortCut,
});

interface Row {
  readonly name: string;
  readonly keys?: readonly WeightedKey[];
  readonly tail?: number;
  readonly on?: Interval;
  readonly cut: Border | undefined;
}

test.each<Row>([
  { name: 'cold keys alone are cut in the middle', tail: 10, cut: at(50) },
  { name: 'nothing known is cut in the middle', cut: at(50) },
  { name: 'a hot key draws the cut to its side', keys: [key(80, 6)], tail: 10, cut: at(80) },
  // Half is 11: 1.4 lie before the key and 8 on it; the other 1.6 fill 11.4 of the 89 positions behind.
  { name: 'cold keys count for where the cut falls', keys: [key(10, 8)], tail: 14, cut: at(22) },
  { name: 'equal keys are cut between them', keys: [key(20, 5), key(60, 5)], cut: at(41) },
  {
    name: 'the nearer border of a key takes the place of a cut through it',
    keys: [key(20, 3), key(60, 9)],
    cut: at(60),
  },
  { name: 'behind the first key where that is nearer', keys: [key(20, 9), key(60, 3)], cut: at(21) },
  {
    name: 'a collection that may be cut is, at the sort key given',
    keys: [key(20, 9, 'm'), key(60, 3)],
    cut: at(20, 'm'),
  },
  { name: 'a key that begins the interval is cut off behind', keys: [key(0, 9)], cut: at(1) },
  { name: 'a key that ends the interval is cut off before', keys: [key(99, 9)], cut: at(99) },
  { name: 'a key alone stays whole', keys: [key(5, 9)], on: { from: at(5), until: at(6) }, cut: undefined },
  {
    name: 'part of a key alone stays whole',
    keys: [key(5, 9)],
    on: { from: at(5, 'a'), until: at(5, 'm') },
    cut: undefined,
  },
  {
    name: 'the later part of a key that begins the interval is cut off behind the key',
    keys: [key(5, 9)],
    on: { from: at(5, 'm'), until: at(100) },
    cut: at(6),
  },
  {
    name: 'the earlier part of a key that ends the interval is cut off before the key',
    keys: [key(5, 9)],
    tail: 1,
    on: { from: at(0), until: at(5, 'm') },
    cut: at(5),
  },
])('$name', ({ keys = [], tail = 0, on = interval, cut }) => {
  expect(cutOf(on, keys, tail)).toEqual(cut);
});
