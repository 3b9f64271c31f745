// Calls to a DynamoDB-compatible server with nothing but fetch, so that tests of our own client and simulator
// lean on neither.
import {
  keyAttributes,
  partitionAttributes,
  sortAttributes,
  type TableSpec,
} from '../../src/dynamodb/table-spec.ts';

/** What a server answered: its body, and the short name of the exception where it refused. */
export interface WireAnswer {
  readonly status: number;
  readonly errorType: string | undefined;
  readonly body: { readonly [member: string]: unknown };
}

/** Headers of the right form with a signature that no emulator checks. */
const headers = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0000',
};

/** One call of one API, control plane included. */
export async function callServer(url: string, api: string, input: unknown): Promise<WireAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'x-amz-target': `DynamoDB_20120810.${api}` },
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as { readonly [member: string]: unknown }; // DynamoDB answers objects.
  const type = typeof body.__type === 'string' ? body.__type.split('#').pop() : undefined;
  return { status: response.status, errorType: response.ok ? undefined : (type ?? 'none'), body };
}

/** The input of CreateTable for a table on demand. */
export function createTableInput(table: TableSpec): unknown {
  const attributes = new Map<string, string>();
  const schemaOf = (keys: TableSpec['keys']) => {
    for (const { name, type } of keyAttributes(keys)) attributes.set(name, type);
    return [
      ...partitionAttributes(keys).map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' })),
      ...sortAttributes(keys).map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' })),
    ];
  };
  const indexOf = ({
    name,
    keys,
    projection,
  }: TableSpec['globalIndexes'][number] | TableSpec['localIndexes'][number]) => ({
    IndexName: name,
    KeySchema: schemaOf(keys),
    Projection: {
      ProjectionType: projection.kind,
      ...(projection.kind === 'INCLUDE' && { NonKeyAttributes: projection.attributes }),
    },
  });
  const input = {
    TableName: table.tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: schemaOf(table.keys),
    ...(table.globalIndexes.length > 0 && { GlobalSecondaryIndexes: table.globalIndexes.map(indexOf) }),
    ...(table.localIndexes.length > 0 && { LocalSecondaryIndexes: table.localIndexes.map(indexOf) }),
  };
  const AttributeDefinitions = [...attributes].map(([AttributeName, AttributeType]) => ({
    AttributeName,
    AttributeType,
  }));
  return { ...input, AttributeDefinitions };
}
