// Aim: the AWS CLI works against `serve`, signed, for tables, items, waiters and metrics. Method: the CLI of
// this machine where there is one, with the key that the server asks for and with another secret.
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveDatabase, type ServedDatabase } from '../support/served-database.ts';

const key = { accessKeyId: 'AKIDTEST', secretAccessKey: 'sesame' };

interface Result {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined where the program could not be started. */
  readonly code: number | undefined;
}

let served: ServedDatabase;
beforeAll(async () => {
  served = await serveDatabase({ accessKeys: [key] });
  // Signatures are of today.
  served.advance(Date.now() - Date.UTC(2026, 0, 1));
});
afterAll(() => served.stop());

function aws(line: string, secret = key.secretAccessKey): Promise<Result> {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    AWS_ACCESS_KEY_ID: key.accessKeyId,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_DEFAULT_REGION: 'eu-west-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_MAX_ATTEMPTS: '1',
    AWS_PAGER: '',
  };
  const args = ['--endpoint-url', served.url, '--output', 'json', ...line.split(' ')];
  return new Promise((resolve) => {
    execFile('aws', args, { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
      resolve({ stdout, stderr, code });
    });
  });
}

test('the AWS CLI makes a table, waits for it, writes, reads, and lists metrics', async ({ skip }) => {
  const version = await aws('--version');
  skip(version.code !== 0, 'no AWS CLI: aws is not on the PATH, or does not start');
  const TableName = 'from-cli';
  const made = await aws(
    `dynamodb create-table --table-name ${TableName} --billing-mode PAY_PER_REQUEST ` +
      '--attribute-definitions AttributeName=pk,AttributeType=S --key-schema AttributeName=pk,KeyType=HASH',
  );
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(await aws(`dynamodb wait table-exists --table-name ${TableName}`)).toMatchObject({ code: 0 });
  const put = await aws(
    `dynamodb put-item --table-name ${TableName} --item {"pk":{"S":"ä"}} --return-consumed-capacity TOTAL`,
  );
  expect(JSON.parse(put.stdout)).toEqual({ ConsumedCapacity: { TableName, CapacityUnits: 1 } });
  const scanned = await aws(`dynamodb scan --table-name ${TableName} --page-size 1`);
  expect(JSON.parse(scanned.stdout)).toMatchObject({ Items: [{ pk: { S: 'ä' } }], Count: 1 });
  served.advance(120_000);
  const metrics = await aws('cloudwatch list-metrics --namespace AWS/DynamoDB');
  expect(metrics.stdout).toContain('ConsumedWriteCapacityUnits');
  const wrong = await aws('dynamodb list-tables', 'wrong');
  expect(wrong.stderr).toContain('An error occurred (InvalidSignatureException) when calling the ListTables');
}, 120_000);
