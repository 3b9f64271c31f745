// Keeps the tables of a server in a file: loads them at the start, saves them when something has changed, and at the
// end. A save is one moment of the database: it blocks the server for as long as it takes to write.
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import type { DataApi } from '../../dynamodb/operation.ts';
import { DynoLoadError } from '../../errors.ts';
import type { Administration } from '../tables/administration.ts';
import { damaged, identityOf, readSnapshot, type SnapshotCounts, SnapshotWriter } from './snapshot-file.ts';
import {
  restorePartitions,
  restoreTable,
  restoreTimeToLive,
  type TableRecord,
  tableRecords,
} from './table-record.ts';

export interface SnapshotSettings {
  readonly path: string;
  /** How often changes are saved, ms; default 10,000. */
  readonly everyMs?: number;
  /** Is told of a save that failed; the server goes on. */
  readonly onFailure?: (error: DynoLoadError) => void;
}

const EVERY_MS = 10_000;
const reads: ReadonlySet<DataApi> = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems']);

export class SnapshotKeeper {
  readonly #administration: Administration;
  readonly #settings: SnapshotSettings;
  readonly #timer: NodeJS.Timeout;
  #hasNewItems = false;
  #savedRecords: string;
  /** Of the file as it was last read or written here. */
  #identity: string | undefined;

  private constructor(
    administration: Administration,
    settings: SnapshotSettings,
    identity: string | undefined,
  ) {
    this.#administration = administration;
    this.#settings = settings;
    this.#savedRecords = this.#records();
    this.#identity = identity;
    this.#timer = setInterval(() => this.#saveChanges(), settings.everyMs ?? EVERY_MS);
    this.#timer.unref();
  }

  /**
   * Loads what is in the file, if there is one, and keeps it up to date from then on.
   * @throws DynoLoadError SERVE_SNAPSHOT_DAMAGED, SERVE_SNAPSHOT_UNWRITABLE
   */
  static open(
    administration: Administration,
    settings: SnapshotSettings,
  ): { readonly keeper: SnapshotKeeper; readonly loaded: SnapshotCounts | undefined } {
    const identity = identityOf(settings.path);
    const loaded = load(administration, settings.path);
    checkWritable(settings.path);
    return { keeper: new SnapshotKeeper(administration, settings, identity), loaded };
  }

  /** Is told of each request of the data plane that has ended. */
  noteRequest(api: DataApi): void {
    if (!reads.has(api)) this.#hasNewItems = true;
  }

  /** Leaves the file as it is: the server could not start. */
  abandon(): void {
    clearInterval(this.#timer);
  }

  /** Saves for the last time. @throws DynoLoadError SERVE_SNAPSHOT_UNWRITABLE */
  close(): SnapshotCounts {
    clearInterval(this.#timer);
    return this.#save();
  }

  #saveChanges(): void {
    if (!this.#hasNewItems && this.#records() === this.#savedRecords) return;
    try {
      this.#save();
    } catch (error) {
      if (error instanceof DynoLoadError) this.#settings.onFailure?.(error);
      else throw error;
    }
  }

  #save(): SnapshotCounts {
    const { database, nowUs, wallMs } = this.#administration;
    const { path } = this.#settings;
    const identity = identityOf(path);
    if (identity !== undefined && identity !== this.#identity) throw changedByOthers(path);
    database.expire(nowUs());
    let writer: SnapshotWriter | undefined;
    try {
      writer = new SnapshotWriter(path, new Date(wallMs()).toISOString());
      const into = writer;
      for (const record of tableRecords(this.#administration)) {
        into.table(record);
        database.visitItems(record.spec.tableName, (item) => into.item(item));
      }
      const counts = into.finish();
      this.#identity = identityOf(path);
      this.#hasNewItems = false;
      this.#savedRecords = this.#records();
      return counts;
    } catch (cause) {
      writer?.abandon();
      throw unwritable(path, cause);
    }
  }

  #records(): string {
    return JSON.stringify(tableRecords(this.#administration));
  }
}

function load(administration: Administration, path: string): SnapshotCounts | undefined {
  const records: TableRecord[] = [];
  try {
    const counts = readSnapshot(path, {
      // The digest of the file says that records and items are as they were written.
      table: (record) => {
        records.push(record as TableRecord);
        restoreTable(administration, record as TableRecord);
      },
      item: (item) => {
        const tableName = records.at(-1)?.spec.tableName ?? '';
        administration.database.preload(tableName, item as AttributeMap);
      },
    });
    for (const record of records) {
      restorePartitions(administration, record);
      restoreTimeToLive(administration, record);
    }
    return counts;
  } catch (error) {
    if (error instanceof DynoLoadError) throw error;
    throw damaged(path, error instanceof Error ? error.message : String(error), error);
  }
}

/** Better now than when hours of work are to be saved. */
function checkWritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function changedByOthers(path: string): DynoLoadError {
  return new DynoLoadError('SERVE_SNAPSHOT_UNWRITABLE', {
    what: `the snapshot ${path} is not written: it is another file than the one that was read or saved here`,
    why: 'another server keeps its tables there, or the file was put in its place; saving would lose what it holds',
    fix: 'give each server a file of its own: --persist other.snapshot; or move that file away, and this one is saved again',
  });
}

function unwritable(path: string, cause: unknown): DynoLoadError {
  return new DynoLoadError('SERVE_SNAPSHOT_UNWRITABLE', {
    what: `the snapshot ${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    why: 'its folder is missing or may not be written to, or the disk is full; what was saved before is still there',
    fix: 'make the folder writable, or give another file: --persist other.snapshot',
    cause,
  });
}
