// The rules for changes of capacity: decreases and switches to on demand are rationed; and the record of what
// was changed.
// @see "Quotas in Amazon DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30
import { ApiError } from '../../dynamodb/api-error.ts';
import type { Billing, TableSpec } from '../../dynamodb/table-spec.ts';
import { MS_PER_DAY } from '../../units.ts';
import type { CapacityHistory } from './capacity-history.ts';
import type { ServedTable } from './served-table.ts';

/** Switches from provisioned to on demand within 24 hours. */
const MAX_MODE_SWITCHES = 4;

type Provisioned = Extract<Billing, { mode: 'provisioned' }>;

/** One change between two provisioned capacities; `indexName` is empty for the table. */
interface Change {
  readonly indexName: string;
  readonly before: Provisioned;
  readonly after: Provisioned;
}

/** @throws ApiError LimitExceededException where the change is one too many */
export function checkChange(table: ServedTable, after: TableSpec, wallMs: number): void {
  for (const change of changesOf(table.spec, after))
    if (isDecrease(change)) checkDecrease(table.history(change.indexName), wallMs);
  if (!becomesOnDemand(table.spec, after)) return;
  const recent = table.modeSwitches.filter((atMs) => atMs > wallMs - MS_PER_DAY);
  if (recent.length >= MAX_MODE_SWITCHES)
    throw limit(
      `Subscriber limit exceeded: Update to PayPerRequest mode are limited to ${MAX_MODE_SWITCHES} times in 24 hours`,
    );
}

function checkDecrease(history: CapacityHistory, wallMs: number): void {
  const nextMs = history.nextDecreaseMs(wallMs);
  if (nextMs <= wallMs) return;
  throw limit(
    'Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. ' +
      'After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. ' +
      `Number of decreases today: ${history.decreasesOn(wallMs)}. ` +
      `Last decrease at ${inWords(history.lastDecreaseMs ?? wallMs)}. Next decrease can be made at ${inWords(nextMs)}`,
  );
}

function inWords(wallMs: number): string {
  return new Date(wallMs).toUTCString();
}

/** Remembers a change that is carried out. */
export function recordChange(table: ServedTable, after: TableSpec, wallMs: number): void {
  for (const change of changesOf(table.spec, after)) {
    const history = table.history(change.indexName);
    if (isDecrease(change)) history.decrease(wallMs);
    else history.increase(wallMs);
  }
  if (!becomesOnDemand(table.spec, after)) return;
  table.onDemandSinceMs = wallMs;
  table.modeSwitches = [...table.modeSwitches.filter((atMs) => atMs > wallMs - MS_PER_DAY), wallMs];
}

/** Pairs of provisioned capacities that differ. */
function changesOf(before: TableSpec, after: TableSpec): readonly Change[] {
  const pairs = after.globalIndexes.map(({ name, billing }) => ({
    indexName: name,
    before: before.globalIndexes.find((index) => index.name === name)?.billing,
    after: billing,
  }));
  const all = [{ indexName: '', before: before.billing, after: after.billing }, ...pairs];
  return all.flatMap(({ indexName, before: old, after: now }) =>
    old?.mode === 'provisioned' && now.mode === 'provisioned' && !isSameCapacity(old, now)
      ? [{ indexName, before: old, after: now }]
      : [],
  );
}

/** Whether both are provisioned with the same figures. */
export function isSameCapacity(before: Billing, after: Billing): boolean {
  if (before.mode !== 'provisioned' || after.mode !== 'provisioned') return false;
  return before.readUnits === after.readUnits && before.writeUnits === after.writeUnits;
}

function isDecrease({ before, after }: Change): boolean {
  return after.readUnits < before.readUnits || after.writeUnits < before.writeUnits;
}

function becomesOnDemand(before: TableSpec, after: TableSpec): boolean {
  return before.billing.mode === 'provisioned' && after.billing.mode === 'on-demand';
}

function limit(message: string): ApiError {
  return new ApiError('LimitExceededException', message);
}
