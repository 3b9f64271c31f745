// Aim: the readings of the event loop are those of the time that is measured. Method: this very process is
// blocked before measuring, across its beginning, or after it.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ProcessHealthProbe } from '../../src/engine/generator-health.ts';

const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** The longest block that is told of 300 ms, of which so many are measured. */
async function longestMs(measuredMs: number): Promise<number> {
  const probe = new ProcessHealthProbe();
  probe.start();
  await sleep(30);
  if (measuredMs < 300) block(300);
  await sleep(30);
  probe.measure(measuredMs < 300 ? measuredMs : 0);
  await sleep(30);
  if (measuredMs === 300) block(300);
  await sleep(30);
  return probe.finish().eventLoopDelayMaxMs ?? 0;
}

test.each([
  ['before is forgotten', 0, 0, 150],
  ['across the beginning counts for what lay behind it', 200, 200, 250],
  ['while measured counts', 300, 280, Number.POSITIVE_INFINITY],
] as const)('a block of 300 ms %s', { retry: 2 }, async (_, measuredMs, least, most) => {
  const found = await longestMs(measuredMs);
  expect(found).toBeGreaterThanOrEqual(least);
  expect(found).toBeLessThan(most);
});
