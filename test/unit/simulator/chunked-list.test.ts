// Aim: the ordered list keeps order over chunk borders and finds positions. Method: lists long enough to
// split several times; laws are in test/property/simulator.
import { describe, expect, test } from 'vitest';
import { ChunkedList } from '../../../src/simulator/chunked-list.ts';

class NumberList extends ChunkedList<number> {
  protected override order(left: number, right: number): number {
    return left - right;
  }
}

function listOf(values: Iterable<number>): NumberList {
  const list = new NumberList();
  for (const value of values) list.add(value);
  return list;
}

function forwards(list: NumberList, from = 0): number[] {
  const values: number[] = [];
  for (let position = from; list.at(position) !== undefined; position = list.after(position))
    values.push(list.at(position) ?? Number.NaN);
  return values;
}

function backwards(list: NumberList): number[] {
  const values: number[] = [];
  for (let position = list.before(list.endPosition); position >= 0; position = list.before(position))
    values.push(list.at(position) ?? Number.NaN);
  return values;
}

const ascending = Array.from({ length: 2_000 }, (_, index) => index);

describe('chunked list', () => {
  test.each([
    ['appended in order', ascending],
    ['inserted in reverse', ascending.toReversed()],
    ['inserted in a scattered order', ascending.map((value) => (value * 787) % 2_000)],
  ])('%s, it reads the same in both directions', (_, values) => {
    const list = listOf(values);
    expect(forwards(list)).toEqual(ascending);
    expect(backwards(list)).toEqual(ascending.toReversed());
    expect(list.count).toBe(2_000);
  });

  test('finds what is there and nothing else', () => {
    const list = listOf(ascending.map((value) => value * 2));
    expect(list.find(1_000)).toBe(1_000);
    expect(list.find(1_001)).toBeUndefined();
    expect(list.find(9_999)).toBeUndefined();
  });

  test('removes across chunks until nothing is left', () => {
    const list = listOf(ascending);
    for (const value of ascending) expect(list.remove(value)).toBe(value);
    expect(list.remove(0)).toBeUndefined();
    expect(list.count).toBe(0);
    expect(forwards(list)).toEqual([]);
  });

  test('gives the first position from a border on', () => {
    const list = listOf(ascending);
    expect(list.at(list.firstPosition((value) => value >= 1_234))).toBe(1_234);
    expect(list.firstPosition((value) => value >= 2_000)).toBe(list.endPosition);
    expect(list.at(list.firstPosition(() => true))).toBe(0);
  });
});
