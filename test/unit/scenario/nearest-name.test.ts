// Aim: "did you mean" helps with misspellings and keeps silent about names that have nothing in common.
// Method: rows of a wanted name and what comes of it.
import { expect, test } from 'vitest';
import { nearestName, suggestion } from '../../../src/scenario/nearest-name.ts';

const names = ['placeOrder', 'readPending', 'ship'];

test.each([
  { wanted: 'placeOrdr', nearest: 'placeOrder', why: 'a letter is missing' },
  { wanted: 'plcaeOrder', nearest: 'placeOrder', why: 'two letters are swapped' },
  { wanted: 'PLACEORDER', nearest: 'placeOrder', why: 'case differs' },
  { wanted: 'shop', nearest: 'ship', why: 'one of four letters differs' },
  { wanted: 'sloop', nearest: undefined, why: 'too much differs' },
  { wanted: '', nearest: undefined, why: 'there is nothing to compare' },
])('$wanted: $why', ({ wanted, nearest }) => {
  expect(nearestName(wanted, names)).toBe(nearest);
});

test('without a near name all are listed', () => {
  expect(suggestion('unknown', names)).toBe('use one of "placeOrder", "readPending", "ship"');
});

test('without any name the advice is to leave it out', () => {
  expect(suggestion('unknown', [])).toBe('leave it out');
});
