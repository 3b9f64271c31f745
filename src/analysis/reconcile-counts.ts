// What one variant's client counted, in the terms in which CloudWatch counts: by table and global index, by
// side, by limit, by operation.
import { MAX_ITEM_BYTES, MAX_TRANSACTION_ITEMS, WRITE_UNIT_BYTES } from '../dynamodb/limits.ts';
import { parseThrottlingReason, type ThrottlingReason } from '../dynamodb/throttling-reason.ts';
import type { CloudWatchRecord, MetricSeries, OperationCount } from './records/cloudwatch.ts';
import type { StageTotals, VariantResult } from './run-result.ts';
import { countOf } from './wording.ts';

/** What reconciliation reads of a variant. */
export interface ReconciledVariant {
  readonly cloudWatch?: CloudWatchRecord | undefined;
  readonly workloads: readonly Pick<VariantResult['workloads'][number], 'stages' | 'measured'>[];
  readonly generatorHealth: Pick<VariantResult['generatorHealth'], 'resentRequests'>;
}

/** What units are of: each side is reconciled by itself. */
export type Side = 'Read' | 'Write';

/** Requests of which no answer told what they did, and how much each may have done. */
export interface Silent {
  readonly unanswered: number;
  readonly unprocessedItems: number;
  /** What one request does at most, as far as known. */
  readonly each: number;
  /** Requests of which an answer told that they failed, and not what they did all the same. */
  readonly failed?: { readonly most: number; readonly text: string } | undefined;
}

/** What one variant's client counted, in the service's terms. */
export class ClientCounts {
  readonly cloudWatch: CloudWatchRecord;
  readonly resentRequests: number;
  readonly #whole: readonly StageTotals[];
  readonly #measured: readonly StageTotals[];
  readonly #globalIndexes: ReadonlySet<string>;

  constructor({ workloads, generatorHealth }: ReconciledVariant, cloudWatch: CloudWatchRecord) {
    this.cloudWatch = cloudWatch;
    this.resentRequests = generatorHealth.resentRequests ?? 0;
    this.#whole = workloads.flatMap(({ stages }) => stages.map(({ totals }) => totals));
    this.#measured = workloads.map(({ measured }) => measured);
    this.#globalIndexes = new Set(cloudWatch.series.map(resourceOf).filter((name) => name.includes('/')));
  }

  /** Units of a table, local indexes among them, or of a global index. */
  units(span: 'whole' | 'measured', kind: 'units' | 'estimatedUnits', resource: string, side: Side): number {
    const name = side === 'Read' ? 'readUnits' : 'writeUnits';
    const rows = this.#totals(span).flatMap((totals) => totals[kind]);
    return sum(rows.filter((row) => this.#countedUnder(row.resource) === resource).map((row) => row[name]));
  }

  /** Throttles with a reason on one side of a resource, of one limit or of all. */
  throttles(
    span: 'whole' | 'measured',
    resource: string,
    { side, limit }: { readonly side: Side; readonly limit: ThrottlingReason['limit'] },
  ): number {
    const rows = this.#totals(span).flatMap((totals) => totals.throttles);
    return sum(
      rows.map((row) => {
        const reason = parseThrottlingReason(row.reason);
        const isMeant = reason.operation === side && (limit === undefined || reason.limit === limit);
        return isMeant && row.resource === resource ? row.count : 0;
      }),
    );
  }

  get unprocessedItems(): number {
    return sum(this.#whole.map((totals) => totals.itemsUnprocessed));
  }

  get unanswered(): number {
    return sum(this.cloudWatch.requests.map((row) => row.unanswered));
  }

  get answered(): number {
    return sum(this.cloudWatch.requests.map((row) => row.ok + row.partial));
  }

  /**
   * Writes of a table that were refused after they had taken units, which no error tells: failed conditions,
   * conflicts, cancelled transactions. Each takes twice what a write of the table takes on average, at most.
   */
  chargedFailures({ tableName, indexName }: MetricSeries, units: number): Silent['failed'] {
    if (indexName !== null) return undefined;
    const rows = this.cloudWatch.requests.filter((row) => row.tableName === tableName && isWrite(row));
    const count = sum(
      rows.map((row) =>
        isTransaction(row)
          ? row.conditionFailed + row.conflict + row.refused + row.throttled
          : row.conditionFailed + row.conflict,
      ),
    );
    const done = sum(rows.map(({ ok, partial }) => ok + partial));
    const each = done === 0 ? MAX_ITEM_BYTES / WRITE_UNIT_BYTES : Math.max(1, (2 * units) / done);
    const text = `${countOf(count, 'failed condition or cancelled transaction', 'failed conditions and cancelled transactions')}, which are charged and not reported`;
    return { most: count * each, text };
  }

  /** The reasons of a cancelled transaction name no limit; each of its actions may have been throttled. */
  throttledTransactions({ tableName }: MetricSeries): Silent['failed'] {
    const rows = this.cloudWatch.requests.filter((row) => row.tableName === tableName && isTransaction(row));
    const count = sum(rows.map(({ throttled }) => throttled));
    const text = `${countOf(count, 'transaction')} that ${count === 1 ? 'was' : 'were'} cancelled without naming a limit`;
    return { most: count * MAX_TRANSACTION_ITEMS, text };
  }

  #totals(span: 'whole' | 'measured'): readonly StageTotals[] {
    return span === 'whole' ? this.#whole : this.#measured;
  }

  /** CloudWatch knows no local indexes: they are part of their table. */
  #countedUnder(resource: string): string {
    if (this.#globalIndexes.has(resource)) return resource;
    return resource.split('/')[0] ?? resource;
  }
}

const readApis = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems'];

function isWrite({ operation }: OperationCount): boolean {
  return !readApis.includes(operation);
}

function isTransaction({ operation }: OperationCount): boolean {
  return operation.startsWith('Transact') || operation === 'ExecuteTransaction';
}

/** `tableName` or `tableName/indexName`. */
export function resourceOf({ tableName, indexName }: Pick<MetricSeries, 'tableName' | 'indexName'>): string {
  return indexName === null ? tableName : `${tableName}/${indexName}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
