// Metrics as CloudWatch names them (namespace, name, dimensions) and as the simulated database does.
import type { MetricKey } from '../../simulator/metrics/service-metrics.ts';
import { CloudWatchError, type CloudWatchErrorType } from './cloudwatch-error.ts';
import type { Input } from './input.ts';

export const NAMESPACE = 'AWS/DynamoDB';

/** A metric with its dimensions has at most so many. */
const MAX_DIMENSIONS = 30;

/** Which member of a key each dimension is. */
type DimensionMember = 'tableName' | 'indexName' | 'operation' | 'verb' | 'operationType';

const memberOf: ReadonlyMap<string, DimensionMember> = new Map([
  ['TableName', 'tableName'],
  ['GlobalSecondaryIndexName', 'indexName'],
  ['Operation', 'operation'],
  ['Verb', 'verb'],
  ['OperationType', 'operationType'],
]);

/** What a request asks for. */
export interface AskedMetric {
  readonly metricName: string;
  /** Undefined where no metric of ours has that namespace and those dimensions: it has no points. */
  readonly key: MetricKey | undefined;
}

/**
 * The metric that a request names by Namespace, MetricName and Dimensions. As in CloudWatch, dimensions must
 * be exactly those of the metric; one that has others has no points, and that is no error.
 */
export function readMetric(input: Input, invalid: CloudWatchErrorType): AskedMetric {
  const namespace = input.required('Namespace', input.text('Namespace'));
  const metricName = input.required('MetricName', input.text('MetricName'));
  const dimensions = input.objects('Dimensions');
  if (dimensions.length > MAX_DIMENSIONS)
    throw new CloudWatchError(invalid, `No item can have more than ${MAX_DIMENSIONS} dimensions.`);
  const key: { metricName: string } & { [member in DimensionMember]?: string } = { metricName };
  let isKnown = namespace === NAMESPACE;
  for (const dimension of dimensions) {
    const name = dimension.required('Name', dimension.text('Name'));
    const value = dimension.required('Value', dimension.text('Value'));
    const member = memberOf.get(name);
    if (member === undefined || key[member] !== undefined) isKnown = false;
    else key[member] = value;
  }
  return { metricName, key: isKnown ? key : undefined };
}

/** The dimensions of a metric, in the order in which DynamoDB gives them. */
export function dimensionsOf(key: MetricKey): readonly { readonly Name: string; readonly Value: string }[] {
  return [...memberOf].flatMap(([Name, member]) => {
    const Value = key[member];
    return Value === undefined ? [] : [{ Name, Value }];
  });
}
