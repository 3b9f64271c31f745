// Aim: administration copes with servers that refuse parts of a request or take their time, and deletes only
// its own tables.
// Method: a scripted control port in place of the SDK's client; waits are counted, not spent.
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { ControlPort } from '../../../src/aws/table-admin.ts';
import { TableAdmin } from '../../../src/aws/table-admin.ts';
import type { TableSpec } from '../../../src/dynamodb/table-spec.ts';

const table: TableSpec = {
  tableName: 'dyno-load-t',
  logicalName: 'main',
  keys: { partition: { name: 'pk', type: 'S' } },
  globalIndexes: [],
  localIndexes: [],
  billing: { mode: 'on-demand', maximumReadUnits: 5 },
  start: { kind: 'new' },
  timeToLive: 'expiresAt',
};

class Refusal extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

interface Script {
  /** Refuses an input of CreateTable by throwing. */
  create?: (input: CreateTableCommand['input']) => void;
  /** Statuses in the order in which they are seen; the last one stays. */
  statuses?: string[];
  remove?: () => void;
}

function scripted(script: Script): { control: ControlPort; sent: { name: string; input: object }[] } {
  const sent: { name: string; input: object }[] = [];
  const statuses = [...(script.statuses ?? ['ACTIVE'])];
  const answer = (command: {
    readonly input: object;
    readonly constructor: { readonly name: string };
  }): object => {
    sent.push({ name: command.constructor.name, input: command.input });
    const TableStatus = statuses.length > 1 ? statuses.shift() : statuses[0];
    if (command instanceof DescribeTableCommand) return { Table: { TableStatus } };
    if (command instanceof CreateTableCommand) script.create?.(command.input);
    else if (command instanceof DeleteTableCommand) script.remove?.();
    else throw new Refusal('UnknownOperationException', '');
    return { TableDescription: {} };
  };
  // The port's overloads want another type for each command; only `never` is all of them.
  return {
    control: { send: async (command: Parameters<typeof answer>[0]) => answer(command) as never },
    sent,
  };
}

function adminWith(script: Script, pauses: number[] = []) {
  const { control, sent } = scripted(script);
  const pause = async (delayMs: number): Promise<void> => void pauses.push(delayMs);
  const admin = new TableAdmin({
    control,
    endpointText: 'http://x:1',
    tags: { 'dyno-load': 'r' },
    pause,
    readyTimeoutMs: 1_000,
  });
  return { admin, sent };
}

test('waits until the table is ready, later and later', async () => {
  const pauses: number[] = [];
  const { admin } = adminWith({ statuses: ['x', 'CREATING', 'CREATING', 'CREATING', 'ACTIVE'] }, pauses);
  await admin.createTable(table);
  expect(pauses).toEqual([50, 75, 112.5]);
});

test('gives up on a table that never becomes ready', async () => {
  const { admin } = adminWith({ statuses: ['CREATING'] });
  await expect(admin.createTable(table)).rejects.toMatchObject({
    code: 'TABLE_NOT_READY',
    what: expect.stringContaining('"dyno-load-t" at http://x:1 is CREATING'),
  });
  expect(admin.created).toEqual(['dyno-load-t']);
});

test.each([
  ['tags', /Tags/, 'Unexpected key: Tags', 'not tagged'],
  ['maxima', /OnDemandThroughput/, 'OnDemandThroughput is not supported', 'no on-demand maxima'],
  ['on-demand mode', /PAY_PER_REQUEST/, 'No provisionedThroughput specified', 'provisioned at 40,000'],
])(
  'does without %s where the server refuses them, says so, and remembers',
  async (_name, refused, message, note) => {
    const { admin, sent } = adminWith({
      create: (input) => {
        if (refused.test(JSON.stringify(input))) throw new Refusal('ValidationException', message);
      },
    });
    expect((await admin.createTable(table)).join()).toContain(note);
    await admin.createTable({ ...table, tableName: 'dyno-load-u' });
    expect(sent.filter(({ name }) => name === 'CreateTableCommand')).toHaveLength(3);
  },
);

test('does not try forever where leaving a part out does not help', async () => {
  const { admin, sent } = adminWith({
    create: () => {
      throw new Refusal('ValidationException', 'Tags are wrong');
    },
  });
  await expect(admin.createTable(table)).rejects.toMatchObject({ code: 'TARGET_REJECTED' });
  expect(sent).toHaveLength(2);
  expect(admin.created).toEqual([]);
});

test('says so where time to live cannot be set', async () => {
  expect((await adminWith({}).admin.createTable(table)).join()).toContain('time to live on "expiresAt"');
});

test('deletes what it made, waiting while the table is busy, and nothing else', async () => {
  let busy = 2;
  const pauses: number[] = [];
  const { admin } = adminWith(
    {
      remove: () => {
        if (busy-- > 0) throw new Refusal('ResourceInUseException', 'being created');
      },
    },
    pauses,
  );
  await expect(admin.deleteTable('production')).rejects.toMatchObject({ code: 'INTERNAL' });
  await admin.createTable(table);
  await admin.deleteCreated();
  expect(pauses).toEqual([50, 100]);
  expect(admin.created).toEqual([]);
});

test('a table that is gone already counts as deleted', async () => {
  const { admin } = adminWith({
    remove: () => {
      throw new Refusal('ResourceNotFoundException', 'gone');
    },
  });
  await admin.createTable(table);
  await admin.deleteCreated();
  expect(admin.created).toEqual([]);
});
