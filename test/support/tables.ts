// Tables through the AWS SDK, independent of the client under test: which a server holds, and one for a scenario
// to find there.
import { type CreateTableCommandInput, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { quietNodeVersionWarning } from '../../src/aws/node-version-warning.ts';

quietNodeVersionWarning();

/** A table keyed as the scenario `sharding` wants it, for those that are to be there before the run. */
export const shardingTable = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'GSI1',
      KeySchema: [
        { AttributeName: 'GSI1PK', KeyType: 'HASH' },
        { AttributeName: 'GSI1SK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
} satisfies Omit<CreateTableCommandInput, 'TableName'>;

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
