// Aim: request ids look like DynamoDB's, differ, and follow from seed and order. Method: many of them.
import { expect, test } from 'vitest';
import { RequestIds } from '../../../src/serve/request-ids.ts';

function ids(seed: number, count: number): string[] {
  const source = new RequestIds(seed);
  return Array.from({ length: count }, () => source.next());
}

test('ids are 52 digits of base 32, each of its own', () => {
  const many = ids(1, 20_000);
  for (const id of many) expect(id).toMatch(/^[0-9A-V]{52}$/);
  expect(new Set(many).size).toBe(many.length);
});

test('the same seed gives the same ids, another seed others', () => {
  expect(ids(1, 3)).toEqual(ids(1, 3));
  expect(ids(1, 3)[0]).not.toBe(ids(2, 3)[0]);
});
