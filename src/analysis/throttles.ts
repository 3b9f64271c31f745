// Who throttled whom: the throttled attempts of workloads, by reason and resource.
import { parseThrottlingReason, type ThrottlingReason } from '../dynamodb/throttling-reason.ts';
import type { StageTotals, VariantResult, WorkloadResult } from './run-result.ts';

/** The most frequent cause of a workload's throttled attempts. */
export interface DominantThrottle {
  /** As on the wire, for example `IndexWriteKeyRangeThroughputExceeded`. */
  readonly reason: string;
  /** `tableName` or `tableName/indexName`; empty where the server named none. */
  readonly resource: string;
  readonly count: number;
  /** Of all reasons given; a throttled attempt may have several. */
  readonly shareRatio: number;
}

/** The dominant cause, or null where nothing was throttled. */
export function dominantThrottle(totals: Pick<StageTotals, 'throttles'>): DominantThrottle | null {
  const all = totals.throttles.reduce((sum, throttle) => sum + throttle.count, 0);
  const most = totals.throttles.toSorted((a, b) => b.count - a.count)[0];
  if (most === undefined || all === 0) return null;
  return { ...most, shareRatio: most.count / all };
}

/** Attempts that one resource throttled for its key range, on one side. */
export interface KeyRangeThrottles {
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
 * Key-range throttles of a variant's measured stages by resource and side. A resource that the server did not
 * name is left out.
 */
export function keyRangeThrottles(variant: Pick<VariantResult, 'workloads'>): KeyRangeThrottles[] {
  const causes = new Map<string, KeyRangeCause[]>();
  for (const workload of variant.workloads) {
    for (const { reason, resource, count } of workload.measured.throttles) {
      const parsed = parseThrottlingReason(reason);
      if (parsed.limit !== 'KeyRange' || resource === '' || count === 0) continue;
      const cause = { parsed, resource, count, workload };
      causes.set(`${reason} ${resource}`, [...(causes.get(`${reason} ${resource}`) ?? []), cause]);
    }
  }
  return [...causes.values()].map(mergeCauses);
}

interface KeyRangeCause {
  readonly parsed: ThrottlingReason;
  readonly resource: string;
  readonly count: number;
  readonly workload: WorkloadResult;
}

function mergeCauses(causes: readonly KeyRangeCause[]): KeyRangeThrottles {
  const sorted = causes.toSorted((a, b) => b.count - a.count);
  const first = sorted[0] as KeyRangeCause; // A list is made with its first cause.
  return {
    reason: first.parsed.reason,
    resource: first.resource,
    side: first.parsed.operation === 'Read' ? 'read' : 'write',
    count: sorted.reduce((sum, cause) => sum + cause.count, 0),
    requests: sorted.reduce((sum, cause) => sum + cause.workload.measured.requests, 0),
    workloads: sorted.map((cause) => cause.workload.name),
  };
}
