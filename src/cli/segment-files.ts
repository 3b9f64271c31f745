// What a run writes while it goes on, and what is read of it after a run that was cut off: segments.jsonl
// with all that was recorded, and one HdrHistogram log for each variant and workload. Written behind the
// load, one write at a time, so that a slow disk delays nothing.
import { appendFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  SEGMENTS_VERSION,
  type SegmentLine,
  type SegmentsLine,
  segmentsLine,
  type VariantLine,
} from '../analysis/records/segments.ts';
import { DynoLoadError } from '../errors.ts';
import { histogramLogHead, histogramLogLines } from '../report/histogram-log.ts';

export const SEGMENTS_NAME = 'segments.jsonl';
const LOG_FOLDER = 'hlog';

interface SegmentFilesParts {
  /** The folder of the run. */
  readonly folder: string;
  /** When the load of a variant begins, ms since 1970; in virtual time it is the scenario's own time. */
  readonly startMs: () => number;
  /** Appends to a file; another one in tests. */
  readonly append?: (path: string, text: string) => Promise<void>;
}

/** The files of one run. A write that fails is the last one; it is told by `finish`, since the run itself goes on. */
export class SegmentFiles {
  readonly #parts: SegmentFilesParts;
  /** Text by file, in the order of its first line. */
  #waiting = new Map<string, string>();
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #variant: { readonly line: VariantLine; readonly logs: readonly string[] } | undefined;

  constructor(parts: SegmentFilesParts) {
    this.#parts = parts;
  }

  /** Takes a line, and returns at once. */
  readonly write = (line: SegmentsLine): void => {
    this.#queue(SEGMENTS_NAME, `${JSON.stringify(line)}\n`);
    if (line.kind === 'variant') this.#beginLogs(line);
    else if (line.kind === 'segment') this.#log(line);
  };

  /** Resolves when everything is written. @returns what went wrong, if anything did */
  async finish(): Promise<unknown> {
    while (this.#writing !== undefined) await this.#writing;
    return this.#failure;
  }

  #beginLogs(line: VariantLine): void {
    const startedAtMs = this.#parts.startMs();
    const logs = line.workloads.map(({ name }) => logName(line, name));
    this.#variant = { line, logs };
    for (const [index, log] of logs.entries()) {
      this.#queue(log, histogramLogHead(line.name, line.workloads[index]?.name ?? '', startedAtMs));
    }
  }

  #log(segment: SegmentLine): void {
    if (this.#variant === undefined) return;
    for (const [index, log] of this.#variant.logs.entries()) {
      const text = histogramLogLines(this.#variant.line, segment, index);
      if (text !== '') this.#queue(log, text);
    }
  }

  #queue(file: string, text: string): void {
    if (this.#failure !== undefined) return;
    this.#waiting.set(file, (this.#waiting.get(file) ?? '') + text);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    const { folder, append = appendTo } = this.#parts;
    try {
      while (this.#waiting.size > 0) {
        const waiting = this.#waiting;
        this.#waiting = new Map();
        for (const [file, text] of waiting) await append(join(folder, file), text);
      }
    } catch (error) {
      this.#failure = error;
      this.#waiting.clear();
    }
    this.#writing = undefined;
  }
}

/** For example `hlog/1-placeOrder.hlog`, or with the repeat `hlog/1.2-placeOrder.hlog`; both count from 1. */
function logName({ index, repeat }: VariantLine, workload: string): string {
  const variant = repeat === undefined ? `${index + 1}` : `${index + 1}.${repeat + 1}`;
  return join(LOG_FOLDER, `${variant}-${workload.replaceAll(/[^\w.-]+/g, '_')}.hlog`);
}

async function appendTo(path: string, text: string): Promise<void> {
  try {
    await appendFile(path, text);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    await mkdir(join(path, '..'));
    await appendFile(path, text);
  }
}

export interface ReadSegments {
  readonly lines: readonly SegmentsLine[];
  /** The last line was cut off, and is left out. */
  readonly isCut: boolean;
  /** When the file was last written, ISO text. */
  readonly lastWrittenAt: string;
}

/**
 * The segments in the folder of a run; undefined where there are none.
 * @throws DynoLoadError RUN_FOLDER_INVALID for a line that is none, save a last one without its end
 */
export async function readSegments(folder: string): Promise<ReadSegments | undefined> {
  const file = join(folder, SEGMENTS_NAME);
  const read = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch(() => undefined);
  if (read === undefined) return undefined;
  const [text, { mtime }] = read;
  const parts = text.split('\n');
  const rest = parts.pop(); // Empty where the last line is whole.
  const lines = parts.map((line, index) => parseLine(line, `${file}:${index + 1}`));
  return { lines, isCut: rest !== '', lastWrittenAt: mtime.toISOString() };
}

function parseLine(text: string, place: string): SegmentsLine {
  const value = parseJson(text, place);
  const version = versionOf(value);
  if (version !== undefined && version > SEGMENTS_VERSION) {
    throw new DynoLoadError('RUN_FOLDER_INVALID', {
      what: `${place} has segments of version ${version}, and this dyno-load reads up to ${SEGMENTS_VERSION}`,
      why: 'a newer dyno-load wrote them, and reading them by the old rules could mislead',
      fix: 'update dyno-load',
    });
  }
  const parsed = segmentsLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw noSegment(place, `${first?.path.map(String).join('.') ?? ''}: ${first?.message ?? ''}`, parsed.error);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw noSegment(place, error instanceof Error ? error.message : String(error), error);
  }
}

function noSegment(place: string, why: string, cause: unknown): DynoLoadError {
  return new DynoLoadError('RUN_FOLDER_INVALID', {
    what: `${place} is no line of a run's segments: ${why}`,
    why: 'it was edited, or written by another program; only a last line without its end is expected after a crash',
    fix: 'remove that line, or run the scenario again',
    cause,
  });
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('segmentsVersion' in value)) return undefined;
  return typeof value.segmentsVersion === 'number' ? value.segmentsVersion : undefined;
}
