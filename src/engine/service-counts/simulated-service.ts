// What the simulated service itself would report of one variant: the record that CloudWatch and Contributor
// Insights give of a live run, read in process and in virtual time. The metrics are those that `dyno-load
// serve` publishes; here nothing has to be waited for.
import type { CloudWatchRecord } from '../../analysis/records/cloudwatch.ts';
import type { ContributorInsightsRecord, InsightRule } from '../../analysis/records/contributor-insights.ts';
import type { TableSpec } from '../../dynamodb/table-spec.ts';
import type { RunPlan } from '../../scenario/run-plan.ts';
import type { AccessListener } from '../../simulator/access-listener.ts';
import type { Contributor, InsightRule as CountedRule } from '../../simulator/metrics/insight-rule.ts';
import type { MinuteRange } from '../../simulator/metrics/minute-series.ts';
import { ServiceActivity } from '../../simulator/metrics/service-activity.ts';
import { statisticOf } from '../../simulator/metrics/statistics.ts';
import { MS_PER_MINUTE, US_PER_MS } from '../../units.ts';
import type { Done, ServiceRecords, Target, TargetRequest } from '../target.ts';
import { cloudWatchRecord, type MinuteSpan, type MinuteValues } from './cloudwatch-record.ts';
import { floorToMinute, idleUntil } from './load-minutes.ts';
import { type MetricQuery, metricQueries } from './metric-queries.ts';
import { RequestTally } from './request-tally.ts';

/** What is to be reported. */
export interface ServiceQuestions {
  readonly cloudWatch: boolean;
  /** The keys that Contributor Insights names; undefined: it stays off. */
  readonly insights: ContributorInsightsRecord['mode'] | undefined;
}

/** Rules of DynamoDB name no more keys than this. */
const MOST_CONTRIBUTORS = 25;

const insightsModes = {
  accessed: 'ACCESSED_AND_THROTTLED_KEYS',
  throttled: 'THROTTLED_KEYS',
} as const;

/**
 * The reports of one variant: give it the database to listen to, let the load pass through `watch`, then
 * `collect`.
 */
export class SimulatedService {
  readonly #questions: ServiceQuestions;
  readonly #plan: RunPlan;
  readonly #activity: ServiceActivity;
  #tally: RequestTally | undefined;

  constructor(questions: ServiceQuestions, plan: RunPlan) {
    this.#questions = questions;
    this.#plan = plan;
    this.#activity = new ServiceActivity({ wallMsAtZero: plan.startsAtMs });
    for (const table of plan.tables) this.#begin(table);
  }

  /** What the database tells of its accesses goes here. */
  get listener(): AccessListener {
    return this.#activity;
  }

  /** The target with its requests counted: by the client, and by the service as they end. */
  watch(target: Target): Target {
    const activity = this.#activity;
    const counted: Target = {
      send: (sent: TargetRequest, startUs: number, done: Done) =>
        target.send(sent, startUs, (outcome, endUs) => {
          activity.record({ request: sent.request, outcome, startUs, endUs });
          done(outcome, endUs);
        }),
    };
    this.#tally = new RequestTally(counted, this.#plan.tables);
    return this.#tally;
  }

  /** @param reachedUs  where load ended, µs since its start */
  collect(reachedUs: number): ServiceRecords {
    const { startsAtMs } = this.#plan;
    const span = {
      fromMs: this.#idleFromMs,
      untilMs: idleUntil(startsAtMs + reachedUs / US_PER_MS),
    };
    const { cloudWatch, insights } = this.#questions;
    return {
      cloudWatch: cloudWatch ? this.#metrics(span) : null,
      contributorInsights: insights === undefined ? null : this.#insights(insights, span),
    };
  }

  /** Start of the idle minute before load. */
  get #idleFromMs(): number {
    return floorToMinute(this.#plan.startsAtMs) - MS_PER_MINUTE;
  }

  /** The table is there, and observed, from the idle minute on. */
  #begin(table: TableSpec): void {
    const { startsAtMs } = this.#plan;
    this.#activity.setTable(table, (this.#idleFromMs - startsAtMs) * US_PER_MS);
    const { insights } = this.#questions;
    if (insights === undefined) return;
    const update = { tableName: table.tableName, action: 'ENABLE', mode: insightsModes[insights] } as const;
    for (const indexName of [undefined, ...table.globalIndexes.map(({ name }) => name)])
      this.#activity.insights.update({ ...update, indexName }, this.#idleFromMs);
  }

  #metrics(span: MinuteSpan): CloudWatchRecord {
    const { tables } = this.#plan;
    const queries = metricQueries(tables, this.#tally?.operations ?? []);
    return cloudWatchRecord({
      queries,
      values: queries.map((query) => this.#valuesOf(query, span)),
      pulls: 1,
      isSettled: true,
      span,
      measured: this.#measuredSpan(),
      requests: this.#tally?.rows() ?? [],
      isTableShared: false,
      notes: ['Counted by the simulated service in the same process; its latencies are modelled.'],
    });
  }

  #valuesOf(query: MetricQuery, span: MinuteSpan): MinuteValues {
    const { metric, statistic, tableName, indexName, operation } = query;
    const range = minuteRange(span);
    const values = new Array<number | null>(range.untilMinute - range.fromMinute).fill(null);
    const key = {
      metricName: metric,
      tableName,
      ...(indexName === null ? {} : { indexName }),
      ...(operation === null ? {} : { operation }),
    };
    const valueOf = statisticOf(statistic);
    for (const { minute, point } of this.#activity.metrics.points(key, range))
      values[minute - range.fromMinute] = valueOf?.(point) ?? null;
    return values;
  }

  #measuredSpan(): MinuteSpan {
    const { stages, startsAtMs } = this.#plan;
    const measured = stages.filter(({ isMeasured }) => isMeasured);
    return {
      fromMs: startsAtMs + (measured[0]?.startUs ?? 0) / US_PER_MS,
      untilMs: startsAtMs + (measured.at(-1)?.endUs ?? 0) / US_PER_MS,
    };
  }

  #insights(mode: ContributorInsightsRecord['mode'], span: MinuteSpan): ContributorInsightsRecord {
    return {
      mode,
      from: iso(span.fromMs),
      until: iso(span.untilMs),
      isSettled: true,
      rules: this.#activity.insights.rules(span.untilMs).map((rule) => ruleRecord(rule, minuteRange(span))),
      notes: [],
    };
  }
}

function ruleRecord(rule: CountedRule, range: MinuteRange): InsightRule {
  const { name, tableName, indexName } = rule.settings;
  const options = { periodMinutes: 1, maxContributors: MOST_CONTRIBUTORS, orderBy: 'Sum' } as const;
  const { contributors, distinctKeys } = rule.report(range, options);
  return {
    name,
    tableName,
    indexName: indexName ?? null,
    counts: rule.isOfThrottles ? 'throttled' : 'accessed',
    by: rule.isOfPairs ? 'partitionAndSortKey' : 'partitionKey',
    contributors: contributors.map(contributorRecord),
    approximateKeyCount: distinctKeys,
  };
}

function contributorRecord({ keys, amount, datapoints }: Contributor): InsightRule['contributors'][number] {
  const minutes = datapoints
    .toSorted((left, right) => left.minute - right.minute)
    .map((point) => ({ at: iso(point.minute * MS_PER_MINUTE), value: point.amount }));
  const highestMinute = Math.max(0, ...minutes.map(({ value }) => value));
  return { keys: [...keys], total: amount, highestMinute, minutes };
}

function minuteRange({ fromMs, untilMs }: MinuteSpan): MinuteRange {
  return { fromMinute: fromMs / MS_PER_MINUTE, untilMinute: untilMs / MS_PER_MINUTE };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
