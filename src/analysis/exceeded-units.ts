// Where more was asked of a whole table or index than it is given: provisioned units, the maximum set on
// demand, or the quota of the account. No placement and no partition helps there.
import { TABLE_QUOTA_UNITS } from '../dynamodb/limits.ts';
import type { ThrottlingLimit } from '../dynamodb/throttling-reason.ts';
import type { ResourceResult, VariantResult } from './run-result.ts';
import { type LimitThrottles, throttlesBy } from './throttles.ts';

/** The limit of a whole table or index that was passed. */
export type WholeLimit = Exclude<ThrottlingLimit, 'KeyRange'>;

/** A limit of a whole table, index or account that was exceeded. */
export interface ExceededUnits {
  readonly limit: WholeLimit;
  /** `tableName` or `tableName/indexName`. */
  readonly resource: string;
  readonly side: 'read' | 'write';
  /** Units per second given; null where the record does not say. */
  readonly limitUnits: number | null;
  /** Units asked for per second, consumed and rejected. */
  readonly demandUnits: number;
  /**
   * What this limit throttled, or else what partitions did there; null where that is next to nothing, as
   * provisioned units were saved up.
   */
  readonly throttles: LimitThrottles | null;
}

/** Share of requests that must be throttled before a limit is worth words. */
const NOTEWORTHY_RATIO = 0.001;

/** The limits of whole tables and indexes that a variant passed, most throttled first. */
export function exceededUnits(variant: VariantResult): ExceededUnits[] {
  const byKeyRange = noteworthy('KeyRange', variant);
  const found = (['Provisioned', 'MaxOnDemand', 'Account'] as const).flatMap((limit) => {
    const byLimit = noteworthy(limit, variant);
    return variant.resources.flatMap((resource) =>
      (['read', 'write'] as const).flatMap((side): ExceededUnits[] => {
        const isHere = (one: LimitThrottles) => one.resource === resource.resource && one.side === side;
        const throttles = byLimit.find(isHere) ?? null;
        const limitUnits = unitsOf(limit, resource, side);
        const demandUnits = demandOf(resource, side) / variant.measuredSeconds;
        const isPassed = limit === 'Provisioned' && limitUnits !== null && demandUnits > limitUnits;
        if (throttles === null && !isPassed) return [];
        return [
          {
            limit,
            resource: resource.resource,
            side,
            limitUnits,
            demandUnits,
            // Where partitions give no more than all of it, they are the first to refuse.
            throttles: throttles ?? byKeyRange.find(isHere) ?? null,
          },
        ];
      }),
    );
  });
  return found.toSorted((a, b) => (b.throttles?.count ?? 0) - (a.throttles?.count ?? 0));
}

function noteworthy(limit: ThrottlingLimit, variant: VariantResult): LimitThrottles[] {
  return throttlesBy(limit, variant).filter(
    ({ count, requests }) => requests > 0 && count / requests >= NOTEWORTHY_RATIO,
  );
}

function unitsOf(limit: WholeLimit, resource: ResourceResult, side: 'read' | 'write'): number | null {
  if (limit === 'Account') return resource.limit?.kind === 'provisioned' ? null : TABLE_QUOTA_UNITS;
  if (resource.limit?.kind !== (limit === 'Provisioned' ? 'provisioned' : 'maximumOnDemand')) return null;
  return side === 'read' ? resource.limit.readUnits : resource.limit.writeUnits;
}

function demandOf(resource: ResourceResult, side: 'read' | 'write'): number {
  return side === 'read'
    ? resource.readUnits + resource.throttledReadUnits
    : resource.writeUnits + resource.throttledWriteUnits;
}
