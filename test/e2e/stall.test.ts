// Aim: a server that freezes for two seconds cannot hide it. Response times count from when operations were
// due, nothing is dropped, and three seconds after the thaw service is as before. Method: 60 s at 1,000/s on
// the wall clock against a server in another process; the same in virtual time, with the arithmetic, is
// test/simulation/stall.test.ts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onlyRecord, removeFolder, runCli, temporaryFolder, variantOf, workloadOf } from '../support/cli.ts';
import { type PacedServer, startPacedServer } from '../support/paced-server.ts';

const FREEZE_AFTER_MS = 30_000;
const FREEZE_MS = 2_000;

/**
 * Stages part what was due before the freeze from what was due three seconds after the thaw, or later. The first
 * five seconds are apart: both processes compile their code then.
 */
const scenario = `import { defineScenario, put } from 'dyno-load';
export default defineScenario({
  question: 'What does a freeze of two seconds do?',
  tables: () => ({ keys: { partition: 'PK' }, billing: 'on-demand' }),
  stages: [
    { name: 'start', duration: '5s' },
    { name: 'before', duration: '24s' },
    { name: 'freeze', duration: '6s' },
    { name: 'after', duration: '25s' },
  ],
  workloads: () => ({ write: put({ rate: 1_000, item: ({ seq }) => ({ PK: 'K#' + seq }) }) }),
});
`;

let folder = '';
let server: PacedServer | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'stall.ts'), scenario);
  server = await startPacedServer({ freeze: { afterMs: FREEZE_AFTER_MS, forMs: FREEZE_MS } });
});
afterEach(async () => {
  await server?.stop();
  await removeFolder(folder);
});

// The machine itself may stall for a moment: then it is tried again.
test('the p99 of responses shows a freeze of 2 s, no operation is dropped, and afterwards all is as before', {
  retry: 2,
  timeout: 150_000,
}, async () => {
  await runCli(['run', 'stall.ts', '--target', server?.url ?? '', '--no-discard'], { cwd: folder });
  const write = workloadOf(variantOf(await onlyRecord(folder, 'stall'), 'default'), 'write');
  expect(write.measured).toMatchObject({ planned: 60_000, started: 60_000, finished: 60_000 });
  expect(write.measured.outcomes).toMatchObject({ ok: 60_000, dropped: 0, timedOut: 0 });
  // The six hundred worst of two thousand leave 1.4 s; what is more is the time that the server takes to catch up.
  const p99Us = write.measured.response.ok?.p99Us;
  expect(p99Us).toBeGreaterThan(1_360_000);
  expect(p99Us).toBeLessThan(1_700_000);
  const service = new Map(write.stages.map(({ name, totals }) => [name, totals.service.ok]));
  expect(service.get('freeze')?.maxUs).toBeGreaterThan(1_900_000);
  expect(service.get('after')?.p99Us).toBeLessThanOrEqual(2 * (service.get('before')?.p99Us ?? 0));
});
