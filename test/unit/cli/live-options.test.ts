// Aim: an option that would do nothing on the simulated table is refused by name, never passed over. Method:
// the command's own list of live options, each given alone, and all at once.
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  addLiveOptions,
  type LiveRunOptions,
  refuseLiveOptions,
} from '../../../src/cli/live/live-options.ts';
import { DynoLoadError } from '../../../src/errors.ts';

const given: readonly (readonly [flag: string, options: LiveRunOptions])[] = [
  ['--region', { region: 'eu-west-1' }],
  ['--profile', { profile: 'work' }],
  ['--table', { table: 'orders' }],
  ['--allow-writes-to', { allowWritesTo: ['orders'] }],
  ['--reuse-table', { reuseTable: true }],
  ['--no-preload', { preload: false }],
  ['--allow-warm-throughput', { allowWarmThroughput: true }],
  ['--keep-tables', { keepTables: true }],
  ['--yes', { yes: true }],
  ['--max-cost', { maxCost: 1 }],
  ['--cloudwatch-endpoint', { cloudwatchEndpoint: 'http://127.0.0.1:1' }],
  ['--shadow-capacity', { shadowCapacity: true }],
  ['--no-discard', { discard: false }],
];

function refusal(options: LiveRunOptions): DynoLoadError {
  try {
    refuseLiveOptions(options);
  } catch (error) {
    if (error instanceof DynoLoadError) return error;
  }
  throw new Error('nothing was refused');
}

describe('on the simulated table', () => {
  test.each(given)('%s is refused', (flag, options) => {
    const { code, exitCode, what, why, fix } = refusal(options);
    expect([code, exitCode, what]).toEqual(['USAGE', 2, `${flag} on the simulated table`]);
    expect([why, fix]).not.toContain('');
  });

  test('all are named at once', () => {
    const options = Object.assign({}, ...given.map(([, one]) => one)) as LiveRunOptions; // Merged rows of that type.
    expect(refusal(options).what).toBe(`${given.map(([flag]) => flag).join(', ')} on the simulated table`);
  });

  test('what the command sets by itself, and what works there too, is not refused', () => {
    const options: LiveRunOptions = { preload: true, discard: true, redactKeys: true };
    const observed: LiveRunOptions = { cloudwatch: true, contributorInsights: 'accessed' };
    expect(() => refuseLiveOptions({ ...options, ...observed })).not.toThrow();
  });

  test('no live option of the command is forgotten but those that work there too', () => {
    const command = new Command();
    addLiveOptions(command);
    const work = ['--redact-keys', '--cloudwatch', '--contributor-insights'];
    const flags = command.options.map(({ long }) => String(long)).filter((flag) => !work.includes(flag));
    expect(given.map(([flag]) => flag)).toEqual(expect.arrayContaining(flags));
  });
});
