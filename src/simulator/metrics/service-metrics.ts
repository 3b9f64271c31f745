// What CloudWatch would say of the simulated database: every metric of its tables, global indexes and
// operations, minute by minute. Time is passed in; when a minute is published, and in which words it is asked
// for, is decided elsewhere.
import type { DataApi } from '../../dynamodb/operation.ts';
import type { TableSpec } from '../../dynamodb/table-spec.ts';
import { US_PER_MINUTE, US_PER_MS } from '../../units.ts';
import type { Access } from '../access-listener.ts';
import { accountPoints } from './account-metrics.ts';
import { countRequest, type FinishedRequest, type RequestBooks } from './count-request.ts';
import {
  accountMetrics,
  isOneOf,
  onlineIndexMetrics,
  operationMetrics,
  resourceMetrics,
  settingsMetrics,
  tableMetrics,
  USER_ERRORS,
} from './metric-list.ts';
import { type MinutePoint, type MinuteRange, MinuteSeries, RETENTION_MINUTES } from './minute-series.ts';
import { type ResourceSeries, statementName, TableSeries } from './table-series.ts';

/** A metric with its dimensions. */
export interface MetricKey {
  readonly metricName: string;
  /** Absent for metrics of the account. */
  readonly tableName?: string;
  /** A global index. */
  readonly indexName?: string;
  readonly operation?: string;
  /** Of statements of PartiQL, beside the operation: `PartiQLSelect`, `PartiQLInsert` … */
  readonly verb?: string;
  /** Of batches and transactions of statements, beside the operation: `Read` or `Write`. */
  readonly operationType?: string;
}

const consumedMetrics: readonly string[] = ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'];

/**
 * Counts requests and accesses; answers with points.
 *
 * Memory is bounded: points by 15 days, percentiles by a day, series by the tables that exist or have in that
 * time.
 */
export class ServiceMetrics {
  readonly #wallUsAtZero: number;
  readonly #tables = new Map<string, TableSeries>();
  readonly #books: RequestBooks;

  /** @param options.wallMsAtZero  wall-clock ms since 1970 at the database's moment 0 */
  constructor({ wallMsAtZero }: { readonly wallMsAtZero: number }) {
    this.#wallUsAtZero = wallMsAtZero * US_PER_MS;
    this.#books = {
      tableSeries: (tableName) => this.#tables.get(tableName),
      userErrors: new MinuteSeries(),
    };
  }

  /** A table was created, or is from now on as described here: capacity, mode, global indexes. */
  setTable(spec: TableSpec, atUs: number): void {
    const minute = this.#minuteOf(atUs);
    this.#forgetTablesBefore(minute - RETENTION_MINUTES);
    let series = this.#tables.get(spec.tableName);
    const isNew = series?.table.life.isAlive !== true;
    if (series === undefined) {
      series = new TableSeries(spec.tableName);
      this.#tables.set(spec.tableName, series);
    }
    series.table.life.set(minute, spec.billing);
    for (const { name, billing } of spec.globalIndexes) {
      const { life } = series.resource(name);
      if (!isNew && !life.isAlive) life.isMadeOnline = true;
      life.set(minute, billing);
    }
    const names = spec.globalIndexes.map(({ name }) => name);
    for (const [name, index] of series.indexes)
      if (index.life.isAlive && !names.includes(name)) index.life.set(minute, undefined);
  }

  /** A table is gone; what is known of it stays to be asked for. */
  removeTable(tableName: string, atUs: number): void {
    const series = this.#tables.get(tableName);
    if (series === undefined) return;
    const minute = this.#minuteOf(atUs);
    for (const { life } of [series.table, ...series.indexes.values()])
      if (life.isAlive) life.set(minute, undefined);
  }

  /** Counts a finished request, in the minute in which it ended. */
  record(finished: FinishedRequest): void {
    countRequest(this.#books, finished, this.#minuteOf(finished.endUs));
  }

  /**
   * Counts an access that was refused: one event on the table or index that refused it. An index entry that
   * moves is one event.
   */
  onAccess({ tableName, indexName, operation, refusedBy, isSecondPlace, atUs }: Access): void {
    if (refusedBy === undefined || isSecondPlace) return;
    this.#tables.get(tableName)?.resource(indexName).throttle(operation, refusedBy, this.#minuteOf(atUs));
  }

  /** Counts an item that has expired and is gone. */
  onExpired(tableName: string, atUs: number): void {
    this.#tables.get(tableName)?.count('TimeToLiveDeletedItemCount', this.#minuteOf(atUs));
  }

  /** Every metric that has a point before `untilMinute`, tables in the order in which they were made. */
  list(untilMinute: number): readonly MetricKey[] {
    const range = { fromMinute: 0, untilMinute };
    const account = [USER_ERRORS, ...accountMetrics].map((metricName) => ({ metricName }));
    const keys = [...this.#tables.values()].flatMap(keysOf);
    return [...keys, ...account].filter((key) => this.points(key, range).length > 0);
  }

  /**
   * The points of one metric, in order; none for a metric or dimensions that are unknown.
   * @param horizonMinute  first minute that is not over, where the range ends before it
   */
  points(
    key: MetricKey,
    range: MinuteRange,
    horizonMinute: number = range.untilMinute,
  ): readonly MinutePoint[] {
    const { metricName, tableName, indexName, operation } = key;
    const fromMinute = Math.max(range.fromMinute, range.untilMinute - RETENTION_MINUTES);
    const inRange = { fromMinute, untilMinute: range.untilMinute };
    if (tableName === undefined)
      return indexName === undefined && operation === undefined
        ? this.#accountPoints(metricName, inRange, horizonMinute)
        : [];
    const table = this.#tables.get(tableName);
    if (table === undefined) return [];
    if (operation !== undefined)
      return indexName === undefined ? operationPoints(table, { ...key, operation }, inRange) : [];
    if (key.verb !== undefined || key.operationType !== undefined) return [];
    if (isOneOf(tableMetrics, metricName))
      return indexName === undefined ? between(table.get(metricName), inRange) : [];
    const resource = indexName === undefined ? table.table : table.indexes.get(indexName);
    return resource === undefined ? [] : resourcePoints(resource, metricName, inRange, horizonMinute);
  }

  #accountPoints(metricName: string, range: MinuteRange, horizonMinute: number): readonly MinutePoint[] {
    if (metricName === USER_ERRORS) return between(this.#books.userErrors, range);
    if (!isOneOf(accountMetrics, metricName)) return [];
    const lives = [...this.#tables.values()].flatMap(({ table, indexes }) =>
      [table, ...indexes.values()].map(({ life }) => life),
    );
    return accountPoints(metricName, lives, range, horizonMinute);
  }

  #minuteOf(atUs: number): number {
    return Math.floor((this.#wallUsAtZero + atUs) / US_PER_MINUTE);
  }

  #forgetTablesBefore(minute: number): void {
    for (const [tableName, { table }] of this.#tables)
      if (!table.life.isAlive && table.life.lastChangeMinute < minute) this.#tables.delete(tableName);
  }
}

function between(series: MinuteSeries | undefined, range: MinuteRange): readonly MinutePoint[] {
  return series?.between(range.fromMinute, range.untilMinute) ?? [];
}

function operationPoints(
  table: TableSeries,
  key: MetricKey & { readonly operation: string },
  range: MinuteRange,
): readonly MinutePoint[] {
  const { metricName, operation, verb, operationType } = key;
  if (!isOneOf(operationMetrics, metricName)) return [];
  const metrics =
    verb === undefined && operationType === undefined
      ? table.operations.get(operation as DataApi) // An unknown name finds nothing.
      : table.statements.get(statementName(key))?.metrics;
  return between(metrics?.get(metricName), range);
}

function resourcePoints(
  resource: ResourceSeries,
  metricName: string,
  range: MinuteRange,
  horizonMinute: number,
): readonly MinutePoint[] {
  const { life } = resource;
  if (isOneOf(settingsMetrics, metricName)) return life.settings(metricName, range, horizonMinute);
  if (isOneOf(onlineIndexMetrics, metricName))
    return life.making(metricName === 'OnlineIndexPercentageProgress' ? 100 : 0, range, horizonMinute);
  if (!isOneOf(resourceMetrics, metricName)) return [];
  const series = resource.get(metricName);
  if (!consumedMetrics.includes(metricName)) return between(series, range);
  const points: MinutePoint[] = [];
  const start = Math.max(range.fromMinute, Math.min(life.firstMinute, series?.firstMinute ?? Infinity));
  for (let minute = start; minute < range.untilMinute; minute++) {
    const point = series?.at(minute) ?? (life.existedIn(minute) ? idle : undefined);
    if (point !== undefined) points.push({ minute, point });
  }
  return points;
}

/** Consumed units are told of idle minutes as well. */
const idle = { sum: 0, count: 1, min: 0, max: 0 };

/** All metrics that a table may have. */
function keysOf({ tableName, indexes, operations, statements }: TableSeries): readonly MetricKey[] {
  const names = [...resourceMetrics, ...settingsMetrics];
  return [
    ...[...names, ...tableMetrics].map((metricName) => ({ metricName, tableName })),
    ...[...indexes.keys()].flatMap((indexName) =>
      [...names, ...onlineIndexMetrics].map((metricName) => ({ metricName, tableName, indexName })),
    ),
    ...[...operations].flatMap(([operation, metrics]) =>
      [...metrics.keys()].map((metricName) => ({ metricName, tableName, operation })),
    ),
    ...[...statements.values()].flatMap(({ detail, metrics }) =>
      [...metrics.keys()].map((metricName) => ({ metricName, tableName, ...detail })),
    ),
  ];
}
