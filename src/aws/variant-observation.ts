// One variant under observation, from the moment when load may start: its requests counted by operation, idle minutes
// waited for, and CloudWatch and Contributor Insights read once their data is in.
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pLimit from 'p-limit';
import type { CloudWatchRecord } from '../analysis/records/cloudwatch.ts';
import type { ContributorInsightsRecord } from '../analysis/records/contributor-insights.ts';
import { resourceName, type TableSpec } from '../dynamodb/table-spec.ts';
import { cloudWatchRecord, type MinuteSpan } from '../engine/service-counts/cloudwatch-record.ts';
import { idleUntil, type LoadStart } from '../engine/service-counts/load-minutes.ts';
import { type MetricQuery, metricQueries } from '../engine/service-counts/metric-queries.ts';
import { RequestTally, type TallyRecord } from '../engine/service-counts/request-tally.ts';
import type { PrepareProgress, ServiceRecords, Target } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { US_PER_MS } from '../units.ts';
import { type Expectation, meetsExpectations, readMetrics, readUntilSettled } from './cloudwatch.ts';
import type { InsightsMode } from './contributor-insights.ts';
import { type NamedRule, readInsightRule, ruleKind } from './insight-report.ts';
import { type LiveTime, waitMs } from './live-time.ts';
import type { ServiceClock } from './service-clock.ts';

/** What is asked of the service, and by which clients. */
export interface ObserverOptions {
  /** Whether metrics are read, besides what Contributor Insights needs. */
  readonly cloudWatch: boolean;
  readonly insights: InsightsMode | undefined;
  readonly metrics: CloudWatchClient;
  readonly control: DynamoDBClient;
  readonly time: LiveTime;
  /** The date of an answer of the service, ms since 1970. */
  readonly date: () => Promise<number | undefined>;
}

/** The tables of a variant as they are on the service. */
export interface ObservedTables {
  readonly specs: readonly TableSpec[];
  /** Before the run: others may use them, and they stay. */
  readonly wereThere: boolean;
}

/** Told what is waited for. */
export type Progress = (state: PrepareProgress) => void;

const PROGRESS_EVERY_MS = 1_000;
/** GetInsightRuleReport may be called 20 times a second. */
const REPORTS_AT_ONCE = 4;

interface ObservationParts {
  readonly plan: RunPlan;
  readonly tables: ObservedTables;
  readonly rules: readonly NamedRule[];
  readonly clock: ServiceClock;
  readonly start: LoadStart;
}

/** One variant under observation: from the moment load may start. */
export class VariantObservation {
  readonly #options: ObserverOptions;
  readonly #parts: ObservationParts;
  #tally: RequestTally | undefined;

  constructor(options: ObserverOptions, parts: ObservationParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** The target with its requests counted by operation. */
  watch(target: Target): Target {
    this.#tally = new RequestTally(target, this.#parts.tables.specs);
    return this.#tally;
  }

  /** Adds what another thread has counted of its own requests. */
  add(tally: TallyRecord): void {
    this.#tally?.addRecord(tally);
  }

  /** Waits until a moment of the service's clock. */
  async waitUntil(serviceMs: number, what: string, progress: Progress, signal: AbortSignal): Promise<void> {
    const { time } = this.#options;
    const untilMs = serviceMs - this.#parts.clock.offsetMs;
    const totalMs = untilMs - time.wallMs();
    for (;;) {
      const leftMs = untilMs - time.wallMs();
      if (leftMs <= 0 || signal.aborted) return;
      progress({
        what,
        done: Math.round((totalMs - leftMs) / 1_000),
        of: Math.round(totalMs / 1_000),
        unit: 's',
      });
      await waitMs(time, Math.min(leftMs, PROGRESS_EVERY_MS), signal);
    }
  }

  /** Reads what the service says, once load is over; trouble is told in the notes of the record. */
  async collect(progress: Progress, signal: AbortSignal): Promise<ServiceRecords> {
    const { time, cloudWatch, insights } = this.#options;
    const endMs = time.wallMs() + this.#parts.clock.offsetMs;
    const span = { fromMs: this.#parts.start.idleFromMs, untilMs: idleUntil(endMs) };
    await this.waitUntil(span.untilMs, 'an idle minute after load', progress, signal);
    return {
      cloudWatch: cloudWatch ? await this.#collectMetrics(span, progress, signal) : null,
      contributorInsights: insights ? await this.#collectInsights(span, insights, progress, signal) : null,
    };
  }

  async #collectMetrics(
    span: MinuteSpan,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<CloudWatchRecord | null> {
    const { metrics, time } = this.#options;
    const { tables, clock } = this.#parts;
    const queries = metricQueries(tables.specs, this.#tally?.operations ?? []);
    const expectations = this.#expectations(queries);
    const settled = await readUntilSettled(() => readMetrics(metrics, queries, span), {
      isWhole: (reading) => meetsExpectations(reading, expectations),
      time,
      signal,
      progress: (readings, isWhole) =>
        progress({ what: waitingFor('CloudWatch', isWhole), done: readings, of: 0 }),
    });
    if (settled === undefined) return null;
    const notes = clock.isKnown
      ? []
      : ['Answers of the service carry no date; minutes follow the clock of this machine.'];
    return cloudWatchRecord({
      queries,
      values: settled.reading.values,
      pulls: settled.readings,
      isSettled: settled.isSettled,
      span,
      measured: this.#measuredSpan(),
      requests: this.#tally?.rows() ?? [],
      isTableShared: tables.wereThere,
      notes,
    });
  }

  /** Units that answers reported: the service counts at least as many. */
  #expectations(queries: readonly MetricQuery[]): Expectation[] {
    return queries.flatMap(({ metric, tableName, indexName }, queryIndex) => {
      const units = this.#tally?.unitsOf(resourceName(tableName, indexName ?? undefined));
      if (metric === 'ConsumedReadCapacityUnits') return [{ queryIndex, atLeast: units?.readUnits ?? 0 }];
      if (metric === 'ConsumedWriteCapacityUnits') return [{ queryIndex, atLeast: units?.writeUnits ?? 0 }];
      return [];
    });
  }

  #measuredSpan(): MinuteSpan {
    const { start, plan } = this.#parts;
    const measured = plan.stages.filter(({ isMeasured }) => isMeasured);
    const lengthUs = (measured.at(-1)?.endUs ?? 0) - (measured[0]?.startUs ?? 0);
    return { fromMs: start.measuredFromMs, untilMs: start.measuredFromMs + lengthUs / US_PER_MS };
  }

  async #collectInsights(
    span: MinuteSpan,
    mode: InsightsMode,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<ContributorInsightsRecord | null> {
    const { metrics, time } = this.#options;
    const limit = pLimit(REPORTS_AT_ONCE);
    const read = async () => {
      const reports = this.#parts.rules.map((rule) => limit(() => readInsightRule(metrics, rule, span)));
      return (await Promise.all(reports)).filter((report) => report !== undefined);
    };
    const used = new Set(this.#usedRules());
    const settled = await readUntilSettled(read, {
      isWhole: (rules) => rules.every(({ name, contributors }) => contributors.length > 0 || !used.has(name)),
      time,
      signal,
      progress: (readings, isWhole) =>
        progress({ what: waitingFor('Contributor Insights', isWhole), done: readings, of: 0 }),
    });
    if (settled === undefined) return null;
    return {
      mode,
      from: new Date(span.fromMs).toISOString(),
      until: new Date(span.untilMs).toISOString(),
      isSettled: settled.isSettled,
      rules: settled.reading,
      notes: [],
    };
  }

  /** Rules of accessed keys of what was read or written: these must name a key. */
  #usedRules(): string[] {
    return this.#parts.rules
      .filter(({ name, tableName, indexName }) => {
        const units = this.#tally?.unitsOf(resourceName(tableName, indexName ?? undefined));
        const isUsed = (units?.readUnits ?? 0) + (units?.writeUnits ?? 0) > 0;
        return isUsed && ruleKind(name)?.counts === 'accessed';
      })
      .map(({ name }) => name);
  }
}

function waitingFor(whom: string, isWhole: boolean): string {
  return `${isWhole ? 'see whether' : 'wait until'} ${whom} has all data, reading`;
}
