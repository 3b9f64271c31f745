// A table as DescribeTable and its relatives describe it.
// @see "TableDescription", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html,
//   read 2026-11-30
import { startingPartitionCount } from '../../capacity/partition-map.ts';
import { type Billing, type GlobalIndexSpec, type Start } from '../../dynamodb/table-spec.ts';
import { wireAttributes, wireKeySchema, wireProjection } from '../../dynamodb/wire-schema.ts';
import type { StoreContents, TableContents } from '../../simulator/table-views.ts';
import type { Administration } from './administration.ts';
import type { CapacityHistory } from './capacity-history.ts';
import type { ResourceStatus, ServedTable, WarmUnits } from './served-table.ts';

const nothing: StoreContents = { itemCount: 0, sizeBytes: 0, partitionCount: 1 };
const noContents: TableContents = { table: nothing, indexes: new Map() };

/**
 * Describes a table as it is now. Of one that is being deleted nothing is left to be counted.
 * @param status  what an answer tells that may come when it is over; default: the present one
 */
export function describeTable(
  administration: Administration,
  table: ServedTable,
  status: ResourceStatus = table.status(administration.nowUs()),
): object {
  const { spec, traits } = table;
  const nowUs = administration.nowUs();
  const isLeaving = table.status(nowUs) === 'DELETING' || table.isGone(nowUs);
  administration.database.expire(nowUs);
  if (!isLeaving) administration.database.advancePartitions(table.name, nowUs);
  const contents = isLeaving ? noContents : administration.database.contents(table.name);
  const onDemand = onDemandMaxima(spec.billing);
  return {
    AttributeDefinitions: wireAttributes(spec),
    TableName: spec.tableName,
    KeySchema: wireKeySchema(spec.keys),
    TableStatus: status,
    CreationDateTime: inSeconds(table.createdAtMs),
    ProvisionedThroughput: provisioned(spec.billing, table.history(), administration.wallMs()),
    TableSizeBytes: contents.table.sizeBytes,
    ItemCount: contents.table.itemCount,
    TableArn: table.arn,
    TableId: table.id,
    ...(table.onDemandSinceMs !== undefined && { BillingModeSummary: billingMode(table) }),
    ...(onDemand && { OnDemandThroughput: onDemand }),
    WarmThroughput: warm(administration, table, contents.table),
    DeletionProtectionEnabled: traits.DeletionProtectionEnabled ?? false,
    ...(traits.TableClass !== undefined && { TableClassSummary: { TableClass: traits.TableClass } }),
    ...(traits.StreamSpecification?.StreamEnabled === true && {
      StreamSpecification: traits.StreamSpecification,
    }),
    ...localIndexes(table, contents),
    ...globalIndexes(administration, table, { status, contents }),
  };
}

function provisioned(billing: Billing, history: CapacityHistory, wallMs: number): object {
  const { lastIncreaseMs, lastDecreaseMs } = history;
  return {
    ...(lastIncreaseMs !== undefined && { LastIncreaseDateTime: inSeconds(lastIncreaseMs) }),
    ...(lastDecreaseMs !== undefined && { LastDecreaseDateTime: inSeconds(lastDecreaseMs) }),
    NumberOfDecreasesToday: history.decreasesOn(wallMs),
    ReadCapacityUnits: billing.mode === 'provisioned' ? billing.readUnits : 0,
    WriteCapacityUnits: billing.mode === 'provisioned' ? billing.writeUnits : 0,
  };
}

function billingMode({ spec, onDemandSinceMs = 0 }: ServedTable): object {
  return {
    BillingMode: spec.billing.mode === 'on-demand' ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    LastUpdateToPayPerRequestDateTime: inSeconds(onDemandSinceMs),
  };
}

function onDemandMaxima(billing: Billing): object | undefined {
  if (billing.mode === 'provisioned') return undefined;
  const { maximumReadUnits: reads, maximumWriteUnits: writes } = billing;
  if (reads === undefined && writes === undefined) return undefined;
  return {
    ...(reads !== undefined && { MaxReadRequestUnits: reads }),
    ...(writes !== undefined && { MaxWriteRequestUnits: writes }),
  };
}

/** What can be served at once by the table or a global index, which may be on its way to more. */
function warm(
  administration: Administration,
  table: ServedTable,
  held: StoreContents,
  index?: GlobalIndexSpec,
): object {
  const nowUs = administration.nowUs();
  const before = table.warming(nowUs, index?.name);
  const units = before ?? warmUnits(administration, index ?? table.spec, held);
  const isOnTheWay = before !== undefined || (index && table.status(nowUs, index.name) !== 'ACTIVE') === true;
  return warmThroughput(units, isOnTheWay ? 'UPDATING' : 'ACTIVE');
}

/** Warm throughput as descriptions have it. */
export function warmThroughput({ readUnits, writeUnits }: WarmUnits, Status: 'UPDATING' | 'ACTIVE'): object {
  return { ReadUnitsPerSecond: readUnits, WriteUnitsPerSecond: writeUnits, Status };
}

/**
 * What can be served at once: what was asked for, and what partitions amount to that came later, by growth,
 * by splits, or with provisioned units that were raised. A whole number of units, however small they are.
 */
export function warmUnits(
  { model }: Administration,
  { billing, start }: { readonly billing: Billing; readonly start: Start },
  { partitionCount }: Pick<StoreContents, 'partitionCount'>,
): WarmUnits {
  const asked = start.kind === 'warm' ? start : { warmReadUnits: 0, warmWriteUnits: 0 };
  const atFirst = startingPartitionCount({ billing, start, initialBytes: 0 }, model);
  const units = (askedUnits: number, ceilingUnits: number) => {
    const count = askedUnits > 0 ? Math.max(0, partitionCount - atFirst) : partitionCount;
    return Math.floor(askedUnits + count * ceilingUnits);
  };
  return {
    readUnits: units(asked.warmReadUnits, model.partitionReadUnits),
    writeUnits: units(asked.warmWriteUnits, model.partitionWriteUnits),
  };
}

function localIndexes({ spec, arn }: ServedTable, { indexes }: TableContents): object {
  if (spec.localIndexes.length === 0) return {};
  return {
    LocalSecondaryIndexes: spec.localIndexes.map((index) => ({
      IndexName: index.name,
      KeySchema: wireKeySchema(index.keys),
      Projection: wireProjection(index.projection),
      IndexSizeBytes: (indexes.get(index.name) ?? nothing).sizeBytes,
      ItemCount: (indexes.get(index.name) ?? nothing).itemCount,
      IndexArn: `${arn}/index/${index.name}`,
    })),
  };
}

function globalIndexes(
  administration: Administration,
  table: ServedTable,
  { status: tableStatus, contents }: { readonly status: ResourceStatus; readonly contents: TableContents },
): object {
  const nowUs = administration.nowUs();
  const isNew = tableStatus === 'CREATING';
  const present = table.spec.globalIndexes.map((index) => {
    const status = isNew ? tableStatus : table.status(nowUs, index.name);
    const isFilled = !isNew && status === 'CREATING';
    return {
      ...globalIndex(administration, table, index, { status, contents }),
      ...(isFilled && { Backfilling: true }),
    };
  });
  const leaving = table
    .leaving(nowUs)
    .map((index) => globalIndex(administration, table, index, { status: 'DELETING', contents }));
  const all = [...present, ...leaving];
  return all.length === 0 ? {} : { GlobalSecondaryIndexes: all };
}

function globalIndex(
  administration: Administration,
  table: ServedTable,
  index: GlobalIndexSpec,
  { status, contents }: { readonly status: ResourceStatus; readonly contents: TableContents },
): object {
  const held = contents.indexes.get(index.name) ?? nothing;
  const onDemand = onDemandMaxima(index.billing);
  return {
    IndexName: index.name,
    KeySchema: wireKeySchema(index.keys),
    Projection: wireProjection(index.projection),
    IndexStatus: status,
    ProvisionedThroughput: provisioned(index.billing, table.history(index.name), administration.wallMs()),
    ...(onDemand && { OnDemandThroughput: onDemand }),
    WarmThroughput: warm(administration, table, held, index),
    IndexSizeBytes: held.sizeBytes,
    ItemCount: held.itemCount,
    IndexArn: `${table.arn}/index/${index.name}`,
  };
}

/** Times travel as seconds since 1970, with a fraction. */
function inSeconds(ms: number): number {
  return Math.round(ms) / 1_000;
}
