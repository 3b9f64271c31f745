// How waiting on live targets ends, and that it leaves no trace. Method: stepped time, a signal of the test's
// own, and Node's own warnings.
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitMs } from '../../../src/aws/live-time.ts';
import { SteppedTime } from '../../support/stepped-time.ts';

test('many waits under one signal end with it, and Node warns of none', async () => {
  const warnings: string[] = [];
  const keep = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', keep);
  const stop = new AbortController();
  const waits = Array.from({ length: 20 }, () => waitMs(new SteppedTime(0).live(), 1_000, stop.signal));
  await turn();
  process.off('warning', keep);
  stop.abort();
  expect(await Promise.all(waits)).toHaveLength(20);
  expect(warnings).toEqual([]);
});

test('a signal that was given before leaves nothing to wait for', async () => {
  expect(await waitMs(new SteppedTime(0).live(), 1_000, AbortSignal.abort())).toBeUndefined();
});
