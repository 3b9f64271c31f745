// A snapshot on disk: a JSON value a line, a head with its version first, each table followed by its items, and at the
// end how many there are and a digest of all before it. A file is either whole or refused, and a new one takes the
// place of the old one in a single step.
import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { DynoLoadError } from '../../errors.ts';

const KIND = 'dyno-load serve';
/** What is written. Version 1 knows no partitions, and is read all the same. */
const VERSION = 2;
const readVersions: readonly unknown[] = [1, VERSION];
const CHUNK_CHARACTERS = 1_000_000;
const LINE_END = 10;

export interface SnapshotCounts {
  readonly tables: number;
  readonly items: number;
}

/** Tells whether a file is still the one that it was; undefined where there is none. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino}/${stats.size}/${stats.mtimeNs}`;
}

/** Writes lines into a file beside the one that it is to become. */
export class SnapshotWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: number;
  readonly #digest: Hash = createHash('sha256');
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #tables = 0;
  #items = 0;

  /** Opens the file. Fails with the system's own error. */
  constructor(path: string, savedAt: string) {
    this.#path = targetOf(path);
    this.#temporary = `${this.#path}.new`;
    this.#file = openSync(this.#temporary, 'w', 0o600);
    this.#line({ snapshot: KIND, version: VERSION, savedAt });
  }

  table(record: object): void {
    this.#tables++;
    this.#line({ table: record });
  }

  /** An item of the table before. */
  item(item: object): void {
    this.#items++;
    this.#line({ item });
  }

  /** Ends the file and puts it in its place. Fails with the system's own error; the file before is then still there. */
  finish(): SnapshotCounts {
    this.#flush();
    const counts = { tables: this.#tables, items: this.#items };
    writeAll(
      this.#file,
      Buffer.from(`${JSON.stringify({ end: counts, sha256: this.#digest.digest('hex') })}\n`),
    );
    fsyncSync(this.#file);
    closeSync(this.#file);
    renameSync(this.#temporary, this.#path);
    return counts;
  }

  /** Gives up: what was written so far goes away. */
  abandon(): void {
    try {
      closeSync(this.#file);
    } catch {
      // It is closed already where renaming failed.
    }
    rmSync(this.#temporary, { force: true });
  }

  #line(value: object): void {
    const text = `${JSON.stringify(value)}\n`;
    this.#waiting.push(text);
    this.#waitingCharacters += text.length;
    if (this.#waitingCharacters > CHUNK_CHARACTERS) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.from(this.#waiting.join(''));
    this.#digest.update(bytes);
    writeAll(this.#file, bytes);
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }
}

function writeAll(file: number, bytes: Buffer): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(file, bytes, at);
}

/** The file itself, where the path is a link to it: a link stays one. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export interface SnapshotReader {
  /** A table, as it was given to the writer. */
  table(record: unknown): void;
  /** An item of the table before. */
  item(item: unknown): void;
}

/**
 * Reads a whole snapshot; nothing is shown before it is known to be whole.
 * @returns what it holds; undefined where there is no such file
 * @throws DynoLoadError SERVE_SNAPSHOT_DAMAGED
 */
export function readSnapshot(path: string, reader: SnapshotReader): SnapshotCounts | undefined {
  const bytes = readBytes(path);
  if (bytes === undefined) return undefined;
  const lines = linesOf(bytes);
  const [head, first] = [lines[0], parsed(path, bytes, lines[0])];
  if (head === undefined || first['snapshot'] !== KIND)
    throw damaged(path, 'it does not begin like a snapshot of dyno-load serve');
  if (!readVersions.includes(first['version'])) throw otherVersion(path, first['version']);
  const last = lines.at(-1) as Line;
  const end = parsed(path, bytes, last);
  const digest = createHash('sha256').update(bytes.subarray(0, last.from)).digest('hex');
  if (end['sha256'] !== digest)
    throw damaged(path, 'its end is missing, or its digest is not that of what stands before');
  for (const line of lines.slice(1, -1)) {
    const value = parsed(path, bytes, line);
    if ('table' in value) reader.table(value['table']);
    else reader.item(value['item']);
  }
  return end['end'] as SnapshotCounts; // The digest says that it is as it was written.
}

interface Line {
  readonly from: number;
  readonly until: number;
}

function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(LINE_END, from);
    const until = at < 0 ? bytes.length : at;
    lines.push({ from, until });
    from = until + 1;
  }
  return lines;
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new DynoLoadError('SERVE_SNAPSHOT_DAMAGED', {
      what: `the snapshot ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      why: 'the file is there, and starting without it would overwrite it when the server stops',
      fix: 'make it readable, or give another file: --persist other.snapshot',
      cause,
    });
  }
}

function parsed(path: string, bytes: Buffer, line: Line | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(
      line === undefined ? '' : bytes.toString('utf8', line.from, line.until),
    );
    // An object of JSON has nothing but members.
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw damaged(path, 'one of its lines is no JSON');
}

/** An error that says what is wrong with a snapshot, to be thrown by the caller. */
export function damaged(path: string, problem: string, cause?: unknown): DynoLoadError {
  return new DynoLoadError('SERVE_SNAPSHOT_DAMAGED', {
    what: `the snapshot ${path} is damaged: ${problem}`,
    why: 'it was cut off, edited, or is another kind of file; it is left as it is, and nothing was served',
    fix: 'give the right file, or move this one away to start with no tables',
    cause,
  });
}

function otherVersion(path: string, version: unknown): DynoLoadError {
  return new DynoLoadError('SERVE_SNAPSHOT_DAMAGED', {
    what: `the snapshot ${path} is of version ${String(version)}, and this dyno-load reads versions ${readVersions.join(' and ')}`,
    why: 'another version of dyno-load wrote it, and reading it by the wrong rules would lose data',
    fix: 'start the dyno-load that wrote it, or give another file',
  });
}
