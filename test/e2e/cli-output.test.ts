// Aim: scripts can rely on the command: exit codes tell a missed goal from a met one, `--json` is nothing but
// JSON, colour comes only where it is asked for. Method: the built command on short simulated runs of the
// scenarios that ship.
import { spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRunResult } from '../../src/analysis/run-schema.ts';
import { onlyRecord, packageRoot, removeFolder, runCli, temporaryFolder } from '../support/cli.ts';

let folder = '';
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => removeFolder(folder));

/** Short, and still long enough for the reader's p99: 20 reads a second for 6 s. */
const short = ['run', 'sharding', '--duration', '6s'];

describe('the exit code of a run', () => {
  test.each([
    { when: 'a variant meets all goals', args: ['--set', 'count=1,10'], code: 0 },
    { when: 'no variant meets all goals', args: ['--set', 'count=1'], code: 1 },
    {
      when: 'a variant misses a goal and --gate asks for all',
      args: ['--set', 'count=1,10', '--gate'],
      code: 1,
    },
    {
      when: '--gate names a variant that misses',
      args: ['--set', 'count=1,10', '--gate', 'count=1'],
      code: 1,
    },
    {
      when: '--gate names a variant that meets',
      args: ['--set', 'count=1,10', '--gate', 'count=10'],
      code: 0,
    },
  ])('is $code when $when', async ({ args, code }) => {
    const end = await runCli([...short, ...args, '--out', 'codes'], { cwd: folder });
    expect(end.stdout).toContain(code === 0 ? 'PASS' : 'FAIL');
    expect(end.code).toBe(code);
  });
});

test('a reader that leaves before the end is no error', async () => {
  const command = join(packageRoot, 'dist', 'bin', 'dyno-load.js');
  const child = spawn(process.execPath, [command, ...short, '--set', 'count=10'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(stderr).not.toContain('EPIPE');
  expect(code).toBe(0);
});

describe('run --json', () => {
  test('prints the record and nothing else, as the schema says and as run.json has it', async () => {
    const cwd = join(folder, 'json');
    await mkdir(cwd);
    const end = await runCli([...short, '--set', 'count=10', '--json'], { cwd });
    const printed = parseRunResult(JSON.parse(end.stdout), 'stdout');
    expect(printed).toEqual(await onlyRecord(cwd, 'sharding'));
    expect(end.code).toBe(0);
    const again = await runCli(['report', join('reports', 'sharding', await onlyName(cwd)), '--json'], {
      cwd,
    });
    expect(JSON.parse(again.stdout)).toEqual(printed);
    expect(again.code).toBe(0);
  });
});

async function onlyName(cwd: string): Promise<string> {
  const [name = ''] = await readdir(join(cwd, 'reports', 'sharding'));
  return name;
}

describe('colour', () => {
  test.each([
    { when: 'there is no terminal', env: {}, isColored: false },
    { when: 'FORCE_COLOR asks for it', env: { FORCE_COLOR: '1' }, isColored: true },
    {
      when: 'NO_COLOR forbids it, whatever else is set',
      env: { NO_COLOR: '1', FORCE_COLOR: '1' },
      isColored: false,
    },
  ])('when $when: $isColored', async ({ env, isColored }) => {
    const args = ['run', 'query-vs-scan', '--duration', '1s', '--out', 'colors'];
    const { stdout, stderr } = await runCli(args, { cwd: folder, env });
    expect(stdout.includes('\u001b')).toBe(isColored);
    expect(stderr).not.toContain('\u001b');
  });
});

describe('the scenarios that ship', () => {
  test('are listed with the question that each answers', async () => {
    const { code, stdout, stderr } = await runCli(['list'], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of await shippedNames())
      expect(stdout).toMatch(new RegExp(`^${name}\\n {2}.+\\?\\n {2}.+${name}\\.ts$`, 'm'));
  });

  test('pass the check, types included', async () => {
    for (const name of await shippedNames()) {
      const { code, stdout, stderr } = await runCli(['check', name], { cwd: folder });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/\d+ variants, \d workloads?, ok; types checked by TypeScript \d/);
    }
  });
});

async function shippedNames(): Promise<readonly string[]> {
  const names = await readdir(join(packageRoot, 'scenarios'));
  expect(names.length).toBeGreaterThan(2);
  return names.map((name) => name.replace(/\.ts$/, ''));
}

test('a scenario of the working folder is found by its name, before one that ships', async () => {
  const cwd = join(folder, 'own');
  await mkdir(join(cwd, 'scenarios'), { recursive: true });
  const text = `import { defineScenario, put } from 'dyno-load';
export default defineScenario({
  question: 'Is mine found first?',
  tables: () => ({ keys: { partition: 'PK' } }),
  stages: [{ name: 'steady', duration: '1s' }],
  workloads: () => ({ write: put({ rate: 10, item: ({ seq }) => ({ PK: \`k\${seq}\` }) }) }),
});
`;
  await writeFile(join(cwd, 'scenarios', 'sharding.ts'), text);
  const { code, stdout } = await runCli(['run', 'sharding.ts'], { cwd });
  expect(stdout).toContain('Is mine found first?');
  expect(code).toBe(0);
});
