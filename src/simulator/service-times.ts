// Where the service times of a simulated service come from: the model of service-time.ts, or what somebody
// measured. Both are functions of a uniform draw, so that equal seeds give equal times.
import type { DataApi, Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { serviceTimeUs } from './service-time.ts';
import { pageTimeUs, serviceWorkOf } from './service-work.ts';

/** How long a request takes. */
export interface ServiceTimes {
  /** Time until it takes effect, whole µs. @param uniform  a draw in [0, 1) */
  untilEffectUs(request: Request, uniform: number): number;
  /** Time that its answer takes beyond that, whole µs. */
  afterEffectUs(request: Request, outcome: Outcome): number;
}

/** Plausible times that nobody measured; see service-time.ts. */
export const modelledTimes: ServiceTimes = {
  untilEffectUs: (request, uniform) => serviceTimeUs(request.api, uniform, serviceWorkOf(request)),
  afterEffectUs: pageTimeUs,
};

/**
 * A distribution by its points in rising order. Times between two points lie on a line between them
 * (`percentiles`), or are those of the next point (`counts`: nothing was seen in between).
 */
export interface TimeCurve {
  readonly kind: 'percentiles' | 'counts';
  /** Shares of requests, rising, up to 1. */
  readonly ratios: readonly number[];
  /** µs at each of them, never falling. */
  readonly timesUs: readonly number[];
}

/**
 * Measured times. They hold for requests as they were measured, whatever these had to do: sizes of items, pages and
 * batches add nothing here. Operations without a curve take modelled times.
 */
export class MeasuredTimes implements ServiceTimes {
  readonly #byApi: ReadonlyMap<DataApi, TimeCurve>;
  readonly #others: TimeCurve | undefined;

  /** @param curves.others  for operations that have no curve of their own */
  constructor(curves: {
    readonly byApi: ReadonlyMap<DataApi, TimeCurve>;
    readonly others?: TimeCurve | undefined;
  }) {
    this.#byApi = curves.byApi;
    this.#others = curves.others;
  }

  untilEffectUs(request: Request, uniform: number): number {
    const curve = this.#byApi.get(request.api) ?? this.#others;
    return curve === undefined ? modelledTimes.untilEffectUs(request, uniform) : timeAt(curve, uniform);
  }

  afterEffectUs(request: Request, outcome: Outcome): number {
    const isMeasured = this.#others !== undefined || this.#byApi.has(request.api);
    return isMeasured ? 0 : modelledTimes.afterEffectUs(request, outcome);
  }
}

/** Only sums, products and one division, which every platform rounds alike. */
function timeAt({ kind, ratios, timesUs }: TimeCurve, uniform: number): number {
  let low = 0;
  let high = ratios.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (uniform < (ratios[middle] as number)) high = middle;
    else low = middle + 1;
  }
  const highUs = timesUs[low] as number;
  if (kind === 'counts' || low === 0) return Math.round(highUs);
  const lowUs = timesUs[low - 1] as number;
  const from = ratios[low - 1] as number;
  const share = (uniform - from) / ((ratios[low] as number) - from);
  return Math.round(lowUs + Math.min(1, share) * (highUs - lowUs));
}
