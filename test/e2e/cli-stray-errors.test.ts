// Aim: an error of the scenario's own code that nothing caught ends a run as any other does: with a report, a
// reason, its exit code, and no table left. Method: the built command, simulated and against our own server,
// with a put whose item function leaves an error behind.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/serve/start-server.ts';
import { onlyRecord, removeFolder, runCli, temporaryFolder } from '../support/cli.ts';
import { tableNames } from '../support/tables.ts';

let folder = '';
let server: RunningServer;
beforeEach(async () => {
  folder = await temporaryFolder();
  server = await startServer({ version: 'test' });
});
afterEach(async () => {
  await server.stop();
  await removeFolder(folder);
});

const rejected = "void Promise.reject(new Error('left alone'));";
const thrown = "setTimeout(() => { throw new Error('left alone'); }, 1);";

/** @param at  the operation that does it; the first 1,000 are also made before the run */
async function scenarioOf(at: number, stray: string): Promise<void> {
  const text = `
import { defineScenario, put } from 'dyno-load';
export default defineScenario({
  question: 'What becomes of an error that nothing catches?',
  parameters: { variant: ['first', 'second'] },
  tables: () => ({ keys: { partition: 'PK' } }),
  stages: [{ name: 'steady', duration: '20s' }],
  workloads: () => ({
    w: put({ rate: 500, item: ({ seq }) => { if (seq === ${at}) { ${stray} } return { PK: 'k' + seq }; } }),
  }),
});
`;
  await writeFile(join(folder, 'stray.ts'), text);
}

describe.each([
  ['a promise that nobody waits for', rejected],
  ['a timer', thrown],
])('an error in %s', (_, stray) => {
  test('under load on a server: what was measured is reported, the tables go', async () => {
    await scenarioOf(1_200, stray);
    const end = await runCli(
      ['run', './stray.ts', '--target', server.url, '--no-discard', '--workers', '1'],
      {
        cwd: folder,
      },
    );
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/SCENARIO_FUNCTION_THREW .*nothing caught: left alone\n {2}why: .*stray\.ts:/);
    expect(end.stdout).toMatch(/^Target: [^]{1,150}STOPPED BY AN ERROR/);
    const result = await onlyRecord(folder, 'stray');
    expect(result.variants).toHaveLength(1);
    expect(result.variants[0]?.workloads[0]?.measured.outcomes.ok).toBeGreaterThan(500);
    expect(await tableNames(server.url)).toEqual([]);
  });

  test('before load: told like any other', async () => {
    await scenarioOf(5, stray);
    const end = await runCli(['run', './stray.ts'], { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/^SCENARIO_FUNCTION_THREW .*left alone\n {2}why: .*\n {2}fix: .*\n$/);
    expect(end.stdout).toBe('');
  });
});

test('a rejected promise in virtual time ends the run with a report', async () => {
  await scenarioOf(1_200, rejected);
  const end = await runCli(['run', './stray.ts'], { cwd: folder });
  expect(end.code).toBe(2);
  expect(end.stderr).toContain('nothing caught: left alone');
  expect(end.stdout).toMatch(/STOPPED\s+BY\s+AN\s+ERROR/);
});

describe('what the scenario leaves behind the end of the command', () => {
  const scenario = (stray: string, workload: string): string => `
import { defineScenario, flow, put } from 'dyno-load';
${stray}
export default defineScenario({
  question: 'What becomes of what is left open?',
  tables: () => ({ keys: { partition: 'PK' } }),
  stages: [{ name: 'steady', duration: '1s' }],
  workloads: () => ({ w: ${workload} }),
});
`;
  const aPut = "put({ rate: 10, item: ({ seq }) => ({ PK: 'k' + seq }) })";

  test.each(['run', 'check'])(
    'a timer that goes on does not keep %s from ending',
    async (command) => {
      await writeFile(join(folder, 'open.ts'), scenario('setInterval(() => undefined, 1_000);', aPut));
      const end = await runCli([command, './open.ts'], { cwd: folder });
      expect(end.code).toBe(0);
      expect(end.stdout).toContain(command === 'run' ? 'Record: ' : 'ok');
    },
    20_000,
  );

  test('an error in a timer is told, and the exit code stays that of the command', async () => {
    // Once the command has chosen its exit code.
    const late =
      "const at = setInterval(() => { if (process.exitCode === 0) { clearInterval(at); throw new Error('left alone'); } }, 5);";
    await writeFile(join(folder, 'late.ts'), scenario(late, aPut));
    const end = await runCli(['run', './late.ts'], { cwd: folder });
    expect(end.stdout).toContain('Record: ');
    expect(end.stderr).toMatch(/SCENARIO_FUNCTION_THREW .*nothing caught: left alone/);
    expect(end.code).toBe(0);
  }, 20_000);

  test('a faulty request of a flow that nobody awaits is told in our own words', async () => {
    const workload = 'flow({ rate: 10, run: (db) => { db.put({ item: {} }); } })';
    await writeFile(join(folder, 'unawaited.js'), scenario('', workload));
    const end = await runCli(['run', './unawaited.js'], { cwd: folder });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('is called without a label');
    expect(end.stderr).not.toMatch(/^ {4}at /m);
  }, 20_000);
});
