// CloudWatch over what the simulated database keeps: the operations that say something of metrics and of Contributor
// Insights, in whatever protocol they are asked for. HTTP, and what is kept, are elsewhere.
import type { ServiceActivity } from '../simulator/metrics/service-activity.ts';
import { CloudWatchError } from './cloudwatch/cloudwatch-error.ts';
import { getMetricData } from './cloudwatch/get-metric-data.ts';
import { getMetricStatistics } from './cloudwatch/get-metric-statistics.ts';
import type { Input } from './cloudwatch/input.ts';
import {
  describeInsightRules,
  getInsightRuleReport,
  type PublishedInsights,
} from './cloudwatch/insight-rules.ts';
import { listMetrics } from './cloudwatch/list-metrics.ts';
import type { CloudWatchProtocol, NextRequestId } from './cloudwatch/protocols/protocol.ts';
import { horizonAt, type PublishedMetrics } from './cloudwatch/published-metrics.ts';
import type { WireObject } from './cloudwatch/wire-values.ts';
import type { HttpResponse } from './wire/http-response.ts';

/** A request, before anything of its body is read. */
export interface CloudWatchRequest {
  readonly protocol: CloudWatchProtocol;
  /** As the head names it; empty where the body does. */
  readonly operation: string;
  readonly body: Buffer;
}

/** What an answer depends on. */
export interface CloudWatchView {
  readonly activity: ServiceActivity;
  /** Wall-clock ms since 1970. */
  readonly nowMs: number;
  /** ms between the end of a minute and its publication. */
  readonly publicationDelayMs: number;
  readonly nextRequestId: NextRequestId;
}

type Published = PublishedMetrics & PublishedInsights;

type Operation = (published: Published, input: Input) => WireObject;

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['GetMetricData', getMetricData],
  ['GetMetricStatistics', getMetricStatistics],
  ['ListMetrics', listMetrics],
  ['GetInsightRuleReport', getInsightRuleReport],
  ['DescribeInsightRules', describeInsightRules],
]);

/** Answers one request; mistakes in it are answered, not thrown. */
export function answerCloudWatch(view: CloudWatchView, request: CloudWatchRequest): HttpResponse {
  const { protocol, body } = request;
  try {
    const { operation, input } = protocol.read(body, request.operation);
    const run = operations.get(operation);
    if (run === undefined) throw unknownOperation(operation);
    const { metrics, insights } = view.activity;
    const horizonMinute = horizonAt(view.nowMs, view.publicationDelayMs);
    const output = run({ metrics, insights, nowMs: view.nowMs, horizonMinute }, input);
    return protocol.success(operation, output, view.nextRequestId);
  } catch (error) {
    if (error instanceof CloudWatchError) return protocol.failure(error, view.nextRequestId);
    throw error;
  }
}

function unknownOperation(operation: string): CloudWatchError {
  return new CloudWatchError(
    'UnknownOperationException',
    `dyno-load does not answer CloudWatch's ${operation.slice(0, 100)}; it answers ${[...operations.keys()].join(', ')}.`,
  );
}
