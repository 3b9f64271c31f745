// When a table or a global index existed and how its throughput was set: what idle minutes and the
// five-minute metrics are made of.
import type { Billing } from '../../dynamodb/table-spec.ts';
import type { SettingsMetric } from './metric-list.ts';
import type { MinutePoint, MinuteRange } from './minute-series.ts';

/** Minutes between two points of a metric that tells what is set. */
const SETTINGS_PERIOD_MINUTES = 5;

interface Setting {
  readonly fromMinute: number;
  /** Undefined: it does not exist from then on. */
  readonly billing: Billing | undefined;
}

/** The settings of one resource in the order of time. */
export class ResourceLife {
  readonly #settings: Setting[] = [];

  /** From this minute on the resource is set like this; undefined: it is gone. */
  set(fromMinute: number, billing: Billing | undefined): void {
    this.#settings.push({ fromMinute, billing });
  }

  get isAlive(): boolean {
    return this.#settings.at(-1)?.billing !== undefined;
  }

  /** The last minute at which anything was set. */
  get lastChangeMinute(): number {
    return this.#settings.at(-1)?.fromMinute ?? 0;
  }

  /** Whether it existed in some part of the minute. */
  existedIn(minute: number): boolean {
    return this.#settings.some(
      ({ fromMinute, billing }, index) =>
        billing !== undefined &&
        fromMinute <= minute &&
        minute <= (this.#settings[index + 1]?.fromMinute ?? Number.POSITIVE_INFINITY),
    );
  }

  /** The first minute in which it existed. */
  get firstMinute(): number {
    return this.#settings[0]?.fromMinute ?? Number.POSITIVE_INFINITY;
  }

  /**
   * One point for every five minutes that begin in the range, with the last setting in them.
   * @param horizon  first minute that is not over; five minutes that reach beyond it have no point yet
   */
  settings(
    metric: SettingsMetric,
    { fromMinute: from, untilMinute: until }: MinuteRange,
    horizon: number,
  ): readonly MinutePoint[] {
    const points: MinutePoint[] = [];
    const period = SETTINGS_PERIOD_MINUTES;
    const start = Math.max(from, Math.floor(this.firstMinute / period) * period);
    for (let minute = Math.ceil(start / period) * period; minute < until; minute += period) {
      if (minute + period > horizon) break;
      const value = settingOf(metric, this.#lastBilling(minute, minute + period));
      if (value !== undefined)
        points.push({ minute, point: { sum: value, count: 1, min: value, max: value } });
    }
    return points;
  }

  #lastBilling(from: number, until: number): Billing | undefined {
    let last: Billing | undefined;
    for (const { fromMinute, billing } of this.#settings) {
      if (fromMinute >= until) break;
      // What ended before the span is over; what ends within it was still there.
      if (billing !== undefined || fromMinute < from) last = billing;
    }
    return last;
  }
}

function settingOf(metric: SettingsMetric, billing: Billing | undefined): number | undefined {
  if (billing === undefined) return undefined;
  switch (metric) {
    case 'ProvisionedReadCapacityUnits':
      return billing.mode === 'provisioned' ? billing.readUnits : undefined;
    case 'ProvisionedWriteCapacityUnits':
      return billing.mode === 'provisioned' ? billing.writeUnits : undefined;
    case 'OnDemandMaxReadRequestUnits':
      return billing.mode === 'on-demand' ? billing.maximumReadUnits : undefined;
    case 'OnDemandMaxWriteRequestUnits':
      return billing.mode === 'on-demand' ? billing.maximumWriteUnits : undefined;
  }
}
