// Aim: a table that was there before is used only where it is what the scenario expects, and written to only where it
// may be. Method: descriptions by hand; the control client tells tags, and whether it was asked.
import type { DynamoDBClient, TableDescription } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { inspectExistingTable } from '../../../src/aws/existing-table.ts';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';
import { plainTable } from '../../support/plan-builder.ts';

const spec: TableSpec = {
  ...plainTable,
  tableName: 'dyno-load-kept',
  keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'SK', type: 'N' } },
  globalIndexes: [
    {
      name: 'GSI1',
      keys: { partition: { name: 'G', type: 'S' } },
      projection: { kind: 'ALL' },
      billing: { mode: 'on-demand' },
      start: { kind: 'new' },
    },
  ],
};

const description: TableDescription = {
  TableArn: 'arn:aws:dynamodb:us-east-1:1:table/dyno-load-kept',
  TableStatus: 'ACTIVE',
  ItemCount: 12,
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'N' },
    { AttributeName: 'G', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'SK', KeyType: 'RANGE' },
    { AttributeName: 'PK', KeyType: 'HASH' },
  ],
  GlobalSecondaryIndexes: [{ IndexName: 'GSI1', KeySchema: [{ AttributeName: 'G', KeyType: 'HASH' }] }],
};

function inspect(
  given: Partial<Parameters<typeof inspectExistingTable>[0]>,
  tags: Record<string, string>[] = [{}],
): { result: ReturnType<typeof inspectExistingTable>; asked: () => number } {
  let asked = 0;
  const send = async () => {
    const page = tags[asked++] ?? {};
    return {
      Tags: Object.entries(page).map(([Key, Value]) => ({ Key, Value })),
      ...(asked < tags.length ? { NextToken: 'more' } : {}),
    };
  };
  // The client's overloads want another type for each command; only tags are asked for here.
  const control = { send: send as DynamoDBClient['send'] };
  const request = { spec, description, writes: false, allowWritesTo: [], endpointText: 'http://x', control };
  return { result: inspectExistingTable({ ...request, ...given }), asked: () => asked };
}

test('reads a table whose keys are those of the scenario, without looking at its tags', async () => {
  const { result, asked } = inspect({});
  expect(await result).toMatchObject({ spec, mayWrite: false });
  expect((await result).notes).toEqual([
    expect.stringContaining('used as it is: on demand, about 12 items before the run'),
  ]);
  expect(asked()).toBe(0);
});

test.each([
  ['its tag on a later page', [{ a: 'b' }, { 'created-by': 'dyno-load' }], [], true],
  ['no tag of ours', [{ 'created-by': 'me' }], [], false],
  ['no tag of ours, named twice', [{}], ['dyno-load-kept'], true],
])('a table with our prefix and %s', async (_, tags, allowWritesTo, isAllowed) => {
  const { result } = inspect({ writes: true, allowWritesTo }, tags);
  if (isAllowed) expect((await result).mayWrite).toBe(true);
  else await expect(result).rejects.toMatchObject({ code: 'REFUSED_WRITE' });
});

test('asks nothing of a table whose name alone says that it is not ours', async () => {
  const foreign = { ...spec, tableName: 'orders' };
  const { result, asked } = inspect({ spec: foreign, writes: true }, [{ 'created-by': 'dyno-load' }]);
  await expect(result).rejects.toMatchObject({ code: 'REFUSED_WRITE' });
  expect(asked()).toBe(0);
});

test.each<[string, TableDescription | undefined, string]>([
  ['is not there', undefined, 'is not there'],
  ['is still being made', { ...description, TableStatus: 'CREATING' }, 'is CREATING'],
  [
    'has no sort key',
    { ...description, KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }] },
    'has the key PK (S) on the table',
  ],
  [
    'has a sort key of another type',
    {
      ...description,
      AttributeDefinitions: [
        { AttributeName: 'PK', AttributeType: 'S' },
        { AttributeName: 'SK', AttributeType: 'S' },
      ],
    },
    'has the key PK (S), SK (S) on the table, where the scenario has PK (S), SK (N)',
  ],
  ['lacks an index', { ...description, GlobalSecondaryIndexes: [] }, 'has no index GSI1'],
])('a table that %s is not used', async (_, found, what) => {
  await expect(inspect({ description: found }).result).rejects.toMatchObject({
    code: 'TABLE_DIFFERS',
    what: expect.stringContaining(what),
  });
});

test('indexes that the scenario does not know take part, and are named', async () => {
  const more = { IndexName: 'byDate', KeySchema: [{ AttributeName: 'D', KeyType: 'HASH' as const }] };
  const { result } = inspect({
    description: {
      ...description,
      GlobalSecondaryIndexes: [...(description.GlobalSecondaryIndexes ?? []), more],
    },
  });
  expect((await result).spec.globalIndexes.map(({ name }) => name)).toEqual(['GSI1', 'byDate']);
  expect((await result).notes.join()).toContain('does not know: byDate');
});

test('an index with a key of several attributes is known by all of its partition attributes', async () => {
  const several = {
    IndexName: 'matches',
    KeySchema: [
      { AttributeName: 'league', KeyType: 'HASH' as const },
      { AttributeName: 'season', KeyType: 'HASH' as const },
      { AttributeName: 'round', KeyType: 'RANGE' as const },
    ],
  };
  const { result } = inspect({
    description: {
      ...description,
      GlobalSecondaryIndexes: [...(description.GlobalSecondaryIndexes ?? []), several],
    },
  });
  expect((await result).spec.globalIndexes.at(-1)?.keys).toEqual({
    partition: { name: 'league', type: 'S' },
    furtherPartition: [{ name: 'season', type: 'S' }],
  });
});
