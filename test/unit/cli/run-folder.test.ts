// Aim: the folder of a run tells what became of it, however early it was cut off, and a disk that takes no
// more is told with what lies on it.
// Method: folders made by hand, each with what a run has written by then; a port that stands in for the disk
// and is full from some write on.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { analyzeRun } from '../../../src/analysis/analyze-run.ts';
import { SEGMENTS_VERSION, type SegmentsLine } from '../../../src/analysis/records/segments.ts';
import { readRun, readRunFile, RunFolder } from '../../../src/cli/run-folder.ts';
import { RunSession } from '../../../src/cli/run-session.ts';
import { ProgressLine } from '../../../src/cli/progress.ts';
import { SegmentFiles } from '../../../src/cli/segment-files.ts';
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

describe('the record of a report', () => {
  const segments = () => {
    const { target } = record;
    const line = { kind: 'variant', name: 'count=2', index: 1, parameters: {}, target } as const;
    const begun: SegmentsLine = { ...line, tables: [], stages: [], workloads: [], goals: [] };
    return writeFile(join(folder, 'segments.jsonl'), textOf([...headOf(null), begun]));
  };
  const put = (status: 'complete' | 'interrupted') =>
    writeFile(join(folder, 'run.json'), JSON.stringify({ ...record, status }));

  test.each([
    { name: 'a whole run', make: () => put('complete'), says: /^\S+Z\/run\.json$/ },
    {
      name: 'a run without its record',
      make: segments,
      says: /^there is no \S+; .* from \S+segments\.jsonl$/,
    },
    {
      name: 'a run whose record lacks a variant',
      make: async () => {
        await put('interrupted');
        await segments();
      },
      says: /^\S+run\.json is incomplete; the rest is from \S+segments\.jsonl$/,
    },
  ])('of $name is the file that holds it', async ({ make, says }) => {
    await make();
    expect((await readRunFile(folder)).file).toMatch(says);
  });

  test('that is named itself is that file', async () => {
    await put('complete');
    const file = join(folder, 'run.json');
    expect((await readRunFile(file)).file).toBe(file);
  });
});

describe('on a disk that fills up', () => {
  /**
   * A session whose record is refused from the write with number `failsAt` on, and its segments likewise
   * where asked for.
   */
  async function sessionOf({ failsAt = Number.POSITIVE_INFINITY, areSegmentsRefused = false }) {
    let writes = 0;
    const refuse = () =>
      Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const run = await RunFolder.create(
      folder,
      'orders',
      new Date('2026-11-30T12:00:00Z'),
      async (path, text) => {
        if (++writes >= failsAt) throw refuse();
        await writeFile(path, text);
      },
    );
    let stderr = '';
    const io = {
      out: () => undefined,
      err: (text: string) => void (stderr += text),
      isOutTerminal: false,
      isErrTerminal: false,
      columns: undefined,
      env: {},
      cwd: folder,
      onSignal: () => () => undefined,
      exit: (): never => {
        throw new Error('the process would end');
      },
    };
    const files = new SegmentFiles({
      folder: run.path,
      startMs: () => 0,
      append: () => (areSegmentsRefused ? Promise.reject(refuse()) : Promise.resolve()),
    });
    for (const line of headOf(null)) files.write(line);
    const session = new RunSession({
      folder: run,
      segments: files,
      progress: new ProgressLine(io, 1, true),
      io,
      leftBehind: () => [],
    });
    const end = (result: typeof record) =>
      session.watch({
        run: () => Promise.resolve({ result, cleanedUp: Promise.resolve() }),
        record: () => result,
        interrupt: () => undefined,
        stop: () => undefined,
      });
    return { run, session, end, told: () => stderr };
  }

  const shown = join('orders', '2026-11-30T12-00-00Z');

  test('at once, there is no record, and both streams say so', async () => {
    const { run, session, end, told } = await sessionOf({ failsAt: 1 });
    await end(record);
    expect(session.unwritten?.code).toBe('RUN_FOLDER_UNWRITABLE');
    expect(run.recordOf(record, folder)).toMatch(
      new RegExp(
        `^incomplete\\. There is no ${join(shown, 'run.json')}; .* dyno-load report ${shown} reads it\\.$`,
      ),
    );
    session.tellUnwritten(record);
    expect(told()).toMatch(/RUN_FOLDER_UNWRITABLE [^]*ENOSPC[^]*There is no orders/);
  });

  test('after a variant, the record of that one is named as all there is', async () => {
    const { run, session, end } = await sessionOf({ failsAt: 2 });
    await session.recorded({ ...record, status: 'interrupted' });
    await end(record);
    expect(session.unwritten?.code).toBe('RUN_FOLDER_UNWRITABLE');
    const names = record.variants.map(({ name }) => name).join(', ');
    expect(run.recordOf(record, folder)).toContain(`incomplete. ${join(shown, 'run.json')} holds ${names};`);
  });

  test('in its segments alone, the record is whole, and what is not is named', async () => {
    const { run, session, end, told } = await sessionOf({ areSegmentsRefused: true });
    await end(record);
    expect(session.unwritten?.code).toBe('RUN_FOLDER_UNWRITABLE');
    expect(run.recordOf(record, folder)).toBe(join(shown, 'run.json'));
    session.tellUnwritten(record);
    expect(told()).toMatch(/cannot be recorded at \S+segments\.jsonl and its histogram logs/);
    expect(told()).toContain('run.json is whole');
  });

  test('not at all, nothing is told', async () => {
    const { run, session, end, told } = await sessionOf({});
    await end(record);
    expect(session.unwritten).toBeUndefined();
    session.tellUnwritten(record);
    expect(told()).toBe('');
    expect(run.recordOf(record, folder)).toBe(join(shown, 'run.json'));
  });
});
