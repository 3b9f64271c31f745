// Aim: what may be written to follows from name, tag and what the user said, and from nothing else. Method: facts in,
// decision out; the guard in front of a target that keeps what reaches it.
import { expect, test } from 'vitest';
import {
  checkTableReuse,
  isOwnTable,
  mayWrite,
  someWrittenTable,
  WriteGuard,
  writesToTables,
} from '../../../src/aws/safety.ts';
import type { Request } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import type { DynoLoadError } from '../../../src/errors.ts';
import { planOf } from '../../support/plan-builder.ts';

const ours = { 'created-by': 'dyno-load' };

test.each([
  ['prefix and tag', 'dyno-load-t', ours, true],
  ['prefix alone', 'dyno-load-t', {}, false],
  ['prefix, and tags that nobody has looked at', 'dyno-load-t', undefined, false],
  ['tag alone', 'orders', ours, false],
  ['a name that only contains the prefix', 'my-dyno-load-t', ours, false],
  ['the tag of another tool', 'dyno-load-t', { 'created-by': 'terraform' }, false],
])('a table with %s is ours: %s', (_, tableName, tags, isOurs) => {
  expect(isOwnTable({ tableName, tags })).toBe(isOurs);
});

test.each([
  ['named twice', 'orders', undefined, ['orders'], true],
  ['another one named', 'orders', undefined, ['orders-2'], false],
  ['named in part', 'orders', undefined, ['order'], false],
  ['ours', 'dyno-load-t', ours, [], true],
  ['neither', 'orders', {}, [], false],
])('writes to a table that is %s', (_, tableName, tags, allowWritesTo, isAllowed) => {
  expect(mayWrite({ tableName, tags, allowWritesTo })).toBe(isAllowed);
});

test.each([
  ['only reads', true, 0, false],
  ['only reads, and preloads items', true, 5, true],
  ['writes', false, 0, true],
])('a plan that %s', (_, onlyReads, count, writes) => {
  const preloads = [{ name: 'p', tableName: 't', count, itemAt: () => ({}) }];
  expect(writesToTables({ onlyReads, preloads })).toBe(writes);
});

test.each([
  ['one writer', [false], false, false],
  ['two writers', [false, false], false, true],
  ['two writers, where that is allowed', [false, false], true, false],
  ['a reader before a writer', [true, false], false, true],
  ['readers alone', [true, true, true], false, false],
])('one existing table for %s', (_, readers, isReuseAllowed, isRefused) => {
  const sharesTables = readers.every(Boolean);
  const plans = readers.map((onlyReads) => ({ ...planOf({}), onlyReads, sharesTables }));
  const check = () => checkTableReuse(plans, { tableName: 't', isReuseAllowed });
  if (isRefused) expect(check).toThrow('2 variants would write to one table');
  else expect(check).not.toThrow();
});

test('one existing table cannot hold the different items that two readers put in place', () => {
  const reader = { ...planOf({}), onlyReads: true, sharesTables: false };
  expect(() => checkTableReuse([reader, reader], { tableName: 't', isReuseAllowed: false })).toThrow(
    '2 variants would put other items into one table',
  );
});

test('one existing table cannot stand for two', () => {
  const plan = planOf({});
  const plans = [{ ...plan, tables: [...plan.tables, ...plan.tables] }];
  expect(() => checkTableReuse(plans, { tableName: 't', isReuseAllowed: true })).toThrow(
    'the scenario has 2',
  );
});

const key = { PK: { S: 'a' } };
const requests: readonly [string, Request, readonly string[]][] = [
  ['PutItem', { api: 'PutItem', input: { TableName: 'a', Item: key } }, ['a']],
  ['UpdateItem', { api: 'UpdateItem', input: { TableName: 'a', Key: key } }, ['a']],
  ['DeleteItem', { api: 'DeleteItem', input: { TableName: 'a', Key: key } }, ['a']],
  [
    'BatchWriteItem',
    { api: 'BatchWriteItem', input: { RequestItems: { a: [], b: [{ DeleteRequest: { Key: key } }] } } },
    ['a', 'b'],
  ],
  [
    'TransactWriteItems, of a check nothing',
    {
      api: 'TransactWriteItems',
      input: {
        TransactItems: [
          { ConditionCheck: { TableName: 'c', Key: key, ConditionExpression: 'x' } },
          { Put: { TableName: 'a', Item: key } },
          { Update: { TableName: 'b', Key: key, UpdateExpression: 'x' } },
          { Delete: { TableName: 'd', Key: key } },
        ],
      },
    },
    ['a', 'b', 'd'],
  ],
  ...(
    [
      ['an INSERT', `INSERT INTO a VALUE {'PK': 'a'}`, ['a']],
      ['an UPDATE', `UPDATE "a" SET x = 1 WHERE PK = 'a'`, ['a']],
      ['an UPDATE that begins with FROM', `FROM a WHERE PK = 'a' SET x = 1`, ['a']],
      ['a DELETE behind a comment', `-- SELECT * FROM t\nDELETE FROM "a" WHERE PK = 'a'`, ['a']],
      [
        'a table whose name looks like a clause',
        `DELETE FROM "a"" WHERE ""b" WHERE PK = 'a'`,
        ['a" WHERE "b'],
      ],
      ['what is no statement', 'DROP TABLE a', ['']],
      ['a SELECT', `SELECT * FROM a`, []],
    ] satisfies (readonly [string, string, readonly string[]])[]
  ).map(([what, Statement, tables]): [string, Request, readonly string[]] => [
    `ExecuteStatement with ${what}`,
    { api: 'ExecuteStatement', input: { Statement } },
    tables,
  ]),
  [
    'BatchExecuteStatement',
    {
      api: 'BatchExecuteStatement',
      input: {
        Statements: [
          { Statement: `INSERT INTO a VALUE {'PK': 'a'}` },
          { Statement: `DELETE FROM b WHERE PK = 'a'` },
        ],
      },
    },
    ['a', 'b'],
  ],
  [
    'ExecuteTransaction, of a check nothing',
    {
      api: 'ExecuteTransaction',
      input: {
        TransactStatements: [
          { Statement: `EXISTS(SELECT * FROM c WHERE PK = 'a' AND x = 1)` },
          { Statement: `DELETE FROM b WHERE PK = 'a'` },
        ],
      },
    },
    ['b'],
  ],
  ['GetItem nothing', { api: 'GetItem', input: { TableName: 'a', Key: key } }, []],
  ['Query nothing', { api: 'Query', input: { TableName: 'a', KeyConditionExpression: 'x' } }, []],
  ['Scan nothing', { api: 'Scan', input: { TableName: 'a' } }, []],
  ['BatchGetItem nothing', { api: 'BatchGetItem', input: { RequestItems: { a: { Keys: [key] } } } }, []],
  [
    'TransactGetItems nothing',
    { api: 'TransactGetItems', input: { TransactItems: [{ Get: { TableName: 'a', Key: key } }] } },
    [],
  ],
];

test.each(requests)('%s writes to its tables', (_, request, tables) => {
  const seen: string[] = [];
  someWrittenTable(request, (name) => {
    seen.push(name);
    return false;
  });
  expect(seen).toEqual(tables);
});

test.each(requests.filter(([, , tables]) => tables.length > 0))(
  'the guard keeps a %s away from the last of its tables, and ends the run',
  (_, request, tables) => {
    const sent: Request[] = [];
    const refusals: DynoLoadError[] = [];
    const inner = { send: (one: { request: Request }) => void sent.push(one.request) };
    const allowed = new Set(tables.slice(0, -1));
    const guard = new WriteGuard(inner, allowed, (error) => void refusals.push(error));
    const outcomes: Outcome[] = [];
    guard.send(
      { request, workloadIndex: 0, sequence: 0, part: 0 },
      7,
      (outcome) => void outcomes.push(outcome),
    );
    expect(sent).toEqual([]);
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'REFUSED_WRITE' }]);
    expect(refusals[0]?.exitCode).toBe(5);
    expect(refusals[0]?.what).toContain(`"${tables.at(-1)}"`);
  },
);

test('the guard lets reads of any table and writes to allowed ones through', () => {
  const sent: string[] = [];
  const inner = { send: (one: { request: Request }) => void sent.push(one.request.api) };
  const allowed = new Set(requests.flatMap(([, , tables]) => tables));
  const guard = new WriteGuard(inner, allowed, (error) => {
    throw error;
  });
  for (const [, request] of requests)
    guard.send({ request, workloadIndex: 0, sequence: 0, part: 0 }, 0, () => undefined);
  expect(sent).toHaveLength(requests.length);
});
