// Aim: merged retries are the sum of their parts. Method: two records of different length, added by hand.
import { expect, test } from 'vitest';
import { mergeRetries } from '../../../../src/analysis/records/retries.ts';

const one = { attempts: [5, 1], okLatenessUs: 1, okWaitUs: 20, okServiceUs: 300 };
const other = { attempts: [7, 0, 2], okLatenessUs: 4, okWaitUs: 50, okServiceUs: 600 };

test('counts and sums add up, and what has no retries adds nothing', () => {
  const merged = { attempts: [12, 1, 2], okLatenessUs: 5, okWaitUs: 70, okServiceUs: 900 };
  expect(mergeRetries([one, undefined, other])).toEqual(merged);
  expect(mergeRetries([undefined])).toBeUndefined();
});
