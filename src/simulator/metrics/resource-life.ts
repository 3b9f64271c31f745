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
  /** Whether it is an index that was added to a table that was there. */
  isMadeOnline = false;

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
  settings(metric: SettingsMetric, range: MinuteRange, horizon: number): readonly MinutePoint[] {
    return this.periods(range, horizon).flatMap((minute) => {
      const value = settingOf(metric, this.#lastBilling(minute, minute + SETTINGS_PERIOD_MINUTES));
      return value === undefined ? [] : [{ minute, point: pointOf(value) }];
    });
  }

  /** First minutes of the five-minute spans that begin in the range, are over, and in which it existed. */
  periods({ fromMinute: from, untilMinute: until }: MinuteRange, horizon: number): readonly number[] {
    const found: number[] = [];
    const period = SETTINGS_PERIOD_MINUTES;
    const start = Math.max(from, periodOf(this.firstMinute));
    for (let minute = Math.ceil(start / period) * period; minute < until; minute += period) {
      if (minute + period > horizon) break;
      if (this.#lastBilling(minute, minute + period) !== undefined) found.push(minute);
    }
    return found;
  }

  /**
   * The one point of an index that was made on a table with items: the five minutes in which it was made. The
   * simulated service fills it at once, so that nothing lies between 0 and 100 %.
   */
  making(value: number, range: MinuteRange, horizon: number): readonly MinutePoint[] {
    const minute = periodOf(this.firstMinute);
    return this.isMadeOnline && this.periods(range, horizon).includes(minute)
      ? [{ minute, point: pointOf(value) }]
      : [];
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

/** The first minute of the five-minute span of a minute. */
function periodOf(minute: number): number {
  return Math.floor(minute / SETTINGS_PERIOD_MINUTES) * SETTINGS_PERIOD_MINUTES;
}

function pointOf(value: number): MinutePoint['point'] {
  return { sum: value, count: 1, min: value, max: value };
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
