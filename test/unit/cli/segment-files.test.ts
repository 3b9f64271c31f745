// Aim: files of a run are written behind the load, in order and never in pieces, and a disk that fails is
// told and not met again. Method: a port that stands in for the disk and answers when told; reading is tested
// on files in a folder of its own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SegmentsLine } from '../../../src/analysis/records/segments.ts';
import { readSegments, SegmentFiles } from '../../../src/cli/segment-files.ts';
import { DynoLoadError } from '../../../src/errors.ts';

const end = (reachedUs: number): SegmentsLine => ({ kind: 'end', status: 'complete', reachedUs });

/** A disk that fails from the write with number `failsAt` on. */
function diskOf({ failsAt = Number.POSITIVE_INFINITY } = {}) {
  const writes: string[] = [];
  const append = async (_: string, text: string): Promise<void> => {
    writes.push(text);
    await Promise.resolve();
    if (writes.length >= failsAt) throw new Error('ENOSPC: no space left on device');
  };
  return { writes, files: new SegmentFiles({ folder: 'run', startMs: () => 0, append }) };
}

describe('writing', () => {
  test('goes on line by line, all that waits at once', async () => {
    const { files, writes } = diskOf();
    for (const reachedUs of [1, 2, 3]) files.write(end(reachedUs));
    expect(await files.finish()).toBeUndefined();
    const lines = [1, 2, 3].map((reachedUs) => `${JSON.stringify(end(reachedUs))}\n`);
    // The first went out alone; the others came while it was on its way.
    expect(writes).toEqual([lines[0], `${lines[1]}${lines[2]}`]);
  });

  test('ends with the first failure, which is told once all is over', async () => {
    const { files, writes } = diskOf({ failsAt: 2 });
    for (const reachedUs of [1, 2, 3]) {
      files.write(end(reachedUs));
      await files.finish();
    }
    expect(String(await files.finish())).toMatch(/ENOSPC/);
    expect(writes).toHaveLength(2);
  });
});

describe('reading', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dyno-load-unit-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function readText(text: string) {
    await writeFile(join(folder, 'segments.jsonl'), text);
    return readSegments(folder);
  }

  const line = JSON.stringify(end(1));

  test.each([
    { name: 'whole', text: `${line}\n${line}\n`, count: 2, isCut: false },
    { name: 'with a last line cut off', text: `${line}\n${line.slice(0, 12)}`, count: 1, isCut: true },
    { name: 'with nothing but the beginning of a line', text: line.slice(0, 12), count: 0, isCut: true },
    { name: 'empty', text: '', count: 0, isCut: false },
  ])('a file $name gives $count lines', async ({ text, count, isCut }) => {
    const read = await readText(text);
    expect(read?.lines).toHaveLength(count);
    expect(read?.isCut).toBe(isCut);
  });

  test.each([
    { name: 'no JSON', bad: '{"kind":', says: /segments\.jsonl:2 is no line/ },
    { name: 'an unknown kind', bad: '{"kind":"other"}', says: /segments\.jsonl:2 is no line/ },
    {
      name: 'a member too many',
      bad: '{"kind":"end","status":"complete","reachedUs":1,"x":1}',
      says: /:2 is no/,
    },
    {
      name: 'a newer version',
      bad: '{"kind":"environment","segmentsVersion":99}',
      says: /version 99, and this/,
    },
  ])('a line with $name is refused', async ({ bad, says }) => {
    const error = await readText(`${line}\n${bad}\n${line}\n`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DynoLoadError);
    expect(error).toMatchObject({ code: 'RUN_FOLDER_INVALID', what: expect.stringMatching(says) });
  });

  test('a folder without the file has no segments', async () => {
    expect(await readSegments(folder)).toBeUndefined();
  });
});
