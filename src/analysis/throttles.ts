// Who throttled whom: the throttled attempts of workloads, by reason and resource.
import {
  parseThrottlingReason,
  type ThrottlingLimit,
  type ThrottlingReason,
} from '../dynamodb/throttling-reason.ts';
import type { StageTotals, VariantResult, WorkloadResult } from './run-result.ts';

/** A cause of a workload's throttled attempts. */
export interface ThrottleShare {
  /** As on the wire, for example `IndexWriteKeyRangeThroughputExceeded`. */
  readonly reason: string;
  /** `tableName` or `tableName/indexName`; empty where the server named none. */
  readonly resource: string;
  readonly count: number;
  /** Of all reasons given; a throttled attempt may have several. */
  readonly shareRatio: number;
}

/** A cause with a smaller share of the reasons is left out of tables. */
const LEAST_SHARE_RATIO = 0.05;

/** The causes that matter, the most frequent first; empty where nothing was throttled. */
export function mainThrottles(totals: Pick<StageTotals, 'throttles'>): ThrottleShare[] {
  const all = totals.throttles.reduce((sum, throttle) => sum + throttle.count, 0);
  return totals.throttles
    .filter(({ count }) => count > LEAST_SHARE_RATIO * all)
    .toSorted((a, b) => b.count - a.count)
    .map((throttle) => ({ ...throttle, shareRatio: throttle.count / all }));
}

/** Attempts that one resource throttled by one limit, on one side. */
export interface LimitThrottles {
  readonly reason: string;
  readonly resource: string;
  readonly side: 'read' | 'write';
  readonly count: number;
  /** Requests of the workloads that met these throttles. */
  readonly requests: number;
  /** Workloads that met them, the most throttled first. */
  readonly workloads: readonly string[];
}

/**
 * Throttles by one limit in a variant's measured stages, by resource and side. A resource that the server did
 * not name is left out.
 */
export function throttlesBy(
  wanted: ThrottlingLimit,
  variant: Pick<VariantResult, 'workloads'>,
): LimitThrottles[] {
  const causes = new Map<string, LimitCause[]>();
  for (const workload of variant.workloads) {
    for (const { reason, resource, count } of workload.measured.throttles) {
      const parsed = parseThrottlingReason(reason);
      if (parsed.limit !== wanted || resource === '' || count === 0) continue;
      const cause = { parsed, resource, count, workload };
      causes.set(`${reason} ${resource}`, [...(causes.get(`${reason} ${resource}`) ?? []), cause]);
    }
  }
  return [...causes.values()].map(mergeCauses);
}

interface LimitCause {
  readonly parsed: ThrottlingReason;
  readonly resource: string;
  readonly count: number;
  readonly workload: WorkloadResult;
}

function mergeCauses(causes: readonly LimitCause[]): LimitThrottles {
  const sorted = causes.toSorted((a, b) => b.count - a.count);
  const first = sorted[0] as LimitCause; // A list is made with its first cause.
  return {
    reason: first.parsed.reason,
    resource: first.resource,
    side: first.parsed.operation === 'Read' ? 'read' : 'write',
    count: sorted.reduce((sum, cause) => sum + cause.count, 0),
    requests: sorted.reduce((sum, cause) => sum + cause.workload.measured.requests, 0),
    workloads: sorted.map((cause) => cause.workload.name),
  };
}
