// All series of one table: of the table and each global index, of its operations. Series come into being with
// their first value, so that idle metrics cost nothing.
import type { ThrottledOperation } from '../../capacity/throttling.ts';
import type { ConsumedCapacity, Units } from '../../dynamodb/consumed-capacity.ts';
import type { DataApi } from '../../dynamodb/operation.ts';
import type { ThrottlingLimit } from '../../dynamodb/throttling-reason.ts';
import {
  type OperationMetric,
  type ResourceMetric,
  type TableMetric,
  throttleMetric,
} from './metric-list.ts';
import { MinuteSeries } from './minute-series.ts';
import { ResourceLife } from './resource-life.ts';

/** The series of the table, or of one global index. */
export class ResourceSeries {
  readonly life = new ResourceLife();
  readonly #series = new Map<ResourceMetric, MinuteSeries>();

  get(metric: ResourceMetric): MinuteSeries | undefined {
    return this.#series.get(metric);
  }

  /** Counts what one request consumed here: one value for reads, one for writes, none for what it did not. */
  consume({ readUnits, writeUnits }: Units, minute: number): void {
    if (readUnits > 0) this.#of('ConsumedReadCapacityUnits').add(minute, readUnits);
    if (writeUnits > 0) this.#of('ConsumedWriteCapacityUnits').add(minute, writeUnits);
  }

  /** Counts one throttled event, in the generic metric and in that of its cause. */
  throttle(operation: ThrottledOperation, limit: ThrottlingLimit, minute: number): void {
    this.#of(`${operation}ThrottleEvents`).add(minute, 1);
    this.#of(throttleMetric(operation, limit)).add(minute, 1);
  }

  #of(metric: ResourceMetric): MinuteSeries {
    return seriesIn(this.#series, metric);
  }
}

/**
 * What is told of statements of PartiQL beside their operation: the verb of a single one, or whether several read or
 * write.
 */
export interface StatementDetail {
  readonly operation: DataApi;
  /** For example `PartiQLInsert`. */
  readonly verb?: string;
  readonly operationType?: 'Read' | 'Write';
}

interface StatementSeries {
  readonly detail: StatementDetail;
  readonly metrics: Map<OperationMetric, MinuteSeries>;
}

/** The series of one table, from its creation until it is forgotten. */
export class TableSeries {
  readonly tableName: string;
  readonly table = new ResourceSeries();
  readonly indexes = new Map<string, ResourceSeries>();
  readonly operations = new Map<DataApi, Map<OperationMetric, MinuteSeries>>();
  /** By operation and detail. */
  readonly statements = new Map<string, StatementSeries>();
  readonly #counts = new Map<TableMetric, MinuteSeries>();

  constructor(tableName: string) {
    this.tableName = tableName;
  }

  get(metric: TableMetric): MinuteSeries | undefined {
    return this.#counts.get(metric);
  }

  /** The table itself, or one of its global indexes. */
  resource(indexName: string | undefined): ResourceSeries {
    if (indexName === undefined) return this.table;
    const known = this.indexes.get(indexName);
    if (known !== undefined) return known;
    const added = new ResourceSeries();
    this.indexes.set(indexName, added);
    return added;
  }

  count(metric: TableMetric, minute: number): void {
    seriesIn(this.#counts, metric).add(minute, 1);
  }

  operation(api: DataApi, metric: OperationMetric): MinuteSeries {
    let metrics = this.operations.get(api);
    if (metrics === undefined) {
      metrics = new Map();
      this.operations.set(api, metrics);
    }
    return seriesIn(metrics, metric);
  }

  /** The series of an operation with a detail of its statements. */
  statement(detail: StatementDetail, metric: OperationMetric): MinuteSeries {
    const name = statementName(detail);
    let series = this.statements.get(name);
    if (series === undefined) {
      series = { detail, metrics: new Map() };
      this.statements.set(name, series);
    }
    return seriesIn(series.metrics, metric);
  }

  /** Counts what one request consumed: on the table with its local indexes, and on each global index. */
  consume({ table, localIndexes, globalIndexes }: ConsumedCapacity, minute: number): void {
    this.table.consume(localIndexes === undefined ? table : sumOf(table, localIndexes), minute);
    for (const indexName in globalIndexes)
      this.resource(indexName).consume(globalIndexes[indexName] as Units, minute);
  }
}

/** Names an operation with a detail of its statements. */
export function statementName({
  operation,
  verb = '',
  operationType = '',
}: {
  readonly operation: string;
  readonly verb?: string | undefined;
  readonly operationType?: string | undefined;
}): string {
  return `${operation}/${verb}/${operationType}`;
}

function sumOf(table: Units, arms: { readonly [indexName: string]: Units }): Units {
  let { readUnits, writeUnits } = table;
  for (const name in arms) {
    readUnits += arms[name]?.readUnits ?? 0;
    writeUnits += arms[name]?.writeUnits ?? 0;
  }
  return { readUnits, writeUnits };
}

function seriesIn<N>(map: Map<N, MinuteSeries>, name: N): MinuteSeries {
  const known = map.get(name);
  if (known !== undefined) return known;
  const added = new MinuteSeries();
  map.set(name, added);
  return added;
}
