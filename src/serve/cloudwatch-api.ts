// CloudWatch over what the simulated database keeps: the operations of its JSON protocol that say something
// of metrics and of Contributor Insights. HTTP, and what is kept, are elsewhere.
// The AWS SDK for JavaScript speaks AWS JSON 1.0 with `x-amz-target:
// GraniteServiceVersion20100801.<Operation>`, as seen in the code of `@aws-sdk/client-cloudwatch` 3.1164.0.
import type { ServiceActivity } from '../simulator/metrics/service-activity.ts';
import { CloudWatchError } from './cloudwatch/cloudwatch-error.ts';
import { getMetricData } from './cloudwatch/get-metric-data.ts';
import { getMetricStatistics } from './cloudwatch/get-metric-statistics.ts';
import { Input } from './cloudwatch/input.ts';
import {
  describeInsightRules,
  getInsightRuleReport,
  type PublishedInsights,
} from './cloudwatch/insight-rules.ts';
import { listMetrics } from './cloudwatch/list-metrics.ts';
import { horizonAt, type PublishedMetrics } from './cloudwatch/published-metrics.ts';

/** What stands before the dot in `x-amz-target`. */
export const CLOUDWATCH_TARGET = 'GraniteServiceVersion20100801';

/** An answer with the headers that belong to it. */
export interface CloudWatchAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Bytes in CBOR only. */
  readonly body: string | Uint8Array;
}

/** What an answer depends on. */
export interface CloudWatchView {
  readonly activity: ServiceActivity;
  /** Wall-clock ms since 1970. */
  readonly nowMs: number;
  /** ms between the end of a minute and its publication. */
  readonly publicationDelayMs: number;
}

type Published = PublishedMetrics & PublishedInsights;

type Operation = (published: Published, input: Input) => object;

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['GetMetricData', getMetricData],
  ['GetMetricStatistics', getMetricStatistics],
  ['ListMetrics', listMetrics],
  ['GetInsightRuleReport', getInsightRuleReport],
  ['DescribeInsightRules', describeInsightRules],
]);

/**
 * Answers one request; mistakes in it are answered, not thrown.
 * @param operation  what stands behind the dot in `x-amz-target`
 * @param bodyText  the body as it came
 */
export function answerCloudWatch(
  { activity, nowMs, publicationDelayMs }: CloudWatchView,
  operation: string,
  bodyText: string,
): CloudWatchAnswer {
  try {
    const run = operations.get(operation);
    if (run === undefined) throw unknownOperation(operation);
    const { metrics, insights } = activity;
    const horizonMinute = horizonAt(nowMs, publicationDelayMs);
    const output = run({ metrics, insights, nowMs, horizonMinute }, new Input(parsed(bodyText)));
    return { status: 200, headers: jsonHeaders, body: JSON.stringify(output) };
  } catch (error) {
    if (error instanceof CloudWatchError) return errorAnswer(error);
    throw error;
  }
}

const jsonHeaders = { 'content-type': 'application/x-amz-json-1.0' };

function parsed(bodyText: string): unknown {
  try {
    return bodyText === '' ? {} : JSON.parse(bodyText);
  } catch {
    throw new CloudWatchError('SerializationException', 'The request body is not JSON.');
  }
}

function unknownOperation(operation: string): CloudWatchError {
  return new CloudWatchError(
    'UnknownOperationException',
    `dyno-load does not answer CloudWatch's ${operation}; it answers ${[...operations.keys()].join(', ')}.`,
  );
}

function errorAnswer(error: CloudWatchError): CloudWatchAnswer {
  return {
    status: error.status,
    headers: { ...jsonHeaders, 'x-amzn-query-error': `${error.queryCode};Sender` },
    body: JSON.stringify({ __type: `com.amazonaws.cloudwatch#${error.type}`, message: error.message }),
  };
}
