// Which tables a server holds, asked through the AWS SDK: independent of the client under test.
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { quietNodeVersionWarning } from '../../src/aws/node-version-warning.ts';

quietNodeVersionWarning();

/** Names of all tables at an endpoint, as whoever uses dyno-load's made-up credentials sees them. */
export async function tableNames(endpoint: string): Promise<readonly string[]> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'dynoload', secretAccessKey: 'dynoload' },
  });
  try {
    return (await client.send(new ListTablesCommand({}))).TableNames ?? [];
  } finally {
    client.destroy();
  }
}
