// Tables on a live endpoint: create, wait until ready, describe, delete. Deletes nothing that it did not create.
import {
  CreateTableCommand,
  type CreateTableCommandOutput,
  DeleteTableCommand,
  type DeleteTableCommandOutput,
  DescribeTableCommand,
  type DescribeTableCommandOutput,
  type TableDescription,
  UpdateTimeToLiveCommand,
  type UpdateTimeToLiveCommandOutput,
} from '@aws-sdk/client-dynamodb';
import pLimit from 'p-limit';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { assert, DynoLoadError } from '../errors.ts';
import { createTableInput, type OptionalPart, startNotes, type Warming } from './create-table-input.ts';
import { targetError, troubleOfSdk } from './target-error.ts';

/** What administration needs of an SDK client; `DynamoDBClient` has it. */
export interface ControlPort {
  send(command: CreateTableCommand): Promise<CreateTableCommandOutput>;
  send(command: DescribeTableCommand): Promise<DescribeTableCommandOutput>;
  send(command: DeleteTableCommand): Promise<DeleteTableCommandOutput>;
  send(command: UpdateTimeToLiveCommand): Promise<UpdateTimeToLiveCommandOutput>;
}

export interface TableAdminOptions {
  readonly control: ControlPort;
  /** Names the endpoint in errors. */
  readonly endpointText: string;
  readonly tags?: { readonly [name: string]: string };
  /** Warm tables as their specifications say. Default: no, since AWS bills it. */
  readonly warms?: boolean;
  /** What warming would mean there, for the note on tables that start cold. Default: it is billed. */
  readonly warming?: Warming;
  /** How long a table may take to become ready or to go away. Default: 10 minutes. */
  readonly readyTimeoutMs?: number;
  /** Waits between looks at a table; given by tests. */
  readonly pause?: (delayMs: number) => Promise<void>;
}

const READY_TIMEOUT_MS = 600_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
// AWS makes few tables with indexes at the same time; the SDK's retries smooth the rest.
const TABLES_AT_ONCE = 4;

/** Creates and deletes the tables of one run; remembers which it created, and deletes no others. */
export class TableAdmin {
  readonly #options: TableAdminOptions;
  readonly #pause: (delayMs: number) => Promise<void>;
  readonly #created = new Set<string>();
  /** Deleted here, and perhaps still on their way out. */
  readonly #leaving = new Set<string>();
  readonly #without = new Set<OptionalPart>();

  constructor(options: TableAdminOptions) {
    this.#options = options;
    this.#pause = options.pause ?? ((delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)));
  }

  /** Names of the tables created here and not deleted since. */
  get created(): readonly string[] {
    return [...this.#created];
  }

  /**
   * Creates tables and waits until they and their indexes are ready.
   *
   * @returns notes for the report: what the server refused and the table does without, what starts cold
   * @throws DynoLoadError TARGET_UNREACHABLE, TARGET_NOT_DYNAMODB, TARGET_REJECTED, TABLE_NOT_READY
   */
  async createTables(specs: readonly TableSpec[]): Promise<readonly string[]> {
    const limit = pLimit(TABLES_AT_ONCE);
    const settled = await Promise.allSettled(specs.map((spec) => limit(() => this.createTable(spec))));
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
    const notes = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    return [...new Set([...(this.#warms ? [] : startNotes(specs, this.#warming)), ...notes])];
  }

  /**
   * Creates one table; see `createTables`. A table of that name that was created here before goes first: each
   * repeat of a variant gets a fresh one.
   */
  async createTable(spec: TableSpec): Promise<readonly string[]> {
    const notes: string[] = [];
    if (this.#created.has(spec.tableName)) await this.deleteTable(spec.tableName);
    await this.#waitUntilGone(spec.tableName);
    await this.#create(spec, notes);
    this.#created.add(spec.tableName);
    await this.#waitUntilReady(spec.tableName);
    if (spec.timeToLive !== undefined) await this.#setTimeToLive(spec.tableName, spec.timeToLive, notes);
    return notes;
  }

  /** The server's description of a table; undefined where there is none. */
  async describe(tableName: string): Promise<TableDescription | undefined> {
    try {
      return (await this.#options.control.send(new DescribeTableCommand({ TableName: tableName }))).Table;
    } catch (error) {
      if (troubleOfSdk(error).code === 'ResourceNotFoundException') return undefined;
      throw this.#error(`cannot describe table "${tableName}"`, error);
    }
  }

  /** Deletes a table that was created here. Does not wait until it is gone. */
  async deleteTable(tableName: string): Promise<void> {
    assert(this.#created.has(tableName), `table ${tableName} was created by dyno-load, so it may be deleted`);
    for (const pauseMs of this.#pauses(2)) {
      const trouble = await this.#tryDelete(tableName);
      if (trouble === undefined) break;
      // A table that is still being created or changed cannot be deleted yet.
      const isBusy = troubleOfSdk(trouble).code === 'ResourceInUseException' && pauseMs !== undefined;
      if (!isBusy) throw this.#error(`cannot delete table "${tableName}"`, trouble);
      await this.#pause(pauseMs);
    }
    this.#created.delete(tableName);
    this.#leaving.add(tableName);
  }

  /** Deletes every table created here. Tries all before it throws the first error. */
  async deleteCreated(): Promise<void> {
    const settled = await Promise.allSettled(this.created.map((name) => this.deleteTable(name)));
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }

  get #warming(): Warming {
    return this.#without.has('warmth') ? 'none' : (this.#options.warming ?? 'billed');
  }

  get #warms(): boolean {
    return this.#options.warms === true && !this.#without.has('warmth');
  }

  get #readyTimeoutMs(): number {
    return this.#options.readyTimeoutMs ?? READY_TIMEOUT_MS;
  }

  async #create(spec: TableSpec, notes: string[]): Promise<void> {
    const tags = this.#options.tags ?? {};
    for (;;) {
      const without: ReadonlySet<OptionalPart> = new Set(this.#without);
      try {
        const input = createTableInput(spec, { tags, without, warms: this.#warms });
        const { TableDescription } = await this.#options.control.send(new CreateTableCommand(input));
        if (TableDescription === undefined)
          throw new SyntaxError('no description of the new table came back');
        for (const part of without) notes.push(partNotes[part]);
        return;
      } catch (error) {
        const part = refusedPart(troubleOfSdk(error));
        if (part === undefined || without.has(part))
          throw this.#error(`cannot create table "${spec.tableName}"`, error);
        this.#without.add(part);
      }
    }
  }

  async #waitUntilReady(tableName: string): Promise<void> {
    for (const pauseMs of this.#pauses(1.5)) {
      const table = await this.describe(tableName);
      if (isReady(table)) return;
      if (pauseMs === undefined) throw this.#notReady(tableName, table);
      await this.#pause(pauseMs);
    }
  }

  /** DeleteTable answers before the table is gone, and until then its name is taken. */
  async #waitUntilGone(tableName: string): Promise<void> {
    if (!this.#leaving.has(tableName)) return;
    for (const pauseMs of this.#pauses(1.5)) {
      const table = await this.describe(tableName);
      if (table === undefined) break;
      if (pauseMs === undefined) throw this.#notReady(tableName, table);
      await this.#pause(pauseMs);
    }
    this.#leaving.delete(tableName);
  }

  /** Pauses that grow by a factor up to 2 s; undefined once they add up to the time a table may take. */
  *#pauses(factor: number): Generator<number | undefined, void, void> {
    let leftMs = this.#readyTimeoutMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(factor * pauseMs, LONGEST_PAUSE_MS)) {
      yield leftMs > 0 ? pauseMs : undefined;
      leftMs -= pauseMs;
    }
  }

  async #setTimeToLive(tableName: string, attribute: string, notes: string[]): Promise<void> {
    const specification = { AttributeName: attribute, Enabled: true };
    try {
      await this.#options.control.send(
        new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: specification }),
      );
    } catch (error) {
      const { code } = troubleOfSdk(error);
      notes.push(
        `table ${tableName}: time to live on "${attribute}" could not be set (${code}); items do not expire.`,
      );
    }
  }

  /** What kept the table from being deleted; undefined where it is on its way out, or gone. */
  async #tryDelete(tableName: string): Promise<unknown> {
    try {
      await this.#options.control.send(new DeleteTableCommand({ TableName: tableName }));
      return undefined;
    } catch (error) {
      return troubleOfSdk(error).code === 'ResourceNotFoundException' ? undefined : error;
    }
  }

  #error(what: string, error: unknown): DynoLoadError {
    return targetError(`${what} at ${this.#options.endpointText}`, troubleOfSdk(error));
  }

  #notReady(tableName: string, table: TableDescription | undefined): DynoLoadError {
    const status = table?.TableStatus ?? 'unknown to the server';
    return new DynoLoadError('TABLE_NOT_READY', {
      what: `table "${tableName}" at ${this.#options.endpointText} is ${status}, not ready, after ${this.#readyTimeoutMs / 1_000} s`,
      why: 'load on a table that is still being made would measure its creation',
      fix: 'try again; where it stays like that, look at the table in the console of the server, and delete it',
    });
  }
}

function isReady(table: TableDescription | undefined): boolean {
  if (table?.TableStatus !== 'ACTIVE') return false;
  return (table.GlobalSecondaryIndexes ?? []).every(
    ({ IndexStatus }) => IndexStatus === undefined || IndexStatus === 'ACTIVE',
  );
}

const partNotes: Readonly<Record<OptionalPart, string>> = {
  tags: 'The server takes no tags with CreateTable; tables are not tagged.',
  warmth: 'The server takes no warm throughput; tables start as they always do there.',
  maxima: 'The server takes no on-demand maxima; tables have none.',
  onDemand: 'The server knows no on-demand mode; tables are provisioned at 40,000 units instead.',
};

/** Which optional part a server refused, by what its message names. */
function refusedPart({ code, message }: { code: string; message: string }): OptionalPart | undefined {
  if (!/^(ValidationException|SerializationException|UnknownOperationException|NotImplemented)$/.test(code))
    return undefined;
  if (/tag/i.test(message)) return 'tags';
  if (/warmThroughput/i.test(message)) return 'warmth';
  if (/onDemandThroughput|MaxReadRequestUnits|MaxWriteRequestUnits/i.test(message)) return 'maxima';
  if (/billing ?mode|pay_per_request|provisionedThroughput/i.test(message)) return 'onDemand';
  return undefined;
}
