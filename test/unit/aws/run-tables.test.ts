// Aim: tables are made as often as plans need and go when nobody needs them any more; whatever was written to a
// table that was there before is told to the next variant. Method: a table administration over a control port that
// keeps in order what is asked of it; filling is noted in the same list.
import { CreateTableCommand, DeleteTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { RunTables } from '../../../src/aws/run-tables.ts';
import { sharingNote } from '../../../src/aws/sharing-note.ts';
import { type ControlPort, TableAdmin } from '../../../src/aws/table-admin.ts';
import type { RunPlan } from '../../../src/scenario/run-plan.ts';
import { planOf } from '../../support/plan-builder.ts';

interface Wishes {
  readonly keepTables?: boolean;
  /** The table is there already. */
  readonly wereThere?: boolean;
}

function tablesOf({ keepTables = false, wereThere = false }: Wishes = {}) {
  const happened: string[] = [];
  const server = { isReachable: true, hasTable: wereThere };
  const answer = (command: object): object => {
    if (!server.isReachable) throw new Error('connect ECONNREFUSED');
    if (command instanceof CreateTableCommand) happened.push('create');
    if (command instanceof DeleteTableCommand) happened.push('delete');
    if (!(command instanceof DescribeTableCommand)) {
      server.hasTable = command instanceof CreateTableCommand;
      return { TableDescription: {} };
    }
    if (!server.hasTable) throw Object.assign(new Error('none'), { name: 'ResourceNotFoundException' });
    return { Table: { TableStatus: 'ACTIVE' } };
  };
  // The port's overloads want another type for each command; only `never` is all of them.
  const control: ControlPort = { send: async (command: object) => answer(command) as never };
  const admin = new TableAdmin({ control, endpointText: 'http://x:1', pause: async () => undefined });
  const tables = new RunTables({
    admin,
    keepTables,
    isThrottling: true,
    prepare: async (plan) => {
      if (!wereThere) await admin.createTables(plan.tables);
      return { specs: plan.tables, wereThere, writable: new Set(['t']) };
    },
    fill: async (plan) => {
      if (plan.preloads.length > 0) happened.push('fill');
    },
  });
  const open = (plan: RunPlan) => tables.open(plan, () => undefined, new AbortController().signal);
  /** Opens a variant and ends it, as a provider does. */
  const runOne = async (plan: RunPlan) => {
    const opened = await open(plan);
    if (!(await tables.areKept())) await tables.remove();
    return opened;
  };
  return { tables, happened, server, runOne };
}

const preloads = [{ name: 'p', tableName: 't', count: 1_500, itemAt: () => ({ PK: { S: 'a' } }) }];
const writer: RunPlan = { ...planOf({}), preloads };
const reader: RunPlan = { ...writer, onlyReads: true };
const sharer: RunPlan = { ...reader, sharesTables: true };

describe('tables that are made', () => {
  test.each([
    ['writers', writer],
    ['readers of different items', reader],
  ])('are fresh for each of two %s', async (_, plan) => {
    const { tables, happened, runOne } = tablesOf();
    await runOne(plan);
    await runOne(plan);
    expect(happened).toEqual(['create', 'fill', 'delete', 'create', 'fill', 'delete']);
    expect(tables.notes).toEqual([]);
  });

  test('are made and filled once for those who share them, and go when the run is over', async () => {
    const { tables, happened, runOne } = tablesOf();
    const opened = [await runOne(sharer), await runOne(sharer), await runOne(sharer)];
    expect(happened).toEqual(['create', 'fill']);
    expect(tables.leaving).toEqual(['t']);
    expect(opened.map(({ isCarriedOver }) => isCarriedOver)).toEqual([false, false, false]);
    expect(tables.notes.join()).toContain('2 preloads of 1,500 items saved');
    expect(tables.areShared).toBe(true);
    await tables.remove();
    expect(happened).toEqual(['create', 'fill', 'delete']);
    expect([tables.areShared, tables.leaving]).toEqual([false, []]);
    expect(tables.notes).toHaveLength(1);
  });

  test('may not be written to once they are shared', async () => {
    const { runOne } = tablesOf();
    expect((await runOne(writer)).tables.writable).toEqual(new Set(['t']));
    expect((await runOne(sharer)).tables.writable).toEqual(new Set());
  });

  test('stay where they are to be kept', async () => {
    const { tables, happened, runOne } = tablesOf({ keepTables: true });
    await runOne(sharer);
    await runOne(sharer);
    await tables.remove();
    expect(happened).toEqual(['create', 'fill']);
    expect(tables.leaving).toEqual([]);
    expect(tables.notes.at(-1)).toBe('Tables that --keep-tables left, until you delete them: t.');
  });

  test('need no note where one run alone used them', async () => {
    const { tables, runOne } = tablesOf();
    await runOne(sharer);
    expect(tables.notes).toEqual([]);
  });

  test('are no longer shared where the server is gone after a run: deleting them says so, and is tried once', async () => {
    const { tables, server, runOne } = tablesOf();
    await runOne(sharer);
    server.isReachable = false;
    expect(await tables.areKept()).toBe(false);
    await expect(tables.remove()).rejects.toThrow('cannot delete table "t"');
    expect(tables.areShared).toBe(false);
    expect(tables.leaving).toEqual(['t']);
  });
});

describe('a table that was there before', () => {
  test.each<[string, readonly RunPlan[], readonly boolean[]]>([
    ['two writers', [writer, writer], [false, true]],
    ['two readers that put in other items', [reader, reader], [false, true]],
    ['two readers of the same items', [sharer, sharer], [false, false]],
    ['readers without a preload', [{ ...reader, preloads: [] }, reader, reader], [false, false, true]],
  ])('is carried over to the later of %s', async (_, plans, expected) => {
    const { tables, happened, runOne } = tablesOf({ wereThere: true });
    const found: boolean[] = [];
    for (const plan of plans) found.push((await runOne(plan)).isCarriedOver);
    expect(found).toEqual(expected);
    await tables.remove();
    expect(happened).not.toContain('delete');
  });

  test('is filled once for those who share it', async () => {
    const { happened, runOne } = tablesOf({ wereThere: true });
    await runOne(sharer);
    await runOne(sharer);
    expect(happened).toEqual(['fill']);
  });
});

test.each([
  [
    { plan: sharer, runs: 6, isThrottling: true },
    'All variants only read, so they shared one table filled once for 7 runs, 6 preloads of 1,500 items saved. ' +
      'What throttling depends on was carried over from run to run: burst that was used up, adaptive capacity, splits.',
  ],
  [
    { plan: { ...sharer, preloads: [] }, runs: 1, isThrottling: false },
    'All variants only read, so they shared one table made once for 2 runs.',
  ],
  [
    { plan: { preloads, tables: [...sharer.tables, ...sharer.tables] }, runs: 1, isThrottling: false },
    'All variants only read, so they shared 2 tables filled once for 2 runs, 1 preload of 1,500 items saved.',
  ],
])('the note of %j', (facts, text) => {
  expect(sharingNote(facts)).toBe(text);
});
