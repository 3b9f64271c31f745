// Aim: sizes as users write them become whole bytes, and anything else is refused with a way out.
// Method: rows of texts.
import { expect, test } from 'vitest';
import { type FillerSize, filler } from '../../../src/workload/filler.ts';

test.each<{ size: FillerSize; bytes: number }>([
  { size: '300 B', bytes: 300 },
  { size: '300B', bytes: 300 },
  { size: '2 KB', bytes: 2_048 },
  { size: '1.5 KB', bytes: 1_536 },
  { size: '1 MB', bytes: 1_048_576 },
  { size: 300, bytes: 300 },
  { size: 0, bytes: 0 },
])('$size is $bytes bytes', ({ size, bytes }) => {
  expect(filler(size)).toEqual({ fillerBytes: bytes });
});

test('equal sizes are one frozen object', () => {
  expect(filler('700 B')).toBe(filler('700 B'));
  expect(Object.isFrozen(filler('700 B'))).toBe(true);
});

test.each([
  '',
  '300',
  'KB',
  '-1 B',
  '2 kb',
  '1 GB',
  '1.0001 KB',
  '3  B',
  1.5,
  -1,
  Number.NaN,
  null,
  undefined,
])('%s is refused', (size) => {
  // What the compiler would refuse, as plain JavaScript may write it.
  expect(() => filler(size as FillerSize)).toThrow('SCENARIO_INVALID');
});
