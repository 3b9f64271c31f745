// Aim: CloudWatch's operations answer as CloudWatch does: spans, periods, statistics, pages, errors. Method:
// requests as JSON (protocols have tests of their own) over a simulated database with a few requests in known
// minutes; no server, an injected moment.
import { describe, expect, test } from 'vitest';
import { jsonProtocol } from '../../../src/serve/cloudwatch/protocols/json-protocol.ts';
import { answerCloudWatch } from '../../../src/serve/cloudwatch-api.ts';
import { accountMetrics } from '../../../src/simulator/metrics/metric-list.ts';
import { ObservedDatabase, WALL_MS_AT_ZERO } from '../../support/observed-database.ts';
import { attributes, plainOrders } from '../../support/simulated-orders.ts';

const startSeconds = WALL_MS_AT_ZERO / 1_000;

/** Seconds since 1970 of a second since the beginning. */
function at(second: number): number {
  return startSeconds + second;
}

interface Options {
  /** Seconds since the beginning; default: an hour. */
  readonly now?: number;
  readonly publicationDelayMs?: number;
}

/** Consumed 1 WCU in minute 0, 2 in minute 1 (as 1 + 1), none in minute 2, 3 in minute 3 (as one). */
function busyTable(): ObservedDatabase {
  const db = new ObservedDatabase({ tables: [plainOrders] });
  const put = (second: number, PK: string, size = 1) =>
    db.at(second).send(
      'PutItem',
      {
        TableName: 'plain',
        Item: { ...attributes({ PK }), body: { fillerBytes: size * 1_024 - 200 } },
      },
      1_000 * (second + 1),
    );
  put(10, 'a');
  put(70, 'a');
  put(71, 'b');
  put(190, 'a', 3);
  return db;
}

function ask(db: ObservedDatabase, operation: string, body: unknown, options: Options = {}) {
  const { now = 3_600, publicationDelayMs = 0 } = options;
  const nextRequestId = () => 'id';
  const view = { activity: db.activity, nowMs: db.wallMs(now), publicationDelayMs, nextRequestId };
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const answer = answerCloudWatch(view, { protocol: jsonProtocol, operation, body: bytes });
  return { ...answer, headers: answer.headers ?? {}, body: JSON.parse(String(answer.body)) };
}

const consumed = {
  Namespace: 'AWS/DynamoDB',
  MetricName: 'ConsumedWriteCapacityUnits',
  Dimensions: [{ Name: 'TableName', Value: 'plain' }],
};
const latency = {
  Namespace: 'AWS/DynamoDB',
  MetricName: 'SuccessfulRequestLatency',
  Dimensions: [
    { Name: 'Operation', Value: 'PutItem' },
    { Name: 'TableName', Value: 'plain' },
  ],
};

function query(Id: string, stat: object = {}, more: object = {}) {
  return { Id, MetricStat: { Metric: consumed, Period: 60, Stat: 'Sum', ...stat }, ...more };
}

/** GetMetricData over the first four minutes, oldest first. */
function data(queries: readonly object[], more: object = {}) {
  return {
    StartTime: at(0),
    EndTime: at(240),
    ScanBy: 'TimestampAscending',
    MetricDataQueries: queries,
    ...more,
  };
}

function valuesOf(answer: { body: { MetricDataResults: { Values: number[] }[] } }): number[] {
  return answer.body.MetricDataResults.flatMap(({ Values }) => Values);
}

describe('GetMetricData', () => {
  test('gives sums by minute, idle ones too, with times and a label', () => {
    const { status, headers, body } = ask(busyTable(), 'GetMetricData', data([query('cw')]));
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/x-amz-json-1.0');
    expect(body).toEqual({
      MetricDataResults: [
        {
          Id: 'cw',
          Label: 'ConsumedWriteCapacityUnits',
          Timestamps: [at(0), at(60), at(120), at(180)],
          Values: [1, 2, 0, 3],
          StatusCode: 'Complete',
        },
      ],
      Messages: [],
    });
  });

  test('puts the newest first unless asked otherwise', () => {
    const descending = data([query('cw')], { ScanBy: undefined });
    const { body } = ask(busyTable(), 'GetMetricData', descending);
    expect(body.MetricDataResults[0].Values).toEqual([3, 0, 2, 1]);
    expect(body.MetricDataResults[0].Timestamps[0]).toBe(at(180));
  });

  test.each([
    ['Sum', [1, 2, 0, 3]],
    ['Average', [1, 1, 0, 3]],
    ['Minimum', [1, 1, 0, 3]],
    ['Maximum', [1, 1, 0, 3]],
    ['SampleCount', [1, 2, 1, 1]],
    ['p99', [1, 1, 0, 3]],
  ])('knows %s', (Stat, values) => {
    expect(valuesOf(ask(busyTable(), 'GetMetricData', data([query('cw', { Stat })])))).toEqual(values);
  });

  test.each([
    // Puts last (second + 1) ms: 11, 71 and 72, 191.
    ['SampleCount', [1, 2, 1]],
    ['Average', [11, 71.5, 191]],
    ['p50', [11, 71, 191]],
    ['p100', [11, 72, 191]],
    ['p99.9', [11, 72, 191]],
  ])('gives %s of latencies within 1.6 %%, and no idle minutes', (Stat, values) => {
    const found = valuesOf(
      ask(busyTable(), 'GetMetricData', data([query('l', { Metric: latency, Stat })], { EndTime: at(300) })),
    );
    expect(found).toHaveLength(values.length);
    found.forEach((value, index) => expect(Math.abs(value / (values[index] ?? 0) - 1)).toBeLessThan(0.016));
  });

  test('leaves out minutes for which a percentile is not known', () => {
    const db = busyTable();
    db.at(71).send('PutItem', {
      TableName: 'plain',
      Item: { ...attributes({ PK: 'c' }), body: { fillerBytes: 2_000 } },
    });
    // Minute 1 now holds 1, 1 and 2.
    expect(valuesOf(ask(db, 'GetMetricData', data([query('cw', { Stat: 'p90' })])))).toEqual([1, 0, 3]);
  });

  test('gathers longer periods from the start of the span', () => {
    const body = data([query('cw', { Period: 120 })], { StartTime: at(60) });
    const [result] = ask(busyTable(), 'GetMetricData', body).body.MetricDataResults;
    expect(result).toMatchObject({ Timestamps: [at(60), at(180)], Values: [2, 3] });
  });

  test.each([
    ['from the minute in which it starts', 59, 120, [1, 2]],
    ['to the minute before its end', 60, 180, [2, 0]],
    ['and the minute in which it ends, if that has begun', 60, 181, [2, 0, 3]],
  ])('takes a span %s', (_, start, end, values) => {
    const body = data([query('cw')], { StartTime: at(start), EndTime: at(end) });
    expect(valuesOf(ask(busyTable(), 'GetMetricData', body))).toEqual(values);
  });

  test.each([
    ['nothing of the minute that lasts', 119.9, 0, [1]],
    ['a minute once it is over', 120, 0, [1, 2]],
    ['a minute when the delay is over', 179.9, 60_000, [1]],
    ['and not before', 180, 60_000, [1, 2]],
  ])('shows %s', (_, now, publicationDelayMs, values) => {
    const answer = ask(busyTable(), 'GetMetricData', data([query('cw')]), { now, publicationDelayMs });
    expect(valuesOf(answer)).toEqual(values);
  });

  test.each([
    ['another namespace', { Metric: { ...consumed, Namespace: 'AWS/Lambda' } }],
    ['a metric that is none', { Metric: { ...consumed, MetricName: 'NoSuchMetric' } }],
    [
      'a table that is not there',
      { Metric: { ...consumed, Dimensions: [{ Name: 'TableName', Value: 'x' }] } },
    ],
    ['a dimension too few', { Metric: { ...consumed, Dimensions: [] } }],
    [
      'a dimension too many',
      {
        Metric: { ...consumed, Dimensions: [...consumed.Dimensions, { Name: 'Source', Value: 'Customer' }] },
      },
    ],
    [
      'a dimension given twice',
      { Metric: { ...consumed, Dimensions: [0, 1].flatMap(() => consumed.Dimensions) } },
    ],
    ['another unit', { Unit: 'Bytes' }],
  ])('has no points and no error for %s', (_, stat) => {
    const { body } = ask(busyTable(), 'GetMetricData', data([query('cw', stat)]));
    expect(body.MetricDataResults).toMatchObject([{ Id: 'cw', Values: [], StatusCode: 'Complete' }]);
  });

  test('leaves out queries that ask for no data, and takes a label', () => {
    const queries = [query('a', {}, { ReturnData: false }), query('b', {}, { Label: 'writes' })];
    const { body } = ask(busyTable(), 'GetMetricData', data(queries));
    expect(body.MetricDataResults).toMatchObject([{ Id: 'b', Label: 'writes' }]);
  });

  test('splits results over pages; merged by id they are the whole', () => {
    const db = busyTable();
    const queries = [query('a'), query('none', { Metric: { ...consumed, MetricName: 'X' } }), query('b')];
    const pages: { Id: string; Values: number[]; StatusCode: string }[][] = [];
    let NextToken: string | undefined;
    do {
      const request: object = data(queries, { MaxDatapoints: 3, NextToken });
      const { body } = ask(db, 'GetMetricData', request);
      pages.push(body.MetricDataResults);
      NextToken = body.NextToken;
    } while (NextToken !== undefined);
    expect(pages.map((page) => page.map(({ Id, Values, StatusCode }) => [Id, Values, StatusCode]))).toEqual([
      [
        ['a', [1, 2, 0], 'PartialData'],
        ['none', [], 'Complete'],
      ],
      [
        ['a', [3], 'Complete'],
        ['b', [1, 2], 'PartialData'],
      ],
      [['b', [0, 3], 'Complete']],
    ]);
  });

  test('tells of one moment on all pages', () => {
    const db = busyTable();
    const request = data([query('a')], { MaxDatapoints: 1 });
    const first = ask(db, 'GetMetricData', request, { now: 120 }).body;
    const rest = { ...request, MaxDatapoints: 100, NextToken: first.NextToken };
    expect(valuesOf(ask(db, 'GetMetricData', rest, { now: 3_600 }))).toEqual([2]);
  });

  test.each([
    ['of another request', (token: string) => ({ ...data([query('b')]), NextToken: token })],
    ['that is none of ours', () => ({ ...data([query('a')]), NextToken: 'bm9uc2Vuc2U' })],
    ['that is no text of ours', () => ({ ...data([query('a')]), NextToken: '%%%' })],
  ])('refuses a token %s', (_, request) => {
    const db = busyTable();
    const token = ask(db, 'GetMetricData', data([query('a')], { MaxDatapoints: 1 })).body.NextToken;
    expect(ask(db, 'GetMetricData', request(token))).toMatchObject({
      status: 400,
      body: { __type: 'com.amazonaws.cloudwatch#InvalidNextToken' },
    });
  });

  const many = Array.from({ length: 501 }, (_, index) => query(`q${index}`));
  test.each([
    ['an expression', data([{ Id: 'e', Expression: 'a * 2' }]), 'ValidationException', 'MetricStat'],
    ['both', data([query('a', {}, { Expression: 'b' })]), 'ValidationException', 'not both'],
    ['neither', data([{ Id: 'e' }]), 'ValidationException', 'MetricDataQueries.1.MetricStat'],
    ['no query', data([]), 'MissingRequiredParameterException', 'MetricDataQueries'],
    ['501 queries', data(many), 'ValidationException', '500'],
    ['an id in capitals', data([query('Cw')]), 'ValidationException', 'Cw'],
    ['an id given twice', data([query('a'), query('a')]), 'ValidationException', 'unique'],
    ['nothing to return', data([query('a', {}, { ReturnData: false })]), 'ValidationException', 'ReturnData'],
    ['a period of 90 s', data([query('a', { Period: 90 })]), 'ValidationException', 'multiple of 60'],
    ['a period of 0', data([query('a', { Period: 0 })]), 'ValidationException', 'multiple of 60'],
    ['an unknown statistic', data([query('a', { Stat: 'tm99' })]), 'ValidationException', 'tm99'],
    ['percentile 101', data([query('a', { Stat: 'p101' })]), 'ValidationException', 'p101'],
    ['no start', data([query('a')], { StartTime: null }), 'MissingRequiredParameterException', 'StartTime'],
    ['an end at the start', data([query('a')], { EndTime: at(0) }), 'ValidationException', 'EndTime'],
    [
      'a start that is a text',
      data([query('a')], { StartTime: 'now' }),
      'SerializationException',
      'StartTime',
    ],
    ['queries that are no list', data([], { MetricDataQueries: {} }), 'SerializationException', 'a list'],
    [
      'a query that is no object',
      data([], { MetricDataQueries: ['a'] }),
      'SerializationException',
      'an object',
    ],
    ['another order', data([query('a')], { ScanBy: 'Random' }), 'ValidationException', 'ScanBy'],
    ['too many points', data([query('a')], { MaxDatapoints: 100_801 }), 'ValidationException', '100800'],
    ['a body that is a list', [], 'SerializationException', 'an object'],
    ['a body that is not JSON', '{', 'SerializationException', 'not JSON'],
  ])('refuses %s', (_, body, type, word) => {
    const answer = ask(busyTable(), 'GetMetricData', body);
    expect(answer.status).toBe(400);
    expect(answer.body.__type).toBe(`com.amazonaws.cloudwatch#${type}`);
    expect(answer.body.message).toContain(word);
  });
});

describe('GetMetricStatistics', () => {
  const span = { StartTime: at(0), EndTime: at(240), Period: 60 };

  test.each([
    ['statistics', { Statistics: ['SampleCount', 'Maximum'] }, { SampleCount: 4, Maximum: 191 }],
    ['percentiles', { ExtendedStatistics: ['p0', 'p100'] }, { ExtendedStatistics: { p0: 11, p100: 191 } }],
  ])('gives several %s of each period at once', (_, asked, values) => {
    const request = { ...latency, ...span, Period: 240, ...asked };
    const { Label, Datapoints } = ask(busyTable(), 'GetMetricStatistics', request).body;
    expect(Label).toBe('SuccessfulRequestLatency');
    expect(Datapoints).toEqual([{ Timestamp: at(0), ...values, Unit: 'Milliseconds' }]);
  });

  test.each([
    ['no statistic', {}, 'InvalidParameterCombinationException'],
    [
      'statistics and percentiles together',
      { Statistics: ['Sum'], ExtendedStatistics: ['p99'] },
      'InvalidParameterCombinationException',
    ],
    ['a percentile among the others', { Statistics: ['p99'] }, 'InvalidParameterValueException'],
    ['a name among percentiles', { ExtendedStatistics: ['Sum'] }, 'InvalidParameterValueException'],
    [
      'more than 1,440 points',
      { Statistics: ['Sum'], EndTime: at(1_441 * 60) },
      'InvalidParameterCombinationException',
    ],
  ])('refuses %s', (_, more, type) => {
    const { status, body } = ask(busyTable(), 'GetMetricStatistics', { ...consumed, ...span, ...more });
    expect([status, body.__type]).toEqual([400, `com.amazonaws.cloudwatch#${type}`]);
  });
});

describe('ListMetrics', () => {
  function namesOf(request: object, options?: Options) {
    return ask(busyTable(), 'ListMetrics', request, options).body.Metrics.map(
      ({ MetricName }: { MetricName: string }) => MetricName,
    );
  }

  test('tells metrics with their dimensions', () => {
    const { Metrics } = ask(busyTable(), 'ListMetrics', { MetricName: 'SuccessfulRequestLatency' }).body;
    expect(Metrics).toEqual([
      {
        Namespace: 'AWS/DynamoDB',
        MetricName: 'SuccessfulRequestLatency',
        Dimensions: [
          { Name: 'TableName', Value: 'plain' },
          { Name: 'Operation', Value: 'PutItem' },
        ],
      },
    ]);
  });

  // Three of the table; those of the account are there as soon as anything is.
  test.each([
    ['all', {}, 3 + accountMetrics.length],
    ['those of a namespace', { Namespace: 'AWS/DynamoDB' }, 3 + accountMetrics.length],
    ['none of another', { Namespace: 'AWS/EC2' }, 0],
    ['those with a dimension', { Dimensions: [{ Name: 'Operation' }] }, 1],
    ['those with its value', { Dimensions: [{ Name: 'TableName', Value: 'plain' }] }, 3],
    ['none with another', { Dimensions: [{ Name: 'TableName', Value: 'x' }] }, 0],
  ])('lists %s', (_, request, count) => {
    expect(namesOf(request)).toHaveLength(count);
  });

  test('lists those that were active lately, where asked for', () => {
    const later = { now: 4 * 3_600 };
    // Consumed units go on as zeros, and so do quotas; the last put is more than three hours old.
    expect(namesOf({ RecentlyActive: 'PT3H' }, later)).toEqual([
      'ConsumedReadCapacityUnits',
      'ConsumedWriteCapacityUnits',
      ...accountMetrics,
    ]);
    expect(namesOf({}, later)).toHaveLength(3 + accountMetrics.length);
  });

  test('lists nothing that is not published yet', () => {
    expect(namesOf({}, { now: 30 })).toEqual([]);
  });
});

describe('rules of Contributor Insights', () => {
  function insightful(): { db: ObservedDatabase; names: readonly string[] } {
    const db = new ObservedDatabase({ tables: [plainOrders] });
    const { ruleNames } = db.activity.insights.update({ tableName: 'plain', action: 'ENABLE' }, db.wallMs(0));
    const get = (second: number, PK: string) =>
      db.at(second).send('GetItem', { TableName: 'plain', Key: attributes({ PK }), ConsistentRead: true });
    for (const second of [1, 2, 121]) get(second, 'hot');
    get(61, 'cold');
    return { db, names: ruleNames };
  }

  const span = { StartTime: at(0), EndTime: at(180), Period: 60 };

  test('report contributors with the periods in which they were there', () => {
    const { db, names } = insightful();
    const { body } = ask(db, 'GetInsightRuleReport', { RuleName: names[0], ...span });
    expect(body).toEqual({
      KeyLabels: ['PartitionKey'],
      AggregationStatistic: 'SUM',
      AggregateValue: 4,
      ApproximateUniqueCount: 2,
      Contributors: [
        {
          Keys: ['hot'],
          ApproximateAggregateValue: 3,
          Datapoints: [
            { Timestamp: at(0), ApproximateValue: 2 },
            { Timestamp: at(120), ApproximateValue: 1 },
          ],
        },
        {
          Keys: ['cold'],
          ApproximateAggregateValue: 1,
          Datapoints: [{ Timestamp: at(60), ApproximateValue: 1 }],
        },
      ],
      MetricDatapoints: [],
    });
  });

  test('give the two metrics that mean something, and leave out the others', () => {
    const { db, names } = insightful();
    const request = { RuleName: names[0], ...span, Metrics: ['MaxContributorValue', 'Maximum', 'Sum'] };
    expect(ask(db, 'GetInsightRuleReport', request).body.MetricDatapoints).toEqual([
      { Timestamp: at(0), MaxContributorValue: 2, Maximum: 1 },
      { Timestamp: at(60), MaxContributorValue: 1, Maximum: 1 },
      { Timestamp: at(120), MaxContributorValue: 1, Maximum: 1 },
    ]);
  });

  test('are published as late as metrics', () => {
    const { db, names } = insightful();
    const request = { RuleName: names[0], ...span };
    const options = { now: 125, publicationDelayMs: 60_000 };
    expect(ask(db, 'GetInsightRuleReport', request, options).body.AggregateValue).toBe(2);
  });

  test.each([
    ['more than 25 contributors', { MaxContributorCount: 26 }, 400, 'InvalidParameterValueException'],
    ['no contributor', { MaxContributorCount: 0 }, 400, 'InvalidParameterValueException'],
    ['an unknown metric', { Metrics: ['Median'] }, 400, 'InvalidParameterValueException'],
    ['another order', { OrderBy: 'Minimum' }, 400, 'InvalidParameterValueException'],
    ['a period of 30 s', { Period: 30 }, 400, 'InvalidParameterValueException'],
    ['no name', { RuleName: null }, 400, 'MissingRequiredParameterException'],
    ['no period', { Period: null }, 400, 'MissingRequiredParameterException'],
    ['a rule that is not there', { RuleName: 'x' }, 404, 'ResourceNotFoundException'],
  ])('refuse %s', (_, more, status, type) => {
    const { db, names } = insightful();
    const answer = ask(db, 'GetInsightRuleReport', { RuleName: names[0], ...span, ...more });
    expect([answer.status, answer.body.__type]).toEqual([status, `com.amazonaws.cloudwatch#${type}`]);
  });

  test('are described in pages, as managed', () => {
    const { db, names } = insightful();
    const first = ask(db, 'DescribeInsightRules', { MaxResults: 1 }).body;
    expect(first.InsightRules).toMatchObject([{ Name: names[0], State: 'ENABLED', ManagedRule: true }]);
    const second = ask(db, 'DescribeInsightRules', { NextToken: first.NextToken }).body;
    expect(second.InsightRules).toMatchObject([{ Name: names[1] }]);
    expect(second.NextToken).toBeUndefined();
  });
});

describe('other requests', () => {
  test('for an operation that is not there are told which are', () => {
    const { status, headers, body } = ask(busyTable(), 'PutMetricAlarm', {});
    expect([status, headers['x-amzn-query-error']]).toEqual([400, 'InvalidAction;Sender']);
    expect(body.__type).toBe('com.amazonaws.cloudwatch#UnknownOperationException');
    expect(body.message).toContain('GetMetricData');
  });
});
