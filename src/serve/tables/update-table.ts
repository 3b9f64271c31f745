// UpdateTable: throughput, billing mode, global indexes, and traits. Everything is checked before anything
// changes.
// @see "UpdateTable", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html, read
//   2026-11-30
import { ApiError, validationError } from '../../dynamodb/api-error.ts';
import { MAX_GLOBAL_INDEXES } from '../../dynamodb/limits.ts';
import type { Billing, Start, TableSpec } from '../../dynamodb/table-spec.ts';
import type { Administration } from './administration.ts';
import { checkChange, isSameCapacity, recordChange } from './change-capacity.ts';
import { describeTable, warmThroughput, warmUnits } from './describe-table.ts';
import { checkUpdates, createdIndex } from './index-updates.ts';
import { invalid } from './invalid.ts';
import { checkQuotas } from './quotas.ts';
import { scaledSpec } from './scaled-spec.ts';
import type { ServedTable, WarmUnits } from './served-table.ts';
import type { BillingMode, ThroughputInput, UpdateTableInput } from './table-input.ts';
import { checkProjectedCount } from './table-spec-of.ts';
import { billingOf, onDemandBilling } from './throughput-of.ts';

/**
 * @throws ApiError ValidationException, ResourceNotFoundException, ResourceInUseException,
 * LimitExceededException
 */
export function updateTable(administration: Administration, input: UpdateTableInput): object {
  const { database, tables, throughputScale, transitionUs } = administration;
  const nowUs = administration.nowUs();
  const table = tables.get(input.TableName, nowUs);
  checkAsksForSomething(input);
  if (table.status(nowUs) !== 'ACTIVE')
    throw new ApiError(
      'ResourceInUseException',
      `Attempt to change a resource which is still in use: Table is being ${table.status(nowUs).toLowerCase()}: ${table.name}`,
    );
  const warmth = warmthOf(administration, table);
  const spec = updatedSpec(table, input, { nowUs, warmth });
  checkChangesSomething(table.spec, spec, input);
  const wallMs = administration.wallMs();
  checkQuotas(administration, spec, { spec: table.spec, warmth });
  checkChange(table, spec, wallMs);
  recordChange(table, spec, wallMs);
  passThrough(table, spec, input, { nowUs, untilUs: nowUs + transitionUs, warmth });
  table.spec = spec;
  table.traits = updatedTraits(table, input);
  database.updateTable(scaledSpec(spec, throughputScale), nowUs);
  administration.activity.setTable(spec, nowUs);
  database.markMeasured(spec.tableName, 0, 0);
  return {
    TableDescription: {
      ...describeTable(administration, table),
      ...(staysActive(input) ? {} : { TableStatus: 'UPDATING' }),
      ...(input.WarmThroughput && {
        WarmThroughput: warmThroughput(warmth(), 'UPDATING'),
      }),
    },
  };
}

/** What these change is no state of the table, by captures of the service of October 2026. */
const withoutState = new Set([
  'TableName',
  'WarmThroughput',
  'OnDemandThroughput',
  'DeletionProtectionEnabled',
]);

function staysActive(input: UpdateTableInput): boolean {
  return Object.keys(input).every((name) => withoutState.has(name));
}

function checkAsksForSomething(input: UpdateTableInput): void {
  const { TableName: _, AttributeDefinitions: _definitions, ...rest } = input;
  const given = Object.values(rest).filter((member) => !Array.isArray(member) || member.length > 0);
  if (given.length === 0)
    throw validationError(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required',
    );
}

/** Asking for the capacity that a table has is an error of its own. */
function checkChangesSomething(before: TableSpec, after: TableSpec, input: UpdateTableInput): void {
  const { ProvisionedThroughput: asked, GlobalSecondaryIndexUpdates: updates } = input;
  if (asked === undefined || updates !== undefined || before.billing.mode !== after.billing.mode) return;
  const { billing } = before;
  if (billing.mode !== 'provisioned' || !isSameCapacity(billing, after.billing)) return;
  throw validationError(
    'The provisioned throughput for the table will not change. The requested value equals the current value. ' +
      `Current ReadCapacityUnits provisioned for the table: ${billing.readUnits}. Requested ReadCapacityUnits: ${asked.ReadCapacityUnits}. ` +
      `Current WriteCapacityUnits provisioned for the table: ${billing.writeUnits}. Requested WriteCapacityUnits: ${asked.WriteCapacityUnits}.`,
  );
}

/** What the table, or one of its global indexes, can serve at once. */
type Warmth = (indexName?: string) => WarmUnits;

function warmthOf(administration: Administration, { name, spec }: ServedTable): Warmth {
  administration.database.advancePartitions(name, administration.nowUs());
  const { table, indexes } = administration.database.contents(name);
  const units = new Map(
    spec.globalIndexes.map((index) => [
      index.name,
      warmUnits(administration, index, indexes.get(index.name) ?? table),
    ]),
  );
  const ofTable = warmUnits(administration, spec, table);
  return (indexName = '') => units.get(indexName) ?? ofTable;
}

function updatedSpec(
  table: ServedTable,
  input: UpdateTableInput,
  { nowUs, warmth }: { readonly nowUs: number; readonly warmth: Warmth },
): TableSpec {
  const before = table.spec;
  const modeBefore = modeOf(before.billing);
  const mode = input.BillingMode ?? modeBefore;
  const updates = input.GlobalSecondaryIndexUpdates ?? [];
  checkUpdates(table, updates, nowUs);
  const known = before.globalIndexes
    .filter(({ name }) => !updates.some(({ Delete }) => Delete?.IndexName === name))
    .map((index) => {
      const update = updates.find(({ Update }) => Update?.IndexName === index.name)?.Update ?? {};
      return {
        ...index,
        billing: updatedBilling(index.billing, mode, update, index.name),
        start: updatedStart(warmth(index.name), index.start, update),
      };
    });
  const created = updates.flatMap(({ Create }) =>
    Create === undefined ? [] : [createdIndex(table, Create, mode, input)],
  );
  checkProjectedCount([
    ...[...known, ...before.localIndexes].map(({ projection }) =>
      projection.kind === 'INCLUDE' ? { NonKeyAttributes: projection.attributes } : {},
    ),
    ...updates.flatMap(({ Create }) => Create?.Projection ?? []),
  ]);
  if (known.length + created.length > MAX_GLOBAL_INDEXES)
    throw new ApiError(
      'LimitExceededException',
      `One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of ${MAX_GLOBAL_INDEXES}`,
    );
  return {
    ...before,
    billing: updatedBilling(before.billing, mode, input),
    start: updatedStart(warmth(), before.start, input),
    globalIndexes: [...known, ...created],
  };
}

function updatedBilling(
  before: Billing,
  mode: BillingMode,
  input: ThroughputInput,
  indexName?: string,
): Billing {
  const isSwitched = mode !== modeOf(before);
  const asksForNothing = input.ProvisionedThroughput === undefined && input.OnDemandThroughput === undefined;
  if (!isSwitched && asksForNothing) return before;
  const asked = billingOf(mode, input, indexName);
  if (asked.mode === 'provisioned' || before.mode === 'provisioned') return asked;
  return withMaxima(before, input.OnDemandThroughput);
}

/** A maximum that the request does not name stays. */
function withMaxima(
  { maximumReadUnits, maximumWriteUnits }: Extract<Billing, { mode: 'on-demand' }>,
  maxima: ThroughputInput['OnDemandThroughput'] = {},
): Billing {
  return onDemandBilling({
    MaxReadRequestUnits: maxima.MaxReadRequestUnits ?? maximumReadUnits ?? -1,
    MaxWriteRequestUnits: maxima.MaxWriteRequestUnits ?? maximumWriteUnits ?? -1,
  });
}

/**
 * Warm throughput is raised and never lowered.
 * @param now  what can be served at once
 */
function updatedStart(
  now: WarmUnits,
  before: Start,
  { WarmThroughput: asked, IndexName: indexName }: ThroughputInput & { readonly IndexName?: string },
): Start {
  if (asked === undefined) return before;
  const { ReadUnitsPerSecond: warmReadUnits = now.readUnits } = asked;
  const { WriteUnitsPerSecond: warmWriteUnits = now.writeUnits } = asked;
  if (warmReadUnits < now.readUnits) throw loweredWarmth('Read', indexName);
  if (warmWriteUnits < now.writeUnits) throw loweredWarmth('Write', indexName);
  return { kind: 'warm', warmReadUnits, warmWriteUnits };
}

function loweredWarmth(side: 'Read' | 'Write', indexName: string | undefined): ApiError {
  const where = indexName === undefined ? 'table' : `index ${indexName}`;
  return invalid(
    `Requested ${side}UnitsPerSecond for WarmThroughput for ${where} is lower than current WarmThroughput, decreasing WarmThroughput is not supported`,
  );
}

function updatedTraits({ traits }: ServedTable, input: UpdateTableInput): ServedTable['traits'] {
  const { TableClass, DeletionProtectionEnabled, StreamSpecification } = input;
  return {
    ...traits,
    ...(TableClass && { TableClass }),
    ...(DeletionProtectionEnabled !== undefined && { DeletionProtectionEnabled }),
    ...(StreamSpecification && { StreamSpecification }),
  };
}

/** Sets the states that the table and its indexes pass through. */
function passThrough(
  table: ServedTable,
  after: TableSpec,
  input: UpdateTableInput,
  { nowUs, untilUs, warmth }: { readonly nowUs: number; readonly untilUs: number; readonly warmth: Warmth },
): void {
  if (!staysActive(input)) table.pass('UPDATING', untilUs);
  if (input.WarmThroughput !== undefined) table.warm(warmth(), untilUs);
  for (const { Create, Update, Delete } of input.GlobalSecondaryIndexUpdates ?? []) {
    if (Create !== undefined) table.pass('CREATING', untilUs, Create.IndexName);
    if (Update !== undefined) table.pass('UPDATING', untilUs, Update.IndexName);
    const warmed = table.spec.globalIndexes.find(({ name }) => name === Update?.IndexName);
    if (warmed !== undefined && Update?.WarmThroughput !== undefined)
      table.warm(warmth(warmed.name), untilUs, warmed.name);
    const leaving = table.spec.globalIndexes.find(({ name }) => name === Delete?.IndexName);
    if (leaving !== undefined && nowUs < untilUs) table.leave(leaving, untilUs);
  }
  for (const { name, billing } of after.globalIndexes) {
    const before = table.spec.globalIndexes.find((index) => index.name === name);
    if (before !== undefined && before.billing.mode !== billing.mode) table.pass('UPDATING', untilUs, name);
  }
}

function modeOf({ mode }: Billing): BillingMode {
  return mode === 'on-demand' ? 'PAY_PER_REQUEST' : 'PROVISIONED';
}
