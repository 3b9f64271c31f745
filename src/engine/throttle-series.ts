// Throttled requests by reason, resource and second: what a workload's totals tell in sum, over time. Costs
// nothing while nothing is throttled.
import type { ThrottleSeries as ThrottleSeriesRecord } from '../analysis/records/throttle-series.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { resourceName } from '../dynamodb/table-spec.ts';
import { resourceOfArn } from '../dynamodb/throttling-reason.ts';
import { type SecondRows, TimeSeries } from '../stats/time-series.ts';
import { US_PER_SECOND } from '../units.ts';

/** Counts per second of one reason and resource, as `TimeSeries` gives them. */
interface ThrottleSeconds {
  readonly reason: string;
  readonly arn: string;
  readonly seconds: SecondRows;
}

/** The throttled requests of one workload over time. */
export class ThrottleSeries {
  /** Reason → ARN → counts. The ARN stands as it came: names are made of it once, at the end. */
  readonly #byReason = new Map<string, Map<string, TimeSeries>>();

  /** Counts one throttled request in the second of `atUs`; a request with several reasons counts under each. */
  add(atUs: number, outcome: Extract<Outcome, { kind: 'throttled' }>): void {
    if (outcome.reasons.length === 0) this.seriesOf(outcome.exception, '').add(atUs, 0);
    for (const { reason, arn } of outcome.reasons) this.seriesOf(reason, arn ?? '').add(atUs, 0);
  }

  /** One row for each reason and resource, in the windows of the workload's series; the most frequent first. */
  rows(windowSeconds: number, windowCount: number): ThrottleSeriesRecord {
    const rows = [...this.#byReason].flatMap(([reason, byArn]) =>
      [...byArn].map(([arn, series]) => ({
        reason,
        resource: resourceOf(arn),
        counts: inWindows(series, windowSeconds, windowCount),
      })),
    );
    return rows.sort(
      (a, b) => total(b.counts) - total(a.counts) || (a.reason + a.resource < b.reason + b.resource ? -1 : 1),
    );
  }

  /** The seconds that may have changed since the last call; see `TimeSeries.takeChanged`. */
  takeChanged(): ThrottleSeconds[] {
    const changed: ThrottleSeconds[] = [];
    for (const [reason, byArn] of this.#byReason) {
      for (const [arn, series] of byArn) {
        const seconds = series.takeChanged();
        if (seconds !== undefined) changed.push({ reason, arn, seconds });
      }
    }
    return changed;
  }

  /** The inverse of `takeChanged`. */
  putSeconds(changed: readonly ThrottleSeconds[]): void {
    for (const { reason, arn, seconds } of changed) this.seriesOf(reason, arn).putSeconds(seconds);
  }

  /** The seconds of one reason and ARN, made when they are first asked for. */
  seriesOf(reason: string, arn: string): TimeSeries {
    let byArn = this.#byReason.get(reason);
    if (byArn === undefined) {
      byArn = new Map();
      this.#byReason.set(reason, byArn);
    }
    let series = byArn.get(arn);
    if (series === undefined) {
      series = new TimeSeries(1);
      byArn.set(arn, series);
    }
    return series;
  }
}

function resourceOf(arn: string): string {
  const named = resourceOfArn(arn);
  return named ? resourceName(named.tableName, named.indexName) : '';
}

/** Answers may come after the last operation was due: they count in the last window, so that sums stay whole. */
function inWindows(series: TimeSeries, windowSeconds: number, windowCount: number): number[] {
  const counts = Array.from({ length: windowCount }, () => 0);
  const seconds = series.perSecond(0, { fromUs: 0, toUs: series.windowCount * US_PER_SECOND });
  for (const [second, count] of seconds.entries()) {
    const window = Math.min(windowCount - 1, Math.floor(second / windowSeconds));
    (counts[window] as number) += count;
  }
  return counts;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
