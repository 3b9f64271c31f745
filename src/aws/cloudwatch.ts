// Reads metrics from CloudWatch: any number of queries in calls of at most 500, pages merged by id, and read again
// until late data has come in. What to read is in metric-queries.ts; what it means is for the analysis.
// @see "GetMetricData", https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html,
//   read 2026-11-30
import {
  GetMetricDataCommand,
  type GetMetricDataCommandOutput,
  type MetricDataQuery,
} from '@aws-sdk/client-cloudwatch';
import type { MinuteSpan, MinuteValues } from '../engine/service-counts/cloudwatch-record.ts';
import { dataDelayMs } from '../engine/service-counts/load-minutes.ts';
import { MS_PER_MINUTE } from '../units.ts';
import type { MetricQuery } from '../engine/service-counts/metric-queries.ts';
import { DynoLoadError } from '../errors.ts';
import { type LiveTime, waitMs } from './live-time.ts';
import { metricDataQuery, queryId } from './metric-data-query.ts';
import { safeMessage } from './safe-message.ts';
import { troubleOfSdk } from './target-error.ts';

/** What reading needs of an SDK client; `CloudWatchClient` has it. */
export interface MetricsPort {
  send(command: GetMetricDataCommand): Promise<GetMetricDataCommandOutput>;
}

/** One reading of several metrics. */
export interface MetricReading {
  /** In the order of the queries. */
  readonly values: readonly MinuteValues[];
  /** Whether CloudWatch called every part complete. */
  readonly isComplete: boolean;
}

const QUERIES_PER_CALL = 500;

/** Reads all queries once. @throws DynoLoadError CLOUDWATCH_REFUSED */
export async function readMetrics(
  port: MetricsPort,
  queries: readonly MetricQuery[],
  span: MinuteSpan,
): Promise<MetricReading> {
  const reading = new ReadingInProgress(queries.length, span);
  const all = queries.map(metricDataQuery);
  for (let first = 0; first < all.length; first += QUERIES_PER_CALL)
    await readPages(port, all.slice(first, first + QUERIES_PER_CALL), span, reading);
  return { values: reading.values, isComplete: reading.isComplete };
}

async function readPages(
  port: MetricsPort,
  queries: MetricDataQuery[],
  { fromMs, untilMs }: MinuteSpan,
  reading: ReadingInProgress,
): Promise<void> {
  let token: string | undefined;
  do {
    const command = new GetMetricDataCommand({
      StartTime: new Date(fromMs),
      EndTime: new Date(untilMs),
      ScanBy: 'TimestampAscending',
      MetricDataQueries: queries,
      ...(token === undefined ? {} : { NextToken: token }),
    });
    const page = await port.send(command).catch((error: unknown) => {
      throw refused('GetMetricData', error);
    });
    reading.add(page);
    token = page.NextToken;
  } while (token !== undefined);
}

/** Pages as they come: the points of one query may be spread over several. */
class ReadingInProgress {
  readonly values: (number | null)[][];
  readonly #span: MinuteSpan;
  readonly #states = new Map<string, string>();

  constructor(queryCount: number, span: MinuteSpan) {
    this.#span = span;
    const minutes = Math.round((span.untilMs - span.fromMs) / MS_PER_MINUTE);
    this.values = Array.from({ length: queryCount }, () => new Array<number | null>(minutes).fill(null));
  }

  /** The last page of a query tells whether it is complete. */
  get isComplete(): boolean {
    return [...this.#states.values()].every((state) => state === 'Complete');
  }

  add({ MetricDataResults = [] }: GetMetricDataCommandOutput): void {
    for (const { Id = '', StatusCode, Timestamps = [], Values = [] } of MetricDataResults) {
      if (StatusCode === 'Forbidden') throw refused('GetMetricData', new Error(`${Id} is forbidden`));
      this.#states.set(Id, StatusCode ?? 'Complete');
      const row = this.values[Number(Id.slice(queryId(0).length - 1))];
      if (row === undefined) continue;
      Timestamps.forEach((timestamp, index) => {
        const minute = Math.floor((timestamp.getTime() - this.#span.fromMs) / MS_PER_MINUTE);
        if (minute >= 0 && minute < row.length) row[minute] = Values[index] ?? null;
      });
    }
  }
}

/** A sum that must be reached before a reading can be whole: dyno-load itself saw as much. */
export interface Expectation {
  readonly queryIndex: number;
  readonly atLeast: number;
}

/** The last reading, and whether it is final: CloudWatch goes on correcting minutes for a while. */
export interface SettledReading<R> {
  readonly reading: R;
  readonly readings: number;
  /** Whether two readings in a row were equal and whole before patience ended. */
  readonly isSettled: boolean;
}

const BETWEEN_READINGS_MS = 30_000;

/**
 * Reads again until two readings in a row are whole and equal, or the time that data may take is over.
 * @param options.isWhole  whether a reading holds what must be there
 * @param options.progress  told after each reading how many there were, and whether the last was whole
 * @returns undefined where the signal ended it before the first reading
 */
export async function readUntilSettled<R>(
  read: () => Promise<R>,
  options: {
    readonly isWhole: (reading: R) => boolean;
    readonly time: LiveTime;
    readonly signal: AbortSignal;
    readonly progress: (readings: number, isWhole: boolean) => void;
  },
): Promise<SettledReading<R> | undefined> {
  const { isWhole, time, signal, progress } = options;
  const endMs = time.wallMs() + dataDelayMs.most;
  let before: string | undefined;
  let last: SettledReading<R> | undefined;
  for (let readings = 1; !signal.aborted; readings++) {
    const reading = await read();
    const whole = isWhole(reading);
    const text = JSON.stringify(reading);
    last = { reading, readings, isSettled: whole && text === before };
    progress(readings, whole);
    if (last.isSettled || time.wallMs() >= endMs) return last;
    before = text;
    await waitMs(time, BETWEEN_READINGS_MS, signal);
  }
  return last;
}

/** Whether a reading is complete and holds what is expected of it. */
export function meetsExpectations(reading: MetricReading, expectations: readonly Expectation[]): boolean {
  if (!reading.isComplete) return false;
  return expectations.every(({ queryIndex, atLeast }) => {
    const values = reading.values[queryIndex] ?? [];
    // Half a read unit is the least there is.
    return values.reduce<number>((sum, value) => sum + (value ?? 0), 0) >= atLeast - 0.25;
  });
}

/** The error for a refused call to CloudWatch. */
export function refused(operation: string, error: unknown): DynoLoadError {
  const { code, message } = troubleOfSdk(error);
  return new DynoLoadError('CLOUDWATCH_REFUSED', {
    what: `CloudWatch did not answer ${operation}: ${code}${message ? `, ${safeMessage(message)}` : ''}`,
    why: 'without it, what the service counted cannot be held against what dyno-load counted',
    fix: `allow cloudwatch:${operation} to the credentials in use, name the right --cloudwatch-endpoint, or leave --cloudwatch and --contributor-insights away`,
  });
}
