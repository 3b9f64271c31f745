// Aim: whatever is wrong with a command line, a scenario or an endpoint is told in three parts on stderr,
// with the right exit code, nothing on stdout and no run folder left behind. Method: the built command, one
// row per mistake; endpoints that misbehave are servers of this test.
import { readdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { type CliResult, removeFolder, runCli, temporaryFolder } from '../support/cli.ts';
import { freePort } from '../support/independent-servers.ts';

const imports = `import { defineScenario, filler, put, query } from 'dyno-load';\n`;

/** A scenario file with one workload. */
function scenarioWith(workload: string): string {
  return `${imports}export default defineScenario({
  question: 'Does it work?',
  parameters: { count: [1, 2], mode: ['slow', 'fast'], how: { first: 1, second: 2 } },
  tables: () => ({ keys: { partition: 'PK' }, indexes: { GSI1: { partition: 'G', projection: 'ALL' } } }),
  stages: [{ name: 'steady', duration: '1s' }],
  workloads: () => ({ ask: ${workload} }),
});
`;
}

const files: Readonly<Record<string, string>> = {
  'sound.ts': scenarioWith(`put({ rate: 10, item: ({ seq }) => ({ PK: \`k\${seq}\`, G: 'g' }) })`),
  'syntax-error.ts': `${imports}\nexport default defineScenario({ question: 'Does it' work });\n`,
  'no-default.ts': `export const scenario = 1;\n`,
  'throws.ts': `throw new Error('no luck today');\n`,
  'missing-import.ts': `import { a } from 'left-out';\nexport default a;\n`,
  'not-a-scenario.ts': `export default { question: 'Does it work?' };\n`,
  'several.ts': scenarioWith(`put({ rate: -5, timeout: 'soon', item: { PK: 'a' } })`),
  'negative-rate.ts': scenarioWith(`put({ rate: -5, item: { PK: 'a' } })`),
  'no-such-index.ts': scenarioWith(`query({ rate: 1, index: 'GSI2', partition: 'a' })`),
  'oversize.ts': scenarioWith(`put({ rate: 1, item: { PK: 'a', body: filler('401 KB') } })`),
  'filler-in-filter.ts': scenarioWith(
    `query({ rate: 1, partition: 'a', filter: { expression: 'b = :b', values: { ':b': filler('9 B') } } })`,
  ),
  'item-throws.ts': scenarioWith(
    `put({ rate: 1, item: ({ seq }) => { if (seq > 5) throw new Error('out of orders'); return { PK: 'a' }; } })`,
  ),
  'many-items.ts': scenarioWith(`put({ rate: 1_000, item: ({ seq }) => ({ PK: \`k\${seq}\`, G: 'g' }) })`),
  'a-file': 'not a folder',
};

/** What is wrong, the command line, the error, and what its text must tell. All end with exit code 2. */
const mistakes: readonly (readonly [string, string, ErrorCode, readonly RegExp[]])[] = [
  ...['x@evil.example/', '../evil', 'EU-WEST-1', ''].flatMap((region) =>
    ['aws', 'http://127.0.0.1:9', 'serve'].map(
      (target) =>
        [
          `"${region}" as the region of ${target}`,
          `run sound.ts --target ${target} --region=${region}`,
          'USAGE',
          [/the region ".*" of --region is none/, /--region eu-west-1/],
        ] as const,
    ),
  ),
  [
    'a scenario that is not there',
    'run shardng.ts',
    'SCENARIO_NOT_FOUND',
    [/there is no scenario "shardng\.ts"/, /did you mean "sharding"\?/],
  ],
  [
    'a syntax error in the scenario',
    'run syntax-error.ts',
    'SCENARIO_NOT_LOADED',
    [/syntax-error\.ts:3:\d+/],
  ],
  [
    'a scenario without a default export',
    'run no-default.ts',
    'SCENARIO_NO_DEFAULT_EXPORT',
    [/it exports scenario/, /export default defineScenario/],
  ],
  ['a default export that is no scenario', 'run not-a-scenario.ts', 'SCENARIO_INVALID', [/defineScenario/]],
  ['a scenario that throws', 'run throws.ts', 'SCENARIO_NOT_LOADED', [/throws\.ts:1:/, /no luck today/]],
  [
    'a package that is not installed',
    'run missing-import.ts',
    'SCENARIO_NOT_LOADED',
    [/left-out/, /npm install left-out/],
  ],
  [
    'an unknown parameter in --set',
    'run sound.ts --set cuont=3',
    'SCENARIO_INVALID',
    [/--set cuont/, /did you mean "count"\?/],
  ],
  [
    'a value that is not declared for a parameter of texts',
    'run sound.ts --set mode=fats',
    'SCENARIO_INVALID',
    [/has the value "fats"/, /"slow", "fast"/, /did you mean "fast"\?/],
  ],
  [
    'a choice that is not declared',
    'run sound.ts --set how=third',
    'SCENARIO_INVALID',
    [/has the value "third"/, /"first", "second"/],
  ],
  [
    'a text for a parameter of numbers',
    'run sound.ts --set count=many',
    'SCENARIO_INVALID',
    [/has the value "many"/, /numbers/],
  ],
  ['--set without a value', 'run sound.ts --set count', 'USAGE', [/--set is "count"/, /--set count=1,4,16/]],
  [
    'an unknown flag',
    'run sound.ts --rate-facto 2',
    'USAGE',
    [/unknown option '--rate-facto'/, /did you mean --rate-factor\?/],
  ],
  ['an unknown command', 'rnu sound.ts', 'USAGE', [/unknown command 'rnu'/, /did you mean run\?/]],
  [
    'a command without what it works on',
    'run',
    'USAGE',
    [/missing required argument 'scenario'/, /dyno-load run --help/],
  ],
  [
    'a negative rate',
    'run negative-rate.ts',
    'SCENARIO_INVALID',
    [/workloads\.ask\.rate in negative-rate\.ts is -5/, /above zero/],
  ],
  [
    'several problems at once',
    'run several.ts',
    'SCENARIO_INVALID',
    [/workloads\.ask\.rate/, /workloads\.ask\.timeout/],
  ],
  [
    'an index that does not exist',
    'run no-such-index.ts',
    'SCENARIO_INVALID',
    [/workloads\.ask\.index in no-such-index\.ts is "GSI2"/, /"GSI1"/],
  ],
  [
    'an item over 400 KB',
    'run oversize.ts',
    'ITEM_TOO_LARGE',
    [/workloads\.ask in oversize\.ts/, /"body"/, /409,600 bytes/],
  ],
  [
    'a filler inside a filter',
    'run filler-in-filter.ts',
    'OPERATION_INVALID',
    [/workloads\.ask in filler-in-filter\.ts/, /:b/],
  ],
  [
    'an item function that throws',
    'run item-throws.ts',
    'SCENARIO_FUNCTION_THREW',
    [/workloads\.ask in \S+ \(operation 6\) threw/, /out of orders/, /item-throws\.ts:\d+/],
  ],
  [
    'a gate on a variant that is none',
    'run sound.ts --set mode=slow --set how=first --gate count=10',
    'USAGE',
    [/--gate names "count=10"/, /"count=1, mode=slow, how=first"/],
  ],
  ['a duration without a unit', 'run sound.ts --duration 30', 'USAGE', [/--duration is "30"/, /30s/]],
  ['no name of a folder', 'run sound.ts --out=', 'USAGE', [/--out is ""/, /it must be a folder/]],
  ['a rate factor of zero', 'run sound.ts --rate-factor 0', 'USAGE', [/--rate-factor is "0"/, /above 0/]],
  ['a seed that is no number', 'run sound.ts --seed lucky', 'USAGE', [/--seed is "lucky"/, /whole number/]],
  [
    'a seed that is not in plain decimal digits',
    'run sound.ts --seed 0x50',
    'USAGE',
    [/--seed is "0x50"/, /plain decimal digits/],
  ],
  [
    'more new items than memory holds',
    'run many-items.ts --duration 12h',
    'RUN_TOO_LARGE',
    [/writes about 43,000,000 new items, which take about \d+\.\d GB/, /--max-old-space-size=\d+/],
  ],
  [
    'a target that is no URL of a server',
    'run sound.ts --target ftp://127.0.0.1',
    'USAGE',
    [/ftp:\/\/127\.0\.0\.1/, /http:\/\/localhost:8000/],
  ],
  ['the report of a folder that is none', 'report reports/nowhere', 'RUN_FOLDER_INVALID', [/nowhere/]],
  [
    'a check of a scenario with a mistake',
    'check negative-rate.ts',
    'SCENARIO_INVALID',
    [/workloads\.ask\.rate in negative-rate\.ts is -5/],
  ],
];

let folder = '';

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});
afterAll(() => removeFolder(folder));

/** Code, what, why, fix on stderr; nothing else anywhere. */
async function expectError(
  { code, stdout, stderr }: CliResult,
  expected: { code: number; error: ErrorCode },
): Promise<void> {
  expect(stderr).toMatch(new RegExp(`^${expected.error}  \\S`));
  expect(stderr).toMatch(/\n {2}why: \S/);
  expect(stderr).toMatch(/\n {2}fix: \S/);
  expect(stderr).not.toMatch(/\n {4}at /); // No stack trace: nothing here is a bug of ours.
  expect(stdout).toBe('');
  expect(code).toBe(expected.code);
  expect(await readdir(folder)).not.toContain('reports');
}

test.each(mistakes)('%s: %s ends with exit code 2 and %s', async (_, line, error, tells) => {
  const end = await runCli(line.split(' '), { cwd: folder });
  await expectError(end, { code: 2, error });
  for (const words of tells) expect(end.stderr).toMatch(words);
});

// A target that is open would keep the process alive.
test.for([
  ['the simulated table', []],
  ['a server of our own', ['--target', 'serve']],
] as const)('a folder for runs that cannot be made ends a run on %s', async ([, target]) => {
  const end = await runCli(['run', 'sound.ts', '--out', 'a-file', ...target], { cwd: folder });
  await expectError(end, { code: 3, error: 'RUN_FOLDER_UNWRITABLE' });
  expect(end.stderr).toMatch(/recorded at a-file.*\n.*\n {2}fix: .*--out/);
});

describe('an endpoint', () => {
  const running: Server[] = [];
  afterAll(() => {
    for (const server of running) server.close();
  });

  async function listen(server: Server): Promise<string> {
    running.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // A TCP server's address is an object.
  }

  test('that refuses the connection ends with exit code 3 and TARGET_UNREACHABLE', async () => {
    const target = `http://127.0.0.1:${await freePort()}`;
    const end = await runCli(['run', 'sound.ts', '--target', target], { cwd: folder });
    await expectError(end, { code: 3, error: 'TARGET_UNREACHABLE' });
    expect(end.stderr).toContain(target);
    expect(end.stderr).toMatch(/nothing listens there/);
  });

  test('that serves web pages ends with exit code 3 and TARGET_NOT_DYNAMODB', async () => {
    const pages = createHttpServer((_, answer) => {
      answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Welcome</title>');
    });
    const end = await runCli(['run', 'sound.ts', '--target', await listen(pages)], { cwd: folder });
    await expectError(end, { code: 3, error: 'TARGET_NOT_DYNAMODB' });
  });

  test('that sends something other than HTTP ends with exit code 3 and TARGET_NOT_DYNAMODB', async () => {
    const greeter = createTcpServer((socket) => {
      socket.on('error', () => undefined); // The other side hangs up on it, as it should.
      socket.write('220 mail.example.com ready\r\n');
    });
    const end = await runCli(['run', 'sound.ts', '--target', await listen(greeter)], { cwd: folder });
    await expectError(end, { code: 3, error: 'TARGET_NOT_DYNAMODB' });
  });

  test('that accepts and never answers ends with exit code 3 and TARGET_UNREACHABLE', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => undefined).resume());
    const end = await runCli(['run', 'sound.ts', '--target', await listen(silent)], { cwd: folder });
    await expectError(end, { code: 3, error: 'TARGET_UNREACHABLE' });
    expect(end.stderr).toMatch(/nothing answered in time/);
  });
});

test('a parameter may have a name that every object inherits', async () => {
  const source = (files['sound.ts'] as string).replace('count: [1, 2]', 'constructor: [1, 2]');
  await writeFile(join(folder, 'inherited.ts'), source);
  const out = await temporaryFolder();
  const { code, stdout } = await runCli(
    ['run', 'inherited.ts', '--out', out, '--json', '--set', 'mode=slow', '--set', 'how=first'],
    { cwd: folder },
  );
  expect(code).toBe(0);
  await removeFolder(out);
  expect(JSON.parse(stdout)).toMatchObject({ scenario: { parameters: { constructor: [1, 2] } } });
});
