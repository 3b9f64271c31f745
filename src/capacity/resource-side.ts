// The limits that a whole table or index has for its reads or for its writes, and what passed and failed
// there. Partitions are checked in resource-throughput.ts.
import type { Billing } from '../dynamodb/table-spec.ts';
import type { CapacityModel } from './capacity-model.ts';
import { SecondSeries } from './second-series.ts';
import { limitBits, MASK_COUNT, type ThrottledOperation } from './throttling.ts';
import { TokenBucket, type TokenBucketSettings } from './token-bucket.ts';

/** A limit over a whole table or index, with the bit that stands for it when it fails. */
export interface ResourceLimit extends TokenBucketSettings {
  readonly bit: number;
}

/**
 * The limits of one side of a table or index.
 *
 * On demand: the quota, and the maximum where one is set. Provisioned: the bank of unused units; the quota
 * bounds what can be provisioned, not what a bank may spend, so it is not checked again.
 */
export function resourceLimits(
  billing: Billing,
  operation: ThrottledOperation,
  model: CapacityModel,
): readonly ResourceLimit[] {
  if (billing.mode === 'provisioned') {
    const ratePerSec = operation === 'Read' ? billing.readUnits : billing.writeUnits;
    const startSeconds = model.bankStart === 'full' ? model.bankSeconds : 1;
    const capacity = ratePerSec * model.bankSeconds;
    return [{ bit: limitBits.Provisioned, ratePerSec, capacity, startUnits: ratePerSec * startSeconds }];
  }
  const limit = (bit: number, ratePerSec: number): ResourceLimit => {
    const capacity = ratePerSec * model.limitBurstSeconds;
    return { bit, ratePerSec, capacity, startUnits: capacity };
  };
  const maximum = operation === 'Read' ? billing.maximumReadUnits : billing.maximumWriteUnits;
  const quota = limit(limitBits.Account, model.tableQuotaUnits);
  return maximum === undefined ? [quota] : [quota, limit(limitBits.MaxOnDemand, maximum)];
}

/** The read or the write side of a table or index: its own limits, and totals over the measured window. */
export class ResourceSide {
  readonly operation: ThrottledOperation;
  /** Units spent in the present minute. */
  minuteUnits = 0;
  requests = 0;
  units = 0;
  throttledRequests = 0;
  throttledUnits = 0;
  /** Requests that another resource refused. */
  refusedElsewhere = 0;
  /** Throttled requests by mask. */
  readonly throttledByMask: number[] = Array.from({ length: MASK_COUNT }, () => 0);
  /** Units spent in each second. */
  readonly consumed = new SecondSeries();
  /** Units spent or refused in each second, as shares of a partition's ceiling. */
  readonly demand = new SecondSeries();
  readonly #backlogSeconds: number;
  #billingMode: Billing['mode'];
  #bits: readonly number[];
  #buckets: readonly TokenBucket[];
  /** Units that the bank of a provisioned table holds while nothing is saved up; 0 on demand. */
  #unsavedUnits = 0;

  constructor(operation: ThrottledOperation, billing: Billing, model: CapacityModel, start: SideStart = {}) {
    const { startAtUs = 0, backlogSeconds = 0 } = start;
    this.operation = operation;
    this.#backlogSeconds = backlogSeconds;
    this.#billingMode = billing.mode;
    const limits = this.#limitsOf(billing, model);
    this.#bits = limits.map((limit) => limit.bit);
    this.#buckets = limits.map((limit) => new TokenBucket({ ...limit, startAtUs }));
  }

  get billingMode(): Billing['mode'] {
    return this.#billingMode;
  }

  /**
   * Sets other limits from a moment on. What a limit of the same kind holds then goes over to the new one, so
   * that changing a rate mints no tokens.
   */
  setBilling(billing: Billing, model: CapacityModel, atUs: number): void {
    const limits = this.#limitsOf(billing, model);
    this.#billingMode = billing.mode;
    const heldUnits = limits.map(({ bit }) => this.#buckets[this.#bits.indexOf(bit)]?.unitsAt(atUs));
    this.#buckets = limits.map((limit, index) => {
      const startUnits = heldUnits[index] ?? limit.startUnits;
      return new TokenBucket({ ...limit, startUnits, startAtUs: atUs });
    });
    this.#bits = limits.map((limit) => limit.bit);
  }

  /** The bits of the limits that have nothing left. */
  failing(atUs: number): number {
    const buckets = this.#buckets;
    let mask = 0;
    for (let index = 0; index < buckets.length; index++)
      if (!(buckets[index] as TokenBucket).hasTokens(atUs)) mask |= this.#bits[index] as number;
    return mask;
  }

  /**
   * The bit of the provisioned units where a partition refuses and the table has saved nothing beyond a second:
   * all that was bought is in use then, and DynamoDB names both. Elsewhere 0.
   */
  alsoFailing(atUs: number): number {
    if (this.#billingMode !== 'provisioned') return 0;
    const held = this.#buckets[0]?.unitsAt(atUs) ?? 0;
    return held <= this.#unsavedUnits ? limitBits.Provisioned : 0;
  }

  spend(units: number, atUs: number): void {
    this.minuteUnits += units;
    const buckets = this.#buckets;
    for (let index = 0; index < buckets.length; index++) (buckets[index] as TokenBucket).spend(units, atUs);
  }

  /** Records a request that ran: its units, and their share of the partition's ceiling. */
  recordSpent(units: number, share: number, second: number): void {
    this.requests++;
    this.units += units;
    this.consumed.add(second, units);
    this.demand.add(second, share);
  }

  /** Records a request that was refused, by this resource unless `mask` is 0. */
  recordRefused(mask: number, units: number, second: number): void {
    this.demand.add(second, units);
    if (mask === 0) {
      this.refusedElsewhere++;
      return;
    }
    this.throttledRequests++;
    this.throttledUnits += units;
    this.throttledByMask[mask] = (this.throttledByMask[mask] ?? 0) + 1;
  }

  /** An index that may fall behind its table is served as if it had saved up that many seconds more. */
  #limitsOf(billing: Billing, model: CapacityModel): readonly ResourceLimit[] {
    const limits = resourceLimits(billing, this.operation, model);
    const seconds = this.#backlogSeconds;
    this.#unsavedUnits = limits.reduce(
      (most, { ratePerSec }) => Math.max(most, ratePerSec * (1 + seconds)),
      0,
    );
    if (seconds === 0) return limits;
    return limits.map((limit) => ({
      ...limit,
      capacity: limit.capacity + seconds * limit.ratePerSec,
      startUnits: limit.startUnits + seconds * limit.ratePerSec,
    }));
  }
}

interface SideStart {
  readonly startAtUs?: number;
  /** Seconds of its limits that an index may fall behind its table. */
  readonly backlogSeconds?: number;
}
