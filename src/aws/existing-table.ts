// A table that the user named instead of one made for the run: is it what the scenario expects, and may it be
// written to? Looks only; changes nothing of it, its capacity and warm throughput least of all.
import {
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  type KeySchemaElement,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { GlobalIndexSpec, KeySchema, TableSpec } from '../dynamodb/table-spec.ts';
import { DynoLoadError } from '../errors.ts';
import { mayWrite, OWN_PREFIX, refusedWrite } from './safety.ts';
import { targetError, troubleOfSdk } from './target-error.ts';

/** A table that was named, and what the run means to do with it. */
export interface ExistingTableRequest {
  readonly spec: TableSpec;
  /** The server's description; undefined where there is no such table. */
  readonly description: TableDescription | undefined;
  /** Whether the run would put anything into it. */
  readonly writes: boolean;
  readonly allowWritesTo: readonly string[];
  readonly endpointText: string;
  readonly control: Pick<DynamoDBClient, 'send'>;
}

/** A table that may be used. */
export interface ExistingTable {
  /** The scenario's table with the global indexes that the table has besides. */
  readonly spec: TableSpec;
  readonly mayWrite: boolean;
  readonly notes: readonly string[];
}

/**
 * Looks at an existing table.
 * @throws DynoLoadError TABLE_DIFFERS, REFUSED_WRITE, TARGET_REJECTED where its tags cannot be read
 */
export async function inspectExistingTable(request: ExistingTableRequest): Promise<ExistingTable> {
  const { spec, description, writes, allowWritesTo } = request;
  const { tableName } = spec;
  if (description === undefined) throw differs(tableName, 'is not there');
  for (const difference of differencesOf(spec, description)) throw differs(tableName, difference);
  const isNamedTwice = allowWritesTo.includes(tableName);
  const tags = writes && !isNamedTwice ? await tagsOf(request, description) : undefined;
  const isAllowed = mayWrite({ tableName, tags, allowWritesTo });
  if (writes && !isAllowed) throw refusedWrite(tableName, 'the run would write to');
  const further = furtherIndexes(spec, description);
  return {
    spec: { ...spec, globalIndexes: [...spec.globalIndexes, ...further] },
    mayWrite: isAllowed,
    notes: notesOn(description, tableName, further),
  };
}

async function tagsOf(
  { spec, control, endpointText }: ExistingTableRequest,
  { TableArn }: TableDescription,
): Promise<Readonly<Record<string, string>>> {
  // The name alone already says that it is none of ours, and spares a right that the user need not grant.
  if (TableArn === undefined || !spec.tableName.startsWith(OWN_PREFIX)) return {};
  const tags: Record<string, string> = {};
  let token: string | undefined;
  do {
    const page = await control
      .send(
        new ListTagsOfResourceCommand({
          ResourceArn: TableArn,
          ...(token === undefined ? {} : { NextToken: token }),
        }),
      )
      .catch((error: unknown) => {
        const what = `cannot read the tags of table "${spec.tableName}" at ${endpointText}`;
        throw targetError(what, troubleOfSdk(error));
      });
    for (const { Key = '', Value = '' } of page.Tags ?? []) tags[Key] = Value;
    token = page.NextToken;
  } while (token !== undefined);
  return tags;
}

/** What would make the scenario's requests fail, or mean something else. */
function differencesOf(spec: TableSpec, description: TableDescription): string[] {
  const types = new Map(
    (description.AttributeDefinitions ?? []).map((one) => [one.AttributeName ?? '', one.AttributeType ?? '']),
  );
  const keys = (schema: readonly KeySchemaElement[] | undefined): string =>
    (schema ?? [])
      .toSorted((a) => (a.KeyType === 'HASH' ? -1 : 1))
      .map(({ AttributeName = '' }) => `${AttributeName} (${types.get(AttributeName) ?? '?'})`)
      .join(', ');
  const differences: string[] = [];
  if (description.TableStatus !== undefined && description.TableStatus !== 'ACTIVE')
    differences.push(`is ${description.TableStatus}`);
  const compare = (what: string, wanted: KeySchema, found: readonly KeySchemaElement[] | undefined): void => {
    if (found === undefined) differences.push(`has no ${what}`);
    else if (keys(found) !== keyText(wanted))
      differences.push(`has the key ${keys(found)} on ${what}, where the scenario has ${keyText(wanted)}`);
  };
  compare('the table', spec.keys, description.KeySchema);
  for (const index of spec.globalIndexes)
    compare(`index ${index.name}`, index.keys, schemaOf(description.GlobalSecondaryIndexes, index.name));
  for (const index of spec.localIndexes)
    compare(`index ${index.name}`, index.keys, schemaOf(description.LocalSecondaryIndexes, index.name));
  return differences;
}

function keyText({ partition, sort }: KeySchema): string {
  return [partition, ...(sort ? [sort] : [])].map(({ name, type }) => `${name} (${type})`).join(', ');
}

function schemaOf(
  indexes: readonly { IndexName?: string | undefined; KeySchema?: KeySchemaElement[] | undefined }[] = [],
  name: string,
): readonly KeySchemaElement[] | undefined {
  return indexes.find(({ IndexName }) => IndexName === name)?.KeySchema;
}

/** Global indexes that the scenario does not know: they take part in writes all the same. */
function furtherIndexes(
  spec: TableSpec,
  { GlobalSecondaryIndexes = [] }: TableDescription,
): GlobalIndexSpec[] {
  const known = new Set(spec.globalIndexes.map(({ name }) => name));
  return GlobalSecondaryIndexes.flatMap(({ IndexName: name, KeySchema = [] }) => {
    const [partition, ...furtherPartition] = KeySchema.flatMap(({ KeyType, AttributeName }) =>
      KeyType === 'HASH' && AttributeName !== undefined ? [{ name: AttributeName, type: 'S' as const }] : [],
    );
    if (name === undefined || partition === undefined || known.has(name)) return [];
    return [
      {
        name,
        keys: { partition, ...(furtherPartition.length > 0 && { furtherPartition }) },
        projection: { kind: 'ALL' as const },
        billing: spec.billing,
        start: spec.start,
      },
    ];
  });
}

function notesOn(
  { BillingModeSummary, ProvisionedThroughput, ItemCount }: TableDescription,
  tableName: string,
  further: readonly GlobalIndexSpec[],
): string[] {
  const { ReadCapacityUnits = 0, WriteCapacityUnits = 0 } = ProvisionedThroughput ?? {};
  const isOnDemand = BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST' || WriteCapacityUnits === 0;
  const billing = isOnDemand
    ? 'on demand'
    : `provisioned at ${ReadCapacityUnits} read and ${WriteCapacityUnits} write units a second`;
  const names = further.map(({ name }) => name).join(', ');
  return [
    `Table ${tableName} was used as it is: ${billing}, about ${ItemCount ?? 0} items before the run. ` +
      'Billing and start of the scenario do not apply to it.',
    ...(names === ''
      ? []
      : [`Table ${tableName} has global indexes that the scenario does not know: ${names}.`]),
  ];
}

function differs(tableName: string, difference: string): DynoLoadError {
  return new DynoLoadError('TABLE_DIFFERS', {
    what: `table "${tableName}" ${difference}`,
    why: 'the scenario would ask it for what it does not have',
    fix: 'name another table, correct the tables of the scenario, or leave --table away',
  });
}
