// Aim: an index holds its keys, the table's, and what it includes, each once; whoever asks it for others is told which.
// Method: specifications by hand.
import { describe, expect, test } from 'vitest';
import { checkFilterNames, checkProjectedNames, heldNamesOf } from '../../../src/dynamodb/held-names.ts';
import type { KeySchema, Projection } from '../../../src/dynamodb/table-spec.ts';

const attribute = (name: string) => ({ name, type: 'S' }) as const;
const tableKeys: KeySchema = { partition: attribute('PK'), sort: attribute('SK') };
const keys: KeySchema = { partition: attribute('state'), sort: attribute('SK') };

test.each<[Projection, readonly string[] | undefined]>([
  [{ kind: 'ALL' }, undefined],
  [{ kind: 'KEYS_ONLY' }, ['state', 'SK', 'PK']],
  [{ kind: 'INCLUDE', attributes: ['note', 'PK'] }, ['state', 'SK', 'PK', 'note']],
])('%j', (projection, expected) => {
  expect(heldNamesOf({ keys, projection }, tableKeys)).toEqual(expected);
});

describe.each([
  ['a projection', checkProjectedNames, 'Global secondary index i does not project [x, y]'],
  ['a filter', checkFilterNames, 'Secondary index i does not project one or more filter attributes: [x, y]'],
] as const)('%s', (_, check, message) => {
  test('may name all that is held, and anything where all is', () => {
    expect(() => check('i', ['a', 'b'], ['b', 'a'])).not.toThrow();
    expect(() => check('i', undefined, ['x'])).not.toThrow();
  });

  test('is refused with the names that are not, each once', () => {
    expect(() => check('i', ['a'], ['x', 'a', 'y', 'x'])).toThrow(
      `One or more parameter values were invalid: ${message}`,
    );
  });
});
