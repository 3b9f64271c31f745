// Aim: the files that --latency takes are read as they are meant, and others refused with what is wrong.
// Method: files in a folder of their own; a log as a run writes it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLatency } from '../../../src/cli/latency-file.ts';
import type { Request } from '../../../src/dynamodb/operation.ts';
import { DynoLoadError } from '../../../src/errors.ts';
import { histogramLogHead } from '../../../src/report/histogram-log.ts';
import { LatencyHistogram } from '../../../src/stats/histogram.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dyno-load-latency-'));
});
afterEach(() => rm(folder, { recursive: true }));

const get: Request = { api: 'GetItem', input: { TableName: 't', Key: {} } };
const put: Request = { api: 'PutItem', input: { TableName: 't', Item: {} } };

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'latency');
  await writeFile(path, text);
  return path;
}

const encoded = (...timesUs: readonly number[]) => {
  const histogram = new LatencyHistogram();
  for (const us of timesUs) histogram.record(us);
  return histogram.toRecord().encoded;
};

test.each([
  ['none', 'none', false],
  ['aws', 'modelled', true],
  ['modelled', 'modelled', true],
])('%s needs no file', (text, kind, hasTimes) => {
  const choice = readLatency(text);
  expect([choice.kind, choice.times !== undefined]).toEqual([kind, hasTimes]);
});

test('a log of a run gives its measured times in their shares, and not those of its warm-up', async () => {
  const lines = [
    `Tag=warm-up,0.000,1.000,9.000,${encoded(9_000, 9_000)}`,
    `1.000,1.000,2.000,${encoded(1_000, 1_000, 2_000)}`,
    `2.000,1.000,2.000,${encoded(2_000)}`,
  ];
  const path = await fileOf(`${histogramLogHead('variant', 'read', 0)}${lines.join('\n')}\n`);
  const { times, label } = readLatency(path);
  expect(label).toBe(`measured (${path})`);
  expect([0, 0.49, 0.5, 0.99].map((uniform) => times?.untilEffectUs(get, uniform))).toEqual([
    1_000, 1_000, 2_000, 2_000,
  ]);
});

test('percentiles are taken by operation, in their unit, from the first to the last one named', async () => {
  const path = await fileOf(
    JSON.stringify({
      unit: 'ms',
      default: { p50: 4, p99: 10, max: 50 },
      GetItem: { min: 0.5, p50: 1, 'p99.9': 3 },
    }),
  );
  const { times } = readLatency(path);
  const at = (request: Request, uniform: number) => times?.untilEffectUs(request, uniform);
  expect([at(get, 0), at(get, 0.25), at(get, 0.5), at(get, 0.999_5)]).toEqual([500, 750, 1_000, 3_000]);
  expect([at(put, 0), at(put, 0.5), at(put, 0.995)]).toEqual([4_000, 4_000, 30_000]);
});

describe('refused is', () => {
  test.each([
    ['a log without a line', histogramLogHead('v', 'w', 0), /no measured time in it/],
    ['a log with another kind of line', '0.000,1.000,2.000,SGVsbG8=\n', /one of its lines has no histogram/],
    ['what is no JSON', '{ "unit": ', /it is no JSON/],
    ['percentiles without a unit', '{ "default": { "p50": 1 } }', /unit: /],
    ['an operation that there is not', '{ "unit": "ms", "getItem": { "p50": 1 } }', /getItem/],
    ['no operation at all', '{ "unit": "ms" }', /names neither "default" nor an operation/],
    ['a curve without points', '{ "unit": "ms", "default": {} }', /default has no percentile/],
    [
      'a percentile above all',
      '{ "unit": "ms", "default": { "p101": 1 } }',
      /default\.p101 is no percentile/,
    ],
    [
      'a curve that falls',
      '{ "unit": "ms", "default": { "p50": 2, "p99": 1 } }',
      /default\.p99 is shorter than/,
    ],
    [
      'longer than an hour',
      '{ "unit": "ms", "default": { "p50": 1, "max": 1e300 } }',
      /default\.max is longer than an hour/,
    ],
    ['less than no time', '{ "unit": "ms", "default": { "p50": -2 } }', /default\.p50: /],
  ])('%s', async (_, text, expected) => {
    const path = await fileOf(text);
    expect(() => readLatency(path)).toThrow(DynoLoadError);
    expect(() => readLatency(path)).toThrow(expected);
  });

  test('a file that is not there', () => {
    expect(() => readLatency(join(folder, 'nowhere'))).toThrow(/it cannot be read .*ENOENT/);
  });
});
