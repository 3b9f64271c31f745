// Aim: load far above what the server or the generator can take is invalid, a quarter of it is valid, and a
// single long block of the event loop makes a run suspect. Method: the command against a server in another
// process whose capacity is set, and scenario functions that take a set time, so that both capacities are the
// test's own and not the machine's. The server takes its time too: lateness below a quarter of the service
// time is harmless, so that what other programs do to the processor decides nothing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { onlyRecord, removeFolder, runCli, temporaryFolder, variantOf } from '../support/cli.ts';
import type { Pace } from '../support/paced-process.ts';
import { type PacedServer, startPacedServer } from '../support/paced-server.ts';

/** Lateness of half a second is harmless then. */
const SLOW_MS = 2_000;

let folder = '';
let server: PacedServer | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await removeFolder(folder);
});

/**
 * A scenario of puts whose item function first does `busy`. A block sleeps: it stops the event loop and
 * leaves the processor to others.
 */
function scenarioOf({
  policy = '',
  busy = '',
  load = 'rate: perSecond',
  warmUp = '',
}: {
  readonly policy?: string;
  readonly busy?: string;
  readonly load?: string;
  readonly warmUp?: string;
}): string {
  return `import { defineScenario, put } from 'dyno-load';
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
export default defineScenario({
  question: 'Can these figures be believed?',
  parameters: { perSecond: [50] },
  tables: () => ({ keys: { partition: 'PK' }, billing: 'on-demand' }),
  stages: [${warmUp}{ name: 'steady', duration: '10s' }],
  workloads: ({ perSecond }) => ({
    write: put({ ${load}, ${policy} item: ({ seq }) => { ${busy} return { PK: 'K#' + seq }; } }),
  }),
});
`;
}

async function judge(
  scenario: string,
  {
    pace,
    perSecond,
    duration,
  }: { readonly pace: Pace; readonly perSecond: number; readonly duration: string },
) {
  server = await startPacedServer(pace);
  await writeFile(join(folder, 'judged.ts'), scenario);
  const load = ['--set', `perSecond=${perSecond}`, '--duration', duration, '--no-discard', '--workers', '1'];
  const { code, stdout } = await runCli(['run', 'judged.ts', '--target', server.url, ...load], {
    cwd: folder,
  });
  const { validity, generatorHealth } = variantOf(
    await onlyRecord(folder, 'judged'),
    `perSecond=${perSecond}`,
  );
  const codes = validity.reasons.map((reason) => reason.code);
  const { eventLoopDelayMaxMs } = generatorHealth;
  return { exitCode: code, stdout, status: validity.status, codes, eventLoopDelayMaxMs };
}

// Another program may take the processor for a moment, and then figures are suspect with reason.
const patient = { retry: 2 };

describe('a server that answers 200 a second', () => {
  const scenario = scenarioOf({ policy: "timeout: '4s'," });
  const pace = { perSecond: 200, latencyMs: SLOW_MS };

  test('under ten times that: invalid, the target is saturated, exit code 4', async () => {
    const judged = await judge(scenario, { pace, perSecond: 2_000, duration: '5s' });
    expect(judged.status).toBe('invalid');
    expect(judged.codes).toContain('target-saturated');
    expect(judged.exitCode).toBe(4);
    expect(judged.stdout).toMatch(/target is saturated by write/);
  });

  test('under a quarter of it: valid', patient, async () => {
    const judged = await judge(scenario, { pace, perSecond: 50, duration: '10s' });
    expect(judged).toMatchObject({ status: 'valid', codes: [], exitCode: 0 });
  });
});

describe('a generator that makes 250 operations a second', () => {
  const scenario = scenarioOf({ policy: 'maxInFlight: 150,', busy: 'block(4);' });

  test('asked for ten times that: invalid, and it is the generator, exit code 4', async () => {
    const judged = await judge(scenario, { pace: {}, perSecond: 2_500, duration: '2s' });
    expect(judged.status).toBe('invalid');
    expect(judged.codes).toContain('generator-late');
    expect(judged.codes).not.toContain('target-saturated');
    expect(judged.exitCode).toBe(4);
  });

  test('asked for a quarter of it: valid', patient, async () => {
    const judged = await judge(scenario, { pace: { latencyMs: SLOW_MS }, perSecond: 62, duration: '10s' });
    expect(judged).toMatchObject({ status: 'valid', codes: [], exitCode: 0 });
  });
});

test('a block of 300 ms in 30 s: suspect, with its length', patient, async () => {
  // At 100 a second, the operation of the fifteenth second.
  const scenario = scenarioOf({ busy: 'if (seq === 1_500) block(300);' });
  const judged = await judge(scenario, { pace: { latencyMs: 200 }, perSecond: 100, duration: '30s' });
  expect(judged).toMatchObject({ status: 'suspect', exitCode: 0 });
  // On a machine that others keep busy more is late, and then the percentile shows it too.
  expect(judged.codes[0]).toMatch(/^generator-(stalled|late)$/);
  expect(judged.stdout).toContain(judged.codes[0]);
  expect(judged.eventLoopDelayMaxMs).toBeGreaterThanOrEqual(295);
});

// Nothing is due in a closed loop: only the event loop itself shows a block.
test.each([
  ['in the warm-up: forgotten', 50, []],
  ['while measured: suspect', 300, ['event-loop-blocked']],
] as const)('a block of 300 ms in a closed loop, %s', patient, async (_, sequence, codes) => {
  const scenario = scenarioOf({
    load: "concurrency: perSecond, pause: '20ms'",
    warmUp: "{ name: 'warm-up', duration: '2s', measured: false }, ",
    busy: `if (seq === ${sequence}) block(300);`,
  });
  const judged = await judge(scenario, { pace: { latencyMs: 30 }, perSecond: 3, duration: '10s' });
  expect(judged.codes).toEqual(codes);
});
