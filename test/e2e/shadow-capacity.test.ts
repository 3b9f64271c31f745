// Aim: on a server that does not throttle, --shadow-capacity names the hot index key and the share that the
// simulated table would throttle of the same load. Method: sharding.ts unsharded against dynalite with a
// shadow, and on the simulated table; 3,000 operations a second both times.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onlyRecord, removeFolder, runCli, temporaryFolder, variantOf, workloadOf } from '../support/cli.ts';
import { type IndependentServer, startDynalite } from '../support/independent-servers.ts';

let dynalite: IndependentServer;
const folders: string[] = [];

beforeAll(async () => {
  dynalite = await startDynalite();
});
afterAll(async () => {
  await dynalite.stop();
  await Promise.all(folders.map(removeFolder));
});

async function folder(): Promise<string> {
  const path = await temporaryFolder();
  folders.push(path);
  return path;
}

test('the shadow of a live run throttles what the simulated table throttles', async () => {
  const [live, simulated] = [await folder(), await folder()];
  const load = ['run', 'sharding', '--set', 'count=1', '--duration', '4s'];
  const target = ['--target', dynalite.url, '--shadow-capacity', 'gate', '--no-discard'];
  const { code, stdout } = await runCli([...load, ...target], { cwd: live });
  await runCli(load, { cwd: simulated });

  const shadowed = variantOf(await onlyRecord(live, 'sharding'), 'count=1');
  const truth = workloadOf(variantOf(await onlyRecord(simulated, 'sharding'), 'count=1'), 'placeOrder');
  const seen = shadowed.shadow?.workloads.find((one) => one.name === 'placeOrder');
  const ratio = (seen?.throttledOperations ?? 0) / (seen?.operations ?? 1);
  const trueRatio = truth.metrics['throttledRatio'] ?? 0;
  expect(trueRatio).toBeGreaterThan(0.6);
  expect(Math.abs(ratio / trueRatio - 1)).toBeLessThan(0.05);

  const result = await onlyRecord(live, 'sharding');
  expect(result.findings.find((one) => one.code === 'hot-index-key')).toMatchObject({ isModelled: true });
  expect(shadowed.goals.find((one) => one.metric === 'throttledRatio')).toMatchObject({
    status: 'missed',
    isModelled: true,
  });
  expect(stdout).toContain('STATUS#PENDING');
  expect(stdout).toMatch(/modelled/);
  expect([1, 4]).toContain(code);
});
