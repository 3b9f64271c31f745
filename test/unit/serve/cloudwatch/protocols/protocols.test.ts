// Aim: CloudWatch says the same in each of its protocols, and errors in the form of each. Method: requests as
// the AWS CLI sent them, over a simulated table with a few writes in known minutes; answers are compared with
// those in JSON.
import { describe, expect, test } from 'vitest';
import { CloudWatchError } from '../../../../../src/serve/cloudwatch/cloudwatch-error.ts';
import { decodeCbor } from '../../../../../src/serve/cloudwatch/protocols/cbor-decode.ts';
import { encodeCbor } from '../../../../../src/serve/cloudwatch/protocols/cbor-encode.ts';
import { cborProtocol } from '../../../../../src/serve/cloudwatch/protocols/cbor-protocol.ts';
import { jsonProtocol } from '../../../../../src/serve/cloudwatch/protocols/json-protocol.ts';
import { protocolOf } from '../../../../../src/serve/cloudwatch/protocols/protocol-of.ts';
import { queryProtocol } from '../../../../../src/serve/cloudwatch/protocols/query-protocol.ts';
import type { WireObject } from '../../../../../src/serve/cloudwatch/wire-values.ts';
import { answerCloudWatch, type CloudWatchRequest } from '../../../../../src/serve/cloudwatch-api.ts';
import { SignatureError } from '../../../../../src/serve/signature/signature-error.ts';
import { recordedRequests } from '../../../../support/cloudwatch-requests.ts';
import { ObservedDatabase, WALL_MS_AT_ZERO } from '../../../../support/observed-database.ts';
import { attributes, plainOrders } from '../../../../support/simulated-orders.ts';

const startSeconds = WALL_MS_AT_ZERO / 1_000;

/** Writes to `orders` in the minutes of the recorded requests: one in the first, two in the second. */
function busyTable(): ObservedDatabase {
  const db = new ObservedDatabase({ tables: [{ ...plainOrders, tableName: 'orders' }] });
  for (const second of [10, 70, 80])
    db.at(second).send('PutItem', { TableName: 'orders', Item: attributes({ PK: 'a' }) }, 1_500);
  return db;
}

function answer(request: CloudWatchRequest, db = busyTable()) {
  const view = {
    activity: db.activity,
    nowMs: db.wallMs(600),
    publicationDelayMs: 0,
    nextRequestId: () => 'R1',
  };
  return answerCloudWatch(view, request);
}

const json = (operation: string, body: string) =>
  JSON.parse(
    String(answer({ protocol: jsonProtocol, operation, body: Buffer.from(body) }).body),
  ) as WireObject;

/** As JSON has it: times are their seconds. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const cborHeaders = { 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor' };

describe.each(recordedRequests)('$operation of the AWS CLI', (recorded) => {
  test('finds something in JSON', () => {
    const found = JSON.stringify(json(recorded.operation, recorded.json));
    expect(found).toContain('ConsumedWriteCapacityUnits');
    if (recorded.operation !== 'ListMetrics') expect(found).toContain(`${startSeconds + 60}`);
  });

  test('is told apart from other requests by its head', () => {
    expect(protocolOf(recorded.cbor)).toEqual({ protocol: cborProtocol, operation: recorded.operation });
    expect(protocolOf(recorded.query)).toEqual({ protocol: queryProtocol, operation: '' });
  });

  test('is answered the same in CBOR', () => {
    const { status, headers, body } = answer({
      protocol: cborProtocol,
      ...recorded,
      body: recorded.cbor.body,
    });
    expect([status, headers]).toEqual([200, cborHeaders]);
    expect(plain(decodeCbor(body as Buffer))).toEqual(json(recorded.operation, recorded.json));
  });
});

test('the query protocol is answered in XML, with the id of the request', () => {
  const [listed, statistics, data] = recordedRequests.map(({ query: { body } }) =>
    answer({ protocol: queryProtocol, operation: '', body }),
  );
  expect(listed).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/xml' },
    requestId: 'R1',
    body: expect.stringMatching(
      /^<ListMetricsResponse xmlns="http:\/\/monitoring\.amazonaws\.com\/doc\/2010-08-01\/"><ListMetricsResult><Metrics><member><Namespace>AWS\/DynamoDB<.*<\/ListMetricsResult><ResponseMetadata><RequestId>R1<\/RequestId><\/ResponseMetadata><\/ListMetricsResponse>$/,
    ),
  });
  expect(statistics?.body).toContain(
    '<Datapoints><member><Timestamp>2026-01-01T00:00:00Z</Timestamp><Sum>1</Sum><Maximum>1</Maximum><Unit>Count</Unit></member>' +
      '<member><Timestamp>2026-01-01T00:01:00Z</Timestamp><Sum>2</Sum><Maximum>1</Maximum>',
  );
  expect(data?.body).toContain(
    '<Timestamps><member>2026-01-01T00:00:00Z</member><member>2026-01-01T00:01:00Z</member>',
  );
  expect(data?.body).toContain('<Values><member>1</member><member>2</member><member>0</member>');
});

describe('statistics', () => {
  const asked = {
    Namespace: 'AWS/DynamoDB',
    MetricName: 'SuccessfulRequestLatency',
    Period: 240,
    Dimensions: [
      { Name: 'TableName', Value: 'orders' },
      { Name: 'Operation', Value: 'PutItem' },
    ],
    ExtendedStatistics: ['p100'],
  };

  test('that are percentiles have their names as keys in XML', () => {
    const form = `Action=GetMetricStatistics&Namespace=AWS/DynamoDB&MetricName=SuccessfulRequestLatency&Period=240${asked.Dimensions.map(
      ({ Name, Value }, at) =>
        `&Dimensions.member.${at + 1}.Name=${Name}&Dimensions.member.${at + 1}.Value=${Value}`,
    ).join(
      '',
    )}&ExtendedStatistics.member.1=p100&StartTime=2026-01-01T01:00:00%2B01:00&EndTime=2026-01-01T00:04:00&Statistics=`;
    expect(answer({ protocol: queryProtocol, operation: '', body: Buffer.from(form) }).body).toMatch(
      /<ExtendedStatistics><entry><key>p100<\/key><value>1\.5\d*<\/value><\/entry><\/ExtendedStatistics>/,
    );
  });

  test('may be asked for without a tag on times in JSON only', () => {
    const times = { StartTime: startSeconds, EndTime: startSeconds + 240 };
    const body = encodeCbor({ ...asked, ...times });
    const refused = answer({ protocol: cborProtocol, operation: 'GetMetricStatistics', body });
    expect(decodeCbor(refused.body as Buffer)).toEqual({
      __type: 'com.amazonaws.cloudwatch#SerializationException',
      message: 'StartTime must be a timestamp.',
    });
    expect(json('GetMetricStatistics', JSON.stringify({ ...asked, ...times }))['Datapoints']).toHaveLength(1);
  });
});

describe('a body', () => {
  test.each([
    ['CBOR without anything', cborProtocol, 'ListMetrics', ''],
    ['JSON without anything', jsonProtocol, 'ListMetrics', ''],
    ['a form of the action alone', queryProtocol, '', 'Action=ListMetrics'],
  ])('of %s asks for all', (_, protocol, operation, body) => {
    expect(answer({ protocol, operation, body: Buffer.from(body) }).status).toBe(200);
  });

  const dates = 'Action=GetMetricStatistics&Namespace=n&MetricName=m&Statistics.member.1=Sum';
  test.each([
    ['no CBOR', cborProtocol, 'ListMetrics', '\xff', 'MalformedInput'],
    ['CBOR of a list', cborProtocol, 'ListMetrics', '\x80', 'MalformedInput'],
    ['no JSON', jsonProtocol, 'ListMetrics', '{', 'MalformedInput'],
    ['no text', jsonProtocol, 'ListMetrics', '"\xff"', 'MalformedInput'],
    ['no form', queryProtocol, '', 'Action=%', 'MalformedInput'],
    ['a form without an action', queryProtocol, '', 'Version=2010-08-01', 'MissingAction'],
    ['a form with several actions', queryProtocol, '', 'Action.member.1=ListMetrics', 'MissingAction'],
    [
      'a form of another service',
      queryProtocol,
      '',
      'Action=ListMetrics&Version=2011-06-15',
      'InvalidAction',
    ],
    ['an action that is not there', queryProtocol, '', 'Action=PutMetricData', 'InvalidAction'],
    ['an operation of no object', cborProtocol, 'constructor', '\xa0', 'InvalidAction'],
    ['a list that is a text', queryProtocol, '', 'Action=ListMetrics&Dimensions=x', 'MalformedInput'],
    ['no date', queryProtocol, '', `${dates}&StartTime=now&EndTime=now&Period=60`, 'MalformedInput'],
    ['a date that is not', queryProtocol, '', `${dates}&StartTime=2026-13-01T00:00:00Z`, 'MalformedInput'],
    [
      'a number in words',
      queryProtocol,
      '',
      `${dates}&StartTime=2026-01-01T00:00:00Z&EndTime=2026-01-02T00:00:00Z&Period=0x3c`,
      'MalformedInput',
    ],
    ['no dates', queryProtocol, '', dates, 'MissingParameter'],
  ])('of %s is refused', (_, protocol, operation, body, code) => {
    const refused = answer({ protocol, operation, body: Buffer.from(body, 'latin1') });
    expect(refused.status).toBe(400);
    if (protocol === queryProtocol) expect(refused.body).toContain(`<Code>${code}</Code>`);
    else expect(refused.headers?.['x-amzn-query-error']).toBe(`${code};Sender`);
  });
});

describe('an error', () => {
  const error = new CloudWatchError('InvalidParameterValueException', 'a < b');
  const nextRequestId = () => 'R2';

  test('in JSON has a type, a message, and the name of the query protocol beside it', () => {
    const { status, headers, body } = jsonProtocol.failure(error, nextRequestId);
    expect([status, headers?.['x-amzn-query-error']]).toEqual([400, 'InvalidParameterValue;Sender']);
    const type = 'com.amazonaws.cloudwatch#InvalidParameterValueException';
    expect(JSON.parse(String(body))).toEqual({ __type: type, message: 'a < b' });
  });

  test('in CBOR has the same, and says which protocol it is', () => {
    const { status, headers, body } = cborProtocol.failure(error, nextRequestId);
    expect([status, headers]).toEqual([
      400,
      { ...cborHeaders, 'x-amzn-query-error': 'InvalidParameterValue;Sender' },
    ]);
    const type = 'com.amazonaws.cloudwatch#InvalidParameterValueException';
    expect(decodeCbor(body as Buffer)).toEqual({ __type: type, message: 'a < b' });
  });

  test('in the query protocol is XML', () => {
    expect(queryProtocol.failure(error, nextRequestId)).toEqual({
      status: 400,
      headers: { 'content-type': 'text/xml' },
      requestId: 'R2',
      body:
        '<ErrorResponse xmlns="http://monitoring.amazonaws.com/doc/2010-08-01/"><Error><Type>Sender</Type>' +
        '<Code>InvalidParameterValue</Code><Message>a &lt; b</Message></Error><RequestId>R2</RequestId></ErrorResponse>',
    });
  });

  test.each([
    [new SignatureError('InvalidSignatureException', 'no'), 403, 'SignatureDoesNotMatch;Sender'],
    [new SignatureError('UnrecognizedClientException', 'no'), 403, 'InvalidClientTokenId;Sender'],
    [new CloudWatchError('ResourceNotFoundException', 'no'), 404, 'ResourceNotFoundException;Sender'],
    [new TypeError('of ours'), 500, 'InternalServiceError;Receiver'],
  ])('%s is told by status and fault', (thrown, status, queryError) => {
    const told = CloudWatchError.of(thrown);
    expect([told.status, told.queryError]).toEqual([status, queryError]);
    expect(told.message).not.toContain('of ours');
  });
});

describe('a head', () => {
  const path = '/service/GraniteServiceVersion20100801/operation/GetMetricData';
  test.each([
    [
      'with the service by its full name',
      path.replace('Granite', 'com.amazonaws.cloudwatch.Granite'),
      'application/cbor',
    ],
    ['behind a prefix', `/v1${path}`, 'application/cbor'],
    ['without a type', path, undefined],
    ['with parameters behind its type', path, 'Application/CBOR; x=y'],
  ])('%s is of CBOR', (_, at, contentType) => {
    expect(protocolOf({ path: at, contentType })).toEqual({
      protocol: cborProtocol,
      operation: 'GetMetricData',
    });
  });

  test.each([
    ['in JSON', '/', 'application/x-amz-json-1.0'],
    ['of CBOR at no operation', '/', 'application/cbor'],
    ['of another service', path.replace('Granite', 'Other'), 'application/cbor'],
    ['with more behind it', `${path}/x`, 'application/cbor'],
    ['of JSON at an operation of CBOR', path, 'application/x-amz-json-1.0'],
    ['of something like a form', '/', 'application/x-www-form-urlencoded-not'],
    ['without anything', '/', undefined],
  ])('%s is of neither', (_, at, contentType) => {
    expect(protocolOf({ path: at, contentType })).toBeUndefined();
  });
});
