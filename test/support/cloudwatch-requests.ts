// Requests to CloudWatch as clients sent them: the same three of the AWS CLI in all protocols. CBOR came from
// botocore 1.43.11 with that protocol chosen, JSON from the same version as it is, forms from botocore
// 1.34.0.

const cborPath = '/service/GraniteServiceVersion20100801/operation/';
const cbor = (operation: string, hex: string) => ({
  path: cborPath + operation,
  contentType: 'application/cbor',
  body: Buffer.from(hex, 'hex'),
});
const form = (body: string) => ({
  path: '/',
  contentType: 'application/x-www-form-urlencoded; charset=utf-8',
  body: Buffer.from(body),
});

export interface RecordedRequest {
  readonly operation: string;
  readonly json: string;
  readonly cbor: ReturnType<typeof cbor>;
  readonly query: ReturnType<typeof form>;
}

export const recordedRequests: readonly RecordedRequest[] = [
  {
    operation: 'ListMetrics',
    json: '{"Namespace": "AWS/DynamoDB", "Dimensions": [{"Name": "TableName", "Value": "orders"}]}',
    cbor: cbor(
      'ListMetrics',
      'a2694e616d6573706163656c4157532f44796e616d6f44426a44696d656e73696f6e7381a2644e616d65695461626c654e61' +
        '6d656556616c7565666f7264657273',
    ),
    query: form(
      'Action=ListMetrics&Version=2010-08-01&Namespace=AWS%2FDynamoDB&Dimensions.member.1.Name=TableName' +
        '&Dimensions.member.1.Value=orders',
    ),
  },
  {
    operation: 'GetMetricStatistics',
    json:
      '{"Namespace": "AWS/DynamoDB", "MetricName": "ConsumedWriteCapacityUnits", "Dimensions": [{"Name": "TableName", ' +
      '"Value": "orders"}], "StartTime": 1767225600, "EndTime": 1767225840, "Period": 60, "Statistics": ["Sum", "Maximum"]}',
    cbor: cbor(
      'GetMetricStatistics',
      'a7694e616d6573706163656c4157532f44796e616d6f44426a4d65747269634e616d65781a436f6e73756d65645772697465' +
        '4361706163697479556e6974736a44696d656e73696f6e7381a2644e616d65695461626c654e616d656556616c7565666f72' +
        '646572736953746172745469' +
        '6d65c11a6955b90067456e6454696d65c11a6955b9f066506572696f64183c6a53746174697374696373826353756d674d61' +
        '78696d756d',
    ),
    query: form(
      'Action=GetMetricStatistics&Version=2010-08-01&Namespace=AWS%2FDynamoDB&MetricName=ConsumedWriteCapacityUnits' +
        '&Dimensions.member.1.Name=TableName&Dimensions.member.1.Value=orders&StartTime=2026-01-01T00%3A00%3A00Z' +
        '&EndTime=2026-01-01T00%3A04%3A00Z&Period=60&Statistics.member.1=Sum&Statistics.member.2=Maximum',
    ),
  },
  {
    operation: 'GetMetricData',
    json:
      '{"MetricDataQueries": [{"Id": "cw", "MetricStat": {"Metric": {"Namespace": "AWS/DynamoDB", "MetricName": ' +
      '"ConsumedWriteCapacityUnits", "Dimensions": [{"Name": "TableName", "Value": "orders"}]}, "Period": 60, "Stat": ' +
      '"Sum"}, "ReturnData": true}], "StartTime": 1767225600, "EndTime": 1767225840, "ScanBy": "TimestampAscending"}',
    cbor: cbor(
      'GetMetricData',
      'a4714d6574726963446174615175657269657381a36249646263776a4d657472696353746174a3664d6574726963a3694e61' +
        '6d6573706163656c4157532f44796e616d6f44426a4d65747269634e616d65781a436f6e73756d6564577269746543617061' +
        '63697479556e6974736a44696d656e73696f6e7381a2644e616d65695461626c654e616d656556616c7565666f7264657273' +
        '66506572696f64183c64537461746353756d6a52657475726e44617461f569537461727454696d65c11a6955b90067456e64' +
        '54696d65c11a6955b9f0665363616e42797254696d657374616d70417363656e64696e67',
    ),
    query: form(
      'Action=GetMetricData&Version=2010-08-01&MetricDataQueries.member.1.Id=cw' +
        '&MetricDataQueries.member.1.MetricStat.Metric.Namespace=AWS%2FDynamoDB' +
        '&MetricDataQueries.member.1.MetricStat.Metric.MetricName=ConsumedWriteCapacityUnits' +
        '&MetricDataQueries.member.1.MetricStat.Metric.Dimensions.member.1.Name=TableName' +
        '&MetricDataQueries.member.1.MetricStat.Metric.Dimensions.member.1.Value=orders' +
        '&MetricDataQueries.member.1.MetricStat.Period=60&MetricDataQueries.member.1.MetricStat.Stat=Sum' +
        '&MetricDataQueries.member.1.ReturnData=true&StartTime=2026-01-01T00%3A00%3A00Z' +
        '&EndTime=2026-01-01T00%3A04%3A00.000000Z&ScanBy=TimestampAscending',
    ),
  },
];
