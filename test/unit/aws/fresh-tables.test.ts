// Aim: each repeat of a variant gets a fresh table of the same name, although servers delete in their own time.
// Method: a control port over a table whose deletion takes a few looks; what happens is kept in order.
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { type ControlPort, TableAdmin } from '../../../src/aws/table-admin.ts';
import { plainTable } from '../../support/plan-builder.ts';

class Refusal extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}

/** One table that takes `looks` descriptions to go away once it is deleted; Infinity: it never does. */
function slowServer(looks: number): { control: ControlPort; happened: string[] } {
  const happened: string[] = [];
  let state: 'none' | 'active' | 'leaving' = 'none';
  let looksLeft = looks;
  const answer = (command: object): object => {
    if (command instanceof CreateTableCommand) {
      if (state !== 'none') throw new Refusal('ResourceInUseException');
      happened.push('create');
      state = 'active';
    } else if (command instanceof DeleteTableCommand) {
      happened.push('delete');
      state = 'leaving';
      looksLeft = looks;
    } else if (command instanceof DescribeTableCommand) {
      if (state === 'leaving' && looksLeft-- <= 0) state = 'none';
      happened.push(`look: ${state}`);
      if (state === 'none') throw new Refusal('ResourceNotFoundException');
      return { Table: { TableStatus: state === 'active' ? 'ACTIVE' : 'DELETING' } };
    }
    return { TableDescription: {} };
  };
  // The port's overloads want another type for each command; only `never` is all of them.
  return { control: { send: async (command: object) => answer(command) as never }, happened };
}

function adminOver(looks: number, pauses: number[] = []) {
  const { control, happened } = slowServer(looks);
  const pause = async (delayMs: number): Promise<void> => void pauses.push(delayMs);
  const admin = new TableAdmin({ control, endpointText: 'http://x:1', pause, readyTimeoutMs: 1_000 });
  return { admin, happened };
}

test('a name is taken again only when the table before it is gone', async () => {
  const pauses: number[] = [];
  const { admin, happened } = adminOver(2, pauses);
  await admin.createTable(plainTable);
  await admin.deleteCreated();
  await admin.createTable(plainTable);
  expect(happened).toEqual([
    'create',
    'look: active',
    'delete',
    'look: leaving',
    'look: leaving',
    'look: none',
    'create',
    'look: active',
  ]);
  expect(pauses).toEqual([50, 75]);
});

test('a table that was kept is replaced by that of the next repeat, so that the last one stays', async () => {
  const { admin, happened } = adminOver(0);
  await admin.createTable(plainTable);
  await admin.createTable(plainTable);
  expect(happened.filter((what) => !what.startsWith('look'))).toEqual(['create', 'delete', 'create']);
  expect(admin.created).toEqual([plainTable.tableName]);
});

test('a table that never goes away is said so', async () => {
  const { admin } = adminOver(Number.POSITIVE_INFINITY);
  await admin.createTable(plainTable);
  await admin.deleteCreated();
  await expect(admin.createTable(plainTable)).rejects.toMatchObject({ code: 'TABLE_NOT_READY' });
});

test('a table of a name not used before is made without a look', async () => {
  const { admin, happened } = adminOver(0);
  await admin.createTable(plainTable);
  expect(happened).toEqual(['create', 'look: active']);
});
