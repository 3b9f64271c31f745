// A table's specification → the input of CreateTable, and what of the specification it leaves out. Warm
// throughput is sent only where that was allowed: raising it is billed at once and cannot be undone.
// @see "CreateTable", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html, read 2026-11-30
import type {
  CreateTableCommandInput,
  ProvisionedThroughput,
  WarmThroughput,
} from '@aws-sdk/client-dynamodb';
import { TABLE_QUOTA_UNITS } from '../dynamodb/limits.ts';
import type { Billing, Start, TableSpec } from '../dynamodb/table-spec.ts';
import { wireAttributes, wireKeySchema, wireProjection } from '../dynamodb/wire-schema.ts';

/** Parts of a request that some emulators refuse; a table can be made without them. */
export const optionalParts = ['tags', 'maxima', 'onDemand', 'warmth'] as const;
/** What a table can do without where a server does not know it. */
export type OptionalPart = (typeof optionalParts)[number];

export interface CreateTableOptions {
  readonly tags: { readonly [name: string]: string };
  /**
   * Left out, because the server refused them before. Without `onDemand`, throughput is provisioned at the
   * table quota.
   */
  readonly without: ReadonlySet<OptionalPart>;
  /** Warm tables and indexes as the specification says. */
  readonly warms?: boolean;
}

/** What CreateTable is sent for a table. Each key attribute is defined once, however many keys have it. */
export function createTableInput(spec: TableSpec, options: CreateTableOptions): CreateTableCommandInput {
  const isOnDemand = spec.billing.mode === 'on-demand' && !options.without.has('onDemand');
  const tags = Object.entries(options.tags).map(([Key, Value]) => ({ Key, Value }));
  return {
    TableName: spec.tableName,
    AttributeDefinitions: wireAttributes(spec),
    KeySchema: wireKeySchema(spec.keys),
    BillingMode: isOnDemand ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    ...throughput(spec.billing, options),
    ...warmth(spec.start, options),
    ...globalIndexes(spec, options),
    ...localIndexes(spec),
    ...(tags.length === 0 || options.without.has('tags') ? {} : { Tags: tags }),
  };
}

function globalIndexes(spec: TableSpec, options: CreateTableOptions) {
  if (spec.globalIndexes.length === 0) return {};
  return {
    GlobalSecondaryIndexes: spec.globalIndexes.map((index) => ({
      IndexName: index.name,
      KeySchema: wireKeySchema(index.keys),
      Projection: wireProjection(index.projection),
      ...throughput(index.billing, options),
      ...warmth(index.start, options),
    })),
  };
}

function localIndexes(spec: TableSpec) {
  if (spec.localIndexes.length === 0) return {};
  return {
    LocalSecondaryIndexes: spec.localIndexes.map((index) => ({
      IndexName: index.name,
      KeySchema: wireKeySchema(index.keys),
      Projection: wireProjection(index.projection),
    })),
  };
}

function throughput(
  billing: Billing,
  { without }: CreateTableOptions,
): {
  ProvisionedThroughput?: ProvisionedThroughput;
  OnDemandThroughput?: { MaxReadRequestUnits?: number; MaxWriteRequestUnits?: number };
} {
  if (billing.mode === 'provisioned') return provisioned(billing.readUnits, billing.writeUnits);
  const { maximumReadUnits: reads, maximumWriteUnits: writes } = billing;
  if (without.has('onDemand')) return provisioned(reads ?? TABLE_QUOTA_UNITS, writes ?? TABLE_QUOTA_UNITS);
  if ((reads === undefined && writes === undefined) || without.has('maxima')) return {};
  return {
    OnDemandThroughput: {
      ...(reads === undefined ? {} : { MaxReadRequestUnits: reads }),
      ...(writes === undefined ? {} : { MaxWriteRequestUnits: writes }),
    },
  };
}

function warmth(start: Start, { warms = false }: CreateTableOptions): { WarmThroughput?: WarmThroughput } {
  if (!warms || start.kind === 'new') return {};
  return {
    WarmThroughput: { ReadUnitsPerSecond: start.warmReadUnits, WriteUnitsPerSecond: start.warmWriteUnits },
  };
}

function provisioned(readUnits: number, writeUnits: number) {
  return { ProvisionedThroughput: { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits } };
}

/** What warming means on a server: money, nothing, or one does not know. */
export type Warming = 'billed' | 'none' | 'unknown';

const warmingNotes = {
  billed: 'Warm throughput is billed and cannot be lowered; --allow-warm-throughput sets it.',
  none: 'This server does not warm tables.',
  unknown: 'It is not known whether this server warms tables; --allow-warm-throughput asks it to.',
} as const satisfies Record<Warming, string>;

/**
 * What the user should know where tables start otherwise than their scenario says: one note for all tables
 * of a variant, by the names that the scenario gives them, so that equal notes of several variants are one.
 */
export function startNotes(specs: readonly TableSpec[], warming: Warming): readonly string[] {
  const cold = specs.flatMap((spec) => notWarmed(spec, { isAlone: specs.length === 1 }));
  if (cold.length === 0) return [];
  return [`Created new, not warmed as the scenario says: ${cold.join(', ')}. ${warmingNotes[warming]}`];
}

/** `table` and `index GSI1`; with several tables `table orders` and `index orders/GSI1`. */
function notWarmed(spec: TableSpec, { isAlone }: { readonly isAlone: boolean }): string[] {
  const { logicalName, globalIndexes } = spec;
  const table = isAlone ? 'table' : `table ${logicalName}`;
  const indexes = globalIndexes.filter((index) => index.start.kind === 'warm');
  return [
    ...(spec.start.kind === 'warm' ? [table] : []),
    ...indexes.map(({ name }) => `index ${isAlone ? name : `${logicalName}/${name}`}`),
  ];
}
