// The simulated DynamoDB: tables in memory that answer requests at given moments of virtual time. Same seed
// and same requests in the same order, same answers. It knows no clock and no service time; who asks decides
// when a request begins and when it takes effect.
import type { CapacityModel } from '../capacity/capacity-model.ts';
import { type PlacementSalt, placementSalt } from '../capacity/placement.ts';
import { ApiError } from '../dynamodb/api-error.ts';
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { ArnPlace, TableSpec } from '../dynamodb/table-spec.ts';
import { US_PER_MS } from '../units.ts';
import type { AccessListener } from './access-listener.ts';
import { answerRequest } from './api/answer-request.ts';
import { checkPut } from './api/put-item.ts';
import { checkedItem } from './checked-item.ts';
import { beginRequest, endRequest } from './conflicts.ts';
import { type DatabaseLimits, defaultLimits } from './database-limits.ts';
import { DatabaseState } from './database-state.ts';
import { backfill } from './index-backfill.ts';
import { IndexLag } from './index-lag.ts';
import { SimulatedTable } from './simulated-table.ts';
import { probeOf } from './table-key.ts';
import { type NamedPartitions, partitionsOfTable, restoreTablePartitions } from './table-partitions.ts';
import {
  contentsOfTable,
  heatOfTable,
  observeTable,
  type ResourceHeat,
  type TableContents,
  type TableObservation,
  throughputsOf,
} from './table-views.ts';
import { applyWrite, findEntry, planWrite } from './write-plan.ts';

/** What a database is made with. */
export interface DatabaseSettings {
  readonly model: CapacityModel;
  /** Decides where keys fall; the same for all variants of a run. */
  readonly seed: number;
  readonly region?: string;
  readonly accountId?: string;
  /** Is told of each access to a table or index. */
  readonly listener?: AccessListener;
  /** ms since 1970 at the database's moment 0: decides when items expire; default 0. */
  readonly wallMsAtZero?: number;
  /** What differs from the usual limits. */
  readonly limits?: Partial<DatabaseLimits>;
}

/** How a table comes into being. */
interface TableOrigin {
  readonly keepsItems?: boolean;
  readonly initialBytes?: number;
  readonly createdAtUs?: number;
}

/** Tables, and what requests do to them. Moments are µs since the run began and never go back. */
export class SimulatedDatabase {
  readonly #state: DatabaseState;
  readonly #model: CapacityModel;
  readonly #salt: PlacementSalt;
  readonly #place: ArnPlace;
  readonly #indexLag: IndexLag | undefined;
  readonly #limits: DatabaseLimits;

  constructor(settings: DatabaseSettings) {
    const { model, seed, region = 'us-east-1', accountId = '000000000000', listener } = settings;
    this.#limits = { ...defaultLimits, ...settings.limits };
    this.#state = new DatabaseState(listener, {
      wallMsAtZero: settings.wallMsAtZero ?? 0,
      delaySeconds: this.#limits.expiryDelaySeconds,
    });
    this.#model = model;
    this.#indexLag =
      model.indexLagMs > 0 ? new IndexLag(Math.round(model.indexLagMs * US_PER_MS)) : undefined;
    this.#salt = placementSalt(seed);
    this.#place = { region, accountId };
  }

  /**
   * Makes an empty table; it serves requests at once.
   * @param options.initialBytes  bytes that `preload` will put there; matters beyond 10 GB, where it adds
   *   partitions
   * @param options.createdAtUs  when it is made; default: time 0
   * @param options.keepsItems  false where only puts without a condition will come, so that nobody ever looks at an
   *   item; default: true
   * @throws ApiError ResourceInUseException where the name is taken
   */
  createTable(
    spec: TableSpec,
    { initialBytes = 0, createdAtUs = 0, keepsItems = true }: TableOrigin = {},
  ): void {
    const { tables } = this.#state;
    if (tables.has(spec.tableName))
      throw new ApiError('ResourceInUseException', `Table already exists: ${spec.tableName}`);
    const settings = {
      model: this.#model,
      salt: this.#salt,
      place: this.#place,
      initialBytes,
      createdAtUs,
      keepsItems,
      itemCollectionBytes: this.#limits.itemCollectionBytes,
      indexLag: this.#indexLag,
    };
    tables.set(spec.tableName, new SimulatedTable(spec, settings));
    if (spec.timeToLive !== undefined) this.setTimeToLive(spec.tableName, spec.timeToLive, createdAtUs);
  }

  /**
   * Sets the attribute that tells when items expire, for items that are there and those to come; undefined: no
   * item expires any more.
   * @throws ApiError ResourceNotFoundException
   */
  setTimeToLive(tableName: string, attribute: string | undefined, atUs: number): void {
    const table = this.#state.table(tableName);
    table.timeToLive = attribute;
    table.expirations = attribute === undefined ? undefined : this.#state.expirations;
    if (attribute !== undefined) this.#state.expirations.noteAll(table, atUs);
  }

  /** Deletes items that were to be deleted by a moment; requests do so by themselves. */
  expire(atUs: number): void {
    if (this.#state.expirations.isUsed) this.#state.expirations.advance(atUs);
  }

  /**
   * Changes throughput and global indexes of a table to what the specification says, from a moment on. A new
   * index is complete at once.
   * @throws ApiError ResourceNotFoundException
   */
  updateTable(spec: TableSpec, atUs: number): void {
    const table = this.#state.table(spec.tableName);
    for (const index of table.reshape(spec, atUs)) backfill(table, index);
  }

  /**
   * What a table and each of its indexes hold now, and over how many partitions.
   * @throws ApiError ResourceNotFoundException
   */
  contents(tableName: string): TableContents {
    return contentsOfTable(this.#state.table(tableName));
  }

  /**
   * Carries out what is due by a moment without a request: splits and growth of a table's and its indexes'
   * partitions.
   * @throws ApiError ResourceNotFoundException
   */
  advancePartitions(tableName: string, atUs: number): void {
    const table = this.#state.table(tableName);
    for (const { throughput } of [table, ...table.indexes]) throughput.advance(atUs);
  }

  /**
   * The partitions of a table and of its global indexes as they serve now, with what was asked of each since it
   * came into being.
   * @throws ApiError ResourceNotFoundException
   */
  heat(tableName: string): readonly ResourceHeat[] {
    return heatOfTable(this.#state.table(tableName));
  }

  /**
   * The partitions of a table and of its global indexes, to be had again in another database.
   * @throws ApiError ResourceNotFoundException
   */
  partitions(tableName: string): readonly NamedPartitions[] {
    return partitionsOfTable(this.#state.table(tableName));
  }

  /**
   * Takes up partitions of a table that holds the same items, before load. Tokens are those of a new table.
   * @throws ApiError ResourceNotFoundException
   */
  restorePartitions(tableName: string, named: readonly NamedPartitions[], atUs: number): void {
    restoreTablePartitions(this.#state.table(tableName), named, atUs);
  }

  /** How many items a table holds. @throws ApiError ResourceNotFoundException */
  itemCount(tableName: string): number {
    return this.#state.table(tableName).itemCount;
  }

  /** Shows every item of a table, in no particular order. @throws ApiError ResourceNotFoundException */
  visitItems(tableName: string, visitor: (item: AttributeMap) => void): void {
    this.#state.table(tableName).store.visit(({ item }) => visitor(item));
  }

  /** @throws ApiError ResourceNotFoundException */
  deleteTable(tableName: string): void {
    this.#state.table(tableName).timeToLive = undefined;
    this.#state.tables.delete(tableName);
  }

  /**
   * Puts an item in place before load: no units, no heat, no throttling.
   * @throws ApiError ValidationException, ResourceNotFoundException
   */
  preload(tableName: string, item: AttributeMap): void {
    const table = this.#state.table(tableName);
    const stored = checkedItem(item);
    const sizeBytes = checkPut(table, stored);
    applyWrite(planWrite(findEntry(table, probeOf(stored, table.spec.keys)), stored, sizeBytes));
  }

  /**
   * The start of a request: transactions take hold of their items, and what meets such an item is in
   * conflict.
   * @returns undefined where the request goes on, to be ended by `complete`; else how it has ended
   */
  begin(request: Request, _startUs: number): Outcome | undefined {
    return beginRequest(this.#state, request);
  }

  /**
   * The end of a request: it is admitted, or not, and takes effect at this moment. Moments never go back.
   * @param keepsItems  whether a Query or Scan is to give back the items that it counts
   */
  complete(request: Request, atUs: number, keepsItems = true): Outcome {
    this.expire(atUs);
    this.#indexLag?.advance(atUs);
    const conflict = endRequest(this.#state, request);
    if (conflict !== undefined) return conflict;
    return answerRequest(this.#state, request, atUs, keepsItems);
  }

  /** A request that begins and ends at one moment. */
  handle(request: Request, atUs: number): Outcome {
    return this.begin(request, atUs) ?? this.complete(request, atUs);
  }

  /**
   * Sets the window in which what happens on a table is recorded; by default all of the run. To be called
   * before load.
   * @param untilUs  first moment that does not belong to it
   * @throws ApiError ResourceNotFoundException
   */
  markMeasured(tableName: string, fromUs: number, untilUs: number): void {
    for (const throughput of throughputsOf(this.#state.table(tableName)))
      throughput.markMeasured(fromUs, untilUs);
  }

  /**
   * What happened on a table in the measured window.
   * @param endUs  where load ended, if before the window's end
   * @throws ApiError ResourceNotFoundException
   */
  observe(tableName: string, endUs?: number): TableObservation {
    return observeTable(this.#state.table(tableName), endUs);
  }
}
