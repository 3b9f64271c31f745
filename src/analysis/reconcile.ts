// Holds what dyno-load counted against what CloudWatch counted: units, throttle events, throttled and successful
// requests. Sums of the whole variant are exact, since its load lies between idle minutes; a difference is explained
// by what is known of it, or flagged. A throttled event is counted twice by CloudWatch, in the metric of all causes
// and in that of its own: they are never added up.
import { ClientCounts, type ReconciledVariant, resourceOf, type Side } from './reconcile-counts.ts';
import { explain, type Pair } from './reconcile-reading.ts';
import type { MetricSeries, OperationCount } from './records/cloudwatch.ts';
import type { ReconciliationRecord, ReconciliationRow } from './records/reconciliation.ts';

/** All rows that say something; undefined where CloudWatch was not asked. */
export function reconcile(variant: ReconciledVariant): ReconciliationRecord | undefined {
  const { cloudWatch } = variant;
  if (cloudWatch === undefined) return undefined;
  const context = new ClientCounts(variant, cloudWatch);
  return {
    isExact: cloudWatch.isSettled && !cloudWatch.isTableShared,
    rows: [...unitRows(context), ...throttleRows(context), ...requestRows(context)],
  };
}

function unitRows(context: ClientCounts): ReconciliationRow[] {
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

function throttleRows(context: ClientCounts): ReconciliationRow[] {
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

function requestRows(context: ClientCounts): ReconciliationRow[] {
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
function rowOf(context: ClientCounts, pair: Pair): ReconciliationRow[] {
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
