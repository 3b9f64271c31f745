// Aim: an error that nothing caught is put down to whose code threw it. Method: stacks of each kind.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { strayError } from '../../../src/cli/stray-error.ts';
import { DynoLoadError } from '../../../src/errors.ts';

const ours = fileURLToPath(new URL('../../../src/serve/service.ts', import.meta.url));

function errorAt(...frames: string[]): Error {
  const error = new Error('left alone');
  error.stack = ['Error: left alone', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

test.each([
  ['the scenario', errorAt('item (/home/me/orders.ts:3:7)', `next (file://${ours}:1:2)`)],
  ['the scenario, as a module', errorAt('file:///home/me/orders.ts:3:7')],
  [
    'what the scenario called in Node',
    errorAt('new URL (node:internal/url:797:36)', 'run (/home/me/orders.ts:3:7)'),
  ],
])('thrown in %s: its doing', (_, error) => {
  const told = strayError(error);
  expect(told).toBeInstanceOf(DynoLoadError);
  expect(told).toMatchObject({
    code: 'SCENARIO_FUNCTION_THREW',
    why: expect.stringContaining('/home/me/orders.ts:3:7'),
  });
});

test('a text is no error of ours', () => {
  expect(strayError('gone')).toMatchObject({ what: 'an error that nothing caught: gone' });
});

test.each([
  ['our own code', errorAt(`answer (${ours}:1:2)`, 'item (/home/me/orders.ts:3:7)')],
  ['Node alone', errorAt('afterWriteDispatched (node:internal/stream_base_commons:161:15)')],
  ['nobody knows where', errorAt()],
])('thrown in %s: a bug, told as it is', (_, error) => {
  expect(strayError(error)).toBe(error);
});
