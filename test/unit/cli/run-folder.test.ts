// Aim: the folder of a run tells what became of it, however early it was cut off, and a disk that takes no more is told with what lies on it.
// Method: folders made by hand, each with what a run has written by then; a port that stands in for the disk and is full from some write on.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { analyzeRun } from '../../../src/analysis/analyze-run.ts';
import { SEGMENTS_VERSION, type SegmentsLine } from '../../../src/analysis/records/segments.ts';
import { readRun } from '../../../src/cli/run-folder.ts';
import { DynoLoadError } from '../../../src/errors.ts';
import { buildMeasuredRun, buildMeasuredVariant } from '../../support/run-result-builder.ts';

const record = analyzeRun(buildMeasuredRun({ variants: [buildMeasuredVariant()] }), { gate: false });
const { finishedAt: _, repetition: __, ...environment } = record.environment;

/** What stands in segments.jsonl before the first variant begins. */
function headOf(tableNameSuffix: string | null): readonly SegmentsLine[] {
  const { schemaVersion, tool, scenario } = record;
  return [
    {
      kind: 'environment',
      segmentsVersion: SEGMENTS_VERSION,
      environment: { ...environment, startedAt: '2026-11-30T12:00:00.000Z', tableNameSuffix },
    },
    { kind: 'run', schemaVersion, tool, scenario, order: ['count=1', 'count=2'], repeats: 1 },
  ];
}

const textOf = (lines: readonly SegmentsLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

let folder = '';
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'dyno-load-unit-')), '2026-11-30T12-00-00Z');
  await mkdir(folder);
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

async function refusalOf(path: string): Promise<DynoLoadError> {
  const thrown: unknown = await readRun(path).catch((error: unknown) => error);
  if (!(thrown instanceof DynoLoadError)) throw new Error(`${String(thrown)} is no refusal`);
  expect(thrown.code).toBe('RUN_FOLDER_INVALID');
  return thrown;
}

describe('a run that was killed', () => {
  test('before its first variant began is told with what it was about, and how to go on', async () => {
    await writeFile(join(folder, 'segments.jsonl'), textOf(headOf(null)));
    const { what, why, fix } = await refusalOf(folder);
    expect(what).toMatch(/2026-11-30T12-00-00Z was cut off before its first variant began/);
    expect(what).toContain('nothing was measured');
    expect(why).toMatch(/process was gone/);
    expect(why).toContain(`${record.scenario.name}, begun at 2026-11-30T12:00:00.000Z`);
    expect(why).toContain('count=1, count=2');
    expect(fix).toContain(`dyno-load run ${record.scenario.name}`);
    expect(fix).not.toContain('tables');
  });

  test('while it made its tables names the ending by which they are found', async () => {
    await writeFile(join(folder, 'segments.jsonl'), textOf(headOf('mh1abc')));
    expect((await refusalOf(folder)).fix).toMatch(
      /tables that .* begin with "dyno-load-" and end with "-mh1abc"/,
    );
  });

  test.each([
    ['nothing', ''],
    ['a line that was cut off', textOf(headOf(null)).slice(0, 40)],
    ['its first line alone', textOf(headOf(null).slice(0, 1))],
  ])('with %s in its segments is told to have nothing to recover', async (_name, text) => {
    await writeFile(join(folder, 'segments.jsonl'), text);
    const { what, fix } = await refusalOf(folder);
    expect(what).toMatch(/was cut off before its first variant began: nothing was measured/);
    expect(fix).toMatch(/^there is nothing to recover: run the scenario again/);
  });

  test('before it wrote anything is told so', async () => {
    const { what, why, fix } = await refusalOf(folder);
    expect(what).toMatch(/has no record: neither run\.json nor segments\.jsonl/);
    expect(why).toMatch(/killed|disk/);
    expect(fix).toMatch(/run the scenario again/);
  });

  test('right behind the beginning of a variant is reported, with no second of it', async () => {
    const { target } = record;
    const line = { kind: 'variant', name: 'count=1', index: 0, parameters: {}, target } as const;
    const begun: SegmentsLine = { ...line, tables: [], stages: [], workloads: [], goals: [] };
    await writeFile(join(folder, 'segments.jsonl'), textOf([...headOf(null), begun]));
    const result = await readRun(folder);
    expect(result.variants.map(({ name, status }) => [name, status])).toEqual([['count=1', 'interrupted']]);
    expect(result.target.notes.join()).toContain('its load is known up to 0 s');
  });
});

describe('a path that is no run', () => {
  test('and is not there at all is told so', async () => {
    expect((await refusalOf(join(folder, 'nowhere'))).what).toMatch(/nowhere is not there/);
  });

  test('but holds runs names the newest of them', async () => {
    const { what, fix } = await refusalOf(join(folder, '..'));
    expect(what).toMatch(/holds no run\.json/);
    expect(fix).toContain(folder);
  });
});
