// Holds what dyno-load counted against what CloudWatch counted: units, throttle events, throttled and successful
// requests. Sums of the whole variant are exact, since its load lies between idle minutes; a difference is explained
// by what is known of it, or flagged. A throttled event is counted twice by CloudWatch, in the metric of all causes
// and in that of its own: they are never added up.
import { MAX_ITEM_BYTES, MAX_TRANSACTION_ITEMS, WRITE_UNIT_BYTES } from '../dynamodb/limits.ts';
import { parseThrottlingReason, type ThrottlingReason } from '../dynamodb/throttling-reason.ts';
import type { CloudWatchRecord, MetricSeries, OperationCount } from './records/cloudwatch.ts';
import type { ReconciliationRecord, ReconciliationRow } from './records/reconciliation.ts';
import type { StageTotals, VariantResult } from './run-result.ts';
import { countOf, formatNumber } from './wording.ts';

/** What reconciliation reads of a variant. */
export interface ReconciledVariant {
  readonly cloudWatch?: CloudWatchRecord | undefined;
  readonly workloads: readonly Pick<VariantResult['workloads'][number], 'stages' | 'measured'>[];
  readonly generatorHealth: Pick<VariantResult['generatorHealth'], 'resentRequests'>;
}

/** All rows that say something; undefined where CloudWatch was not asked. */
export function reconcile(variant: ReconciledVariant): ReconciliationRecord | undefined {
  const { cloudWatch } = variant;
  if (cloudWatch === undefined) return undefined;
  const context = new Context(variant, cloudWatch);
  return {
    isExact: cloudWatch.isSettled && !cloudWatch.isTableShared,
    rows: [...unitRows(context), ...throttleRows(context), ...requestRows(context)],
  };
}

type Side = 'Read' | 'Write';

/** One quantity as both counted it. */
interface Pair {
  readonly quantity: ReconciliationRow['quantity'];
  readonly series: MetricSeries;
  readonly client: number;
  readonly estimated?: number;
  readonly measuredClient?: number;
  /** Requests that may stand for what the service counted and answers did not tell. */
  readonly silent: Silent;
}

/** Requests of which no answer told what they did, and how much each may have done. */
interface Silent {
  readonly unanswered: number;
  readonly unprocessedItems: number;
  /** What one request does at most, as far as known. */
  readonly each: number;
  /** Requests of which an answer told that they failed, and not what they did all the same. */
  readonly failed?: { readonly most: number; readonly text: string } | undefined;
}

/** What one variant's client counted, in the service's terms. */
class Context {
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

function unitRows(context: Context): ReconciliationRow[] {
  return context.cloudWatch.series.flatMap((series) => {
    const side = /^Consumed(Read|Write)CapacityUnits$/.exec(series.metric)?.[1] as Side | undefined; // By the pattern.
    if (side === undefined) return [];
    const resource = resourceOf(series);
    const client = context.units('whole', 'units', resource, side);
    const estimated = context.units('whole', 'estimatedUnits', resource, side);
    return rowOf(context, {
      quantity: side === 'Read' ? 'readUnits' : 'writeUnits',
      series,
      client,
      estimated,
      measuredClient: context.units('measured', 'units', resource, side),
      silent: {
        unanswered: context.unanswered,
        unprocessedItems: 0,
        each: context.answered > 0 ? Math.max(1, client / context.answered) : 1,
        failed: side === 'Write' && estimated === 0 ? context.chargedFailures(series, client) : undefined,
      },
    });
  });
}

const limitsByMetric = {
  ThrottleEvents: undefined,
  KeyRangeThroughputThrottleEvents: 'KeyRange',
  ProvisionedThroughputThrottleEvents: 'Provisioned',
  MaxOnDemandThroughputThrottleEvents: 'MaxOnDemand',
  AccountLimitThrottleEvents: 'Account',
} as const;

function throttleRows(context: Context): ReconciliationRow[] {
  return context.cloudWatch.series.flatMap((series) => {
    const parts = /^(Read|Write)(.*ThrottleEvents)$/.exec(series.metric);
    const name = parts?.[2];
    if (parts === null || name === undefined || !(name in limitsByMetric)) return [];
    const side = parts[1] as Side; // By the pattern.
    const limit = limitsByMetric[name as keyof typeof limitsByMetric]; // Looked for above.
    const resource = resourceOf(series);
    return rowOf(context, {
      quantity: 'throttleEvents',
      series,
      client: context.throttles('whole', resource, { side, limit }),
      measuredClient: context.throttles('measured', resource, { side, limit }),
      // A throttled item of a batch comes back without a reason.
      silent: {
        unanswered: context.unanswered,
        unprocessedItems: context.unprocessedItems,
        each: 1,
        failed: context.throttledTransactions(series),
      },
    });
  });
}

function requestRows(context: Context): ReconciliationRow[] {
  return context.cloudWatch.series.flatMap((series) => {
    const counted = context.cloudWatch.requests.find(
      (row) => row.tableName === series.tableName && row.operation === series.operation,
    );
    const client = counted === undefined ? undefined : clientRequests(series, counted);
    if (counted === undefined || client === undefined) return [];
    return rowOf(context, {
      quantity: series.metric === 'ThrottledRequests' ? 'throttledRequests' : 'successfulRequests',
      series,
      client,
      silent: { unanswered: counted.unanswered, unprocessedItems: 0, each: 1 },
    });
  });
}

function clientRequests(
  { metric, statistic }: MetricSeries,
  { ok, partial, throttled }: OperationCount,
): number | undefined {
  if (metric === 'ThrottledRequests') return throttled;
  // The number of samples of the latency is that of requests that succeeded.
  if (metric === 'SuccessfulRequestLatency' && statistic === 'SampleCount') return ok + partial;
  return undefined;
}

/** A row, or none where nobody counted anything. */
function rowOf(context: Context, pair: Pair): ReconciliationRow[] {
  const { series, client, estimated = 0, measuredClient, quantity } = pair;
  const hasData = series.minutes.some((value) => value !== null);
  const service = series.total ?? 0;
  if (client === 0 && estimated === 0 && service === 0) return [];
  return [
    {
      quantity,
      resource: resourceOf(series),
      operation: series.operation,
      metric: series.metric,
      client,
      estimated,
      service: hasData ? service : null,
      difference: service - client,
      ...explain(context, pair, service),
      measured:
        measuredClient === undefined ? null : { client: measuredClient, service: series.measured ?? 0 },
    },
  ];
}

type Reading = Pick<ReconciliationRow, 'status' | 'because'>;

/** Sums of halves and of averages are not exact in binary. */
function isNone(difference: number, size: number): boolean {
  return Math.abs(difference) <= 1e-6 * Math.max(1, Math.abs(size));
}

function explain(context: Context, pair: Pair, service: number): Reading {
  const { client, estimated = 0 } = pair;
  const difference = service - client;
  if (isNone(difference, service)) return { status: 'agrees', because: '' };
  if (difference < 0) return explainLess(context.cloudWatch, -difference);
  const reasons: string[] = [];
  let left = difference;
  if (estimated > 0) {
    const used = Math.min(estimated, left);
    reasons.push(
      `${formatNumber(used)} for failed conditions and cancelled transactions, which are charged and not reported`,
    );
    left -= used;
  }
  if (!isNone(left, service)) left = explainSilent(context, pair, left, reasons);
  if (isNone(left, service)) return { status: 'explained', because: `${reasons.join('; ')}.` };
  const rest = context.cloudWatch.isTableShared
    ? 'other clients may have used the table'
    : 'no other client of the table is known';
  reasons.push(`${formatNumber(left)} that nothing here explains; ${rest}`);
  return { status: 'unexplained', because: `${reasons.join('; ')}.` };
}

/** Requests without an answer explain as much as they could have done, and no more. */
function explainSilent(context: Context, { silent }: Pair, left: number, reasons: string[]): number {
  const causes = [
    [
      silent.unanswered * silent.each,
      `${countOf(silent.unanswered, 'request')} without an answer in time, carried out all the same`,
    ],
    [
      context.resentRequests * silent.each,
      `${countOf(context.resentRequests, 'request')} sent again over a new connection`,
    ],
    [
      silent.unprocessedItems,
      `${countOf(silent.unprocessedItems, 'item')} of batches that came back without a reason`,
    ],
    [silent.failed?.most ?? 0, silent.failed?.text ?? ''],
  ] as const;
  let rest = left;
  for (const [most, text] of causes) {
    const used = Math.min(most, rest);
    if (used <= 0) continue;
    reasons.push(`up to ${formatNumber(used)} for ${text}`);
    rest -= used;
  }
  return rest;
}

function explainLess({ isSettled, pulls }: CloudWatchRecord, missing: number): Reading {
  if (!isSettled)
    return {
      status: 'incomplete',
      because: `${formatNumber(missing)} less than answers told: data had not all come in after ${countOf(pulls, 'reading')}.`,
    };
  return {
    status: 'unexplained',
    because: `The service counted ${formatNumber(missing)} less than its own answers told.`,
  };
}

function resourceOf({ tableName, indexName }: Pick<MetricSeries, 'tableName' | 'indexName'>): string {
  return indexName === null ? tableName : `${tableName}/${indexName}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
