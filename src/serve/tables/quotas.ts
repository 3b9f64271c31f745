// Quotas of throughput: what one table or index, and all that is provisioned in the account, may have. Of the
// refusals no capture is published, so their words are ours; the error is the one that the API reference names.
// @see "Quotas in Amazon DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30
import { MAX_PARTITIONS, startingPartitionCount } from '../../capacity/partition-map.ts';
import { ApiError } from '../../dynamodb/api-error.ts';
import { ACCOUNT_QUOTA_UNITS, TABLE_QUOTA_UNITS } from '../../dynamodb/limits.ts';
import type { Billing, Start, TableSpec } from '../../dynamodb/table-spec.ts';
import type { Administration } from './administration.ts';
import type { WarmUnits } from './served-table.ts';

/** Units per second, of reads and of writes each. */
export interface Quotas {
  readonly tableUnits: number;
  readonly accountUnits: number;
}

/** The default quotas; where the model has another one for a table, that of the account is twice as high too. */
export function quotasOf({ model }: Pick<Administration, 'model'>): Quotas {
  const { tableQuotaUnits: tableUnits } = model;
  return { tableUnits, accountUnits: (tableUnits * ACCOUNT_QUOTA_UNITS) / TABLE_QUOTA_UNITS };
}

/** What was there before a change: it may stay, whatever the quotas say. */
interface Before {
  readonly spec: TableSpec | undefined;
  /** What the table, or one of its global indexes, can serve at once. */
  warmth(indexName?: string): WarmUnits;
}

const sides = ['readUnits', 'writeUnits'] as const;
const sideNames = { readUnits: 'ReadCapacityUnits', writeUnits: 'WriteCapacityUnits' } as const;
const warmNames = { readUnits: 'ReadUnitsPerSecond', writeUnits: 'WriteUnitsPerSecond' } as const;

/** @throws ApiError LimitExceededException where a table that is made or changed would have more than it may */
export function checkQuotas(administration: Administration, after: TableSpec, before: Before): void {
  const quotas = quotasOf(administration);
  for (const resource of resourcesOf(after)) {
    const old = before.spec && resourcesOf(before.spec).find(({ name }) => name === resource.name);
    const where = resource.name === '' ? 'table' : `index ${resource.name}`;
    const warm = warmUnits(resource.start);
    const now = before.warmth(resource.name);
    for (const side of sides) {
      const units = provisionedUnits(resource.billing)[side];
      if (units > Math.max(quotas.tableUnits, old ? provisionedUnits(old.billing)[side] : 0))
        throw tooMuch(`${sideNames[side]} for ${where}: ${units}`, 'a table or index', quotas.tableUnits);
      if (warm[side] > Math.max(quotas.tableUnits, now[side]))
        throw tooMuch(
          `${warmNames[side]} for ${where}: ${warm[side]}`,
          'a table or index',
          quotas.tableUnits,
        );
    }
    checkCanBeSimulated(administration, resource);
  }
  for (const side of sides) {
    const units = provisionedIn(after, side);
    if (before.spec !== undefined && units <= provisionedIn(before.spec, side)) continue;
    const total = units + provisionedElsewhere(administration, after.tableName, side);
    if (total > quotas.accountUnits)
      throw tooMuch(`${sideNames[side]} in all: ${total}`, 'an account', quotas.accountUnits);
  }
}

/** Another model may have quotas and partitions with which one table would fill the memory. */
function checkCanBeSimulated({ model }: Administration, { billing, start }: Resource): void {
  const count = startingPartitionCount({ billing, start, initialBytes: 0 }, model);
  if (count > MAX_PARTITIONS)
    throw new ApiError(
      'LimitExceededException',
      `Subscriber limit exceeded: partitions: ${count} would be above the maximum of a simulated table, ${MAX_PARTITIONS}`,
    );
}

interface Resource {
  /** Empty for the table. */
  readonly name: string;
  readonly billing: Billing;
  readonly start: Start;
}

function resourcesOf({ billing, start, globalIndexes }: TableSpec): readonly Resource[] {
  return [{ name: '', billing, start }, ...globalIndexes];
}

const none: WarmUnits = { readUnits: 0, writeUnits: 0 };

function provisionedUnits(billing: Billing): WarmUnits {
  return billing.mode === 'provisioned' ? billing : none;
}

function warmUnits(start: Start): WarmUnits {
  if (start.kind === 'new') return none;
  return { readUnits: start.warmReadUnits, writeUnits: start.warmWriteUnits };
}

function provisionedIn(spec: TableSpec, side: (typeof sides)[number]): number {
  return resourcesOf(spec).reduce((sum, { billing }) => sum + provisionedUnits(billing)[side], 0);
}

function provisionedElsewhere(
  { tables, nowUs }: Administration,
  tableName: string,
  side: (typeof sides)[number],
): number {
  const others = [...tables.all(nowUs())].filter(({ name }) => name !== tableName);
  return others.reduce((sum, { spec }) => sum + provisionedIn(spec, side), 0);
}

function tooMuch(asked: string, of: string, quota: number): ApiError {
  return new ApiError(
    'LimitExceededException',
    `Subscriber limit exceeded: ${asked} would be above the maximum of ${of}, ${quota}. The constant tableQuotaUnits of the model raises it here, as AWS does on request`,
  );
}
