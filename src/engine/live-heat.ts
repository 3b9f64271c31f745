// Heat per key on targets that do not report it: a target around a target that counts which partition keys
// requests touch.
import type { ResourceResult } from '../analysis/run-result.ts';
import type { ConsumedCapacity, Units } from '../dynamodb/consumed-capacity.ts';
import { isPartiql } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { readsOnly } from '../dynamodb/partiql/native-requests.ts';
import { type Billing, resourceName, type Start, type TableSpec } from '../dynamodb/table-spec.ts';
import { resourceOfArn } from '../dynamodb/throttling-reason.ts';
import { touchedKeys } from '../dynamodb/touched-keys.ts';
import { HeavyHitters, type HeavyHittersRecord } from '../stats/heavy-hitters.ts';
import type { Done, Target, TargetRequest } from './target.ts';

/** Keys of a table or index that a record names. */
export const KEYS_REPORTED = 25;

interface ResourceHeat {
  readonly spec: { tableName: string; indexName: string | null; billing: Billing; start: Start };
  readonly requests: HeavyHitters;
  readonly throttledRequests: HeavyHitters;
  /** Keys touched by writes; the others by reads. */
  readonly writes: HeavyHitters;
  readUnits: number;
  writeUnits: number;
  throttledReads: number;
  throttledWrites: number;
}

/** Heat of one table or index in a form that threads can carry and that adds up. */
export interface ResourceHeatRecord {
  readonly resource: string;
  readonly requests: HeavyHittersRecord;
  readonly throttledRequests: HeavyHittersRecord;
  readonly writes: HeavyHittersRecord;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly throttledReads: number;
  readonly throttledWrites: number;
}

const readApis: ReadonlySet<string> = new Set([
  'GetItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'TransactGetItems',
]);

/** Counts, for requests sent within the measured span, the partition keys they touch on tables and global indexes. */
export class HeatTrackingTarget implements Target {
  readonly #inner: Target;
  readonly #specs: ReadonlyMap<string, TableSpec>;
  readonly #span: { fromUs: number; untilUs: number };
  readonly #heat = new Map<string, ResourceHeat>();

  constructor(inner: Target, tables: readonly TableSpec[], span: { fromUs: number; untilUs: number }) {
    this.#inner = inner;
    this.#specs = new Map(tables.map((table) => [table.tableName, table]));
    this.#span = span;
    for (const table of tables) {
      this.#add(table.tableName, null, table.billing, table.start);
      for (const index of table.globalIndexes)
        this.#add(table.tableName, index.name, index.billing, index.start);
    }
  }

  send(request: TargetRequest, startUs: number, done: Done): void {
    if (startUs < this.#span.fromUs || startUs >= this.#span.untilUs) {
      this.#inner.send(request, startUs, done);
      return;
    }
    this.#inner.send(request, startUs, (outcome, endUs) => {
      this.#count(request, outcome);
      done(outcome, endUs);
    });
  }

  /**
   * What was seen, one entry for each table and global index. Units by key are not known here; shares are of
   * requests.
   */
  resources(): ResourceResult[] {
    return [...this.#heat].map(([resource, heat]) => resourceResult(resource, heat));
  }

  toRecord(): ResourceHeatRecord[] {
    return [...this.#heat].map(([resource, heat]) => ({
      resource,
      requests: heat.requests.toRecord(),
      throttledRequests: heat.throttledRequests.toRecord(),
      writes: heat.writes.toRecord(),
      readUnits: heat.readUnits,
      writeUnits: heat.writeUnits,
      throttledReads: heat.throttledReads,
      throttledWrites: heat.throttledWrites,
    }));
  }

  /**
   * Adds what another thread counted of the same tables: exact while both are, and else the bounds of error
   * add up.
   */
  addRecord(records: readonly ResourceHeatRecord[]): void {
    for (const record of records) {
      const heat = this.#heat.get(record.resource);
      if (heat === undefined) continue;
      heat.requests.merge(HeavyHitters.fromRecord(record.requests));
      heat.throttledRequests.merge(HeavyHitters.fromRecord(record.throttledRequests));
      heat.writes.merge(HeavyHitters.fromRecord(record.writes));
      heat.readUnits += record.readUnits;
      heat.writeUnits += record.writeUnits;
      heat.throttledReads += record.throttledReads;
      heat.throttledWrites += record.throttledWrites;
    }
  }

  #add(tableName: string, indexName: string | null, billing: Billing, start: Start): void {
    this.#heat.set(resourceName(tableName, indexName ?? undefined), {
      spec: { tableName, indexName, billing, start },
      requests: new HeavyHitters(),
      throttledRequests: new HeavyHitters(),
      writes: new HeavyHitters(),
      readUnits: 0,
      writeUnits: 0,
      throttledReads: 0,
      throttledWrites: 0,
    });
  }

  #count({ request }: TargetRequest, outcome: Outcome): void {
    // Refused or never arrived: it touched no key, and what a user's own client sends may not even have a valid one.
    if (outcome.kind === 'failed') return;
    const isRead = isPartiql(request) ? readsOnly(request) : readApis.has(request.api);
    const throttled = throttledResources(outcome);
    for (const { resource, key } of touchedKeys(request, this.#specs)) {
      const heat = this.#heat.get(resource);
      if (heat === undefined) continue;
      heat.requests.add(key);
      if (!isRead) heat.writes.add(key);
      if (throttled === undefined || !isThrottledOn(throttled, resource, heat.spec.indexName)) continue;
      heat.throttledRequests.add(key);
      if (isRead) heat.throttledReads++;
      else heat.throttledWrites++;
    }
    if (outcome.kind === 'ok' || outcome.kind === 'partial') this.#spend(outcome.consumed);
  }

  #spend(consumed: readonly ConsumedCapacity[]): void {
    for (const one of consumed) {
      this.#addUnits(one.tableName, one.table);
      for (const [name, units] of Object.entries(one.globalIndexes ?? {})) {
        this.#addUnits(resourceName(one.tableName, name), units);
      }
      for (const units of Object.values(one.localIndexes ?? {})) this.#addUnits(one.tableName, units);
    }
  }

  #addUnits(resource: string, units: Units): void {
    const heat = this.#heat.get(resource);
    if (heat === undefined) return;
    heat.readUnits += units.readUnits;
    heat.writeUnits += units.writeUnits;
  }
}

/** Names of the throttled resources; an empty set: throttled, but nobody says where. */
function throttledResources(outcome: Outcome): ReadonlySet<string> | undefined {
  if (outcome.kind !== 'throttled') return undefined;
  const names = new Set<string>();
  for (const { arn } of outcome.reasons) {
    const named = arn === undefined ? undefined : resourceOfArn(arn);
    if (named) names.add(resourceName(named.tableName, named.indexName));
  }
  return names;
}

/** Where the server names no resource the table is assumed. */
function isThrottledOn(throttled: ReadonlySet<string>, resource: string, indexName: string | null): boolean {
  return throttled.size === 0 ? indexName === null : throttled.has(resource);
}

function resourceResult(resource: string, heat: ResourceHeat): ResourceResult {
  const total = Math.max(1, heat.requests.total);
  const keys = heat.requests.top(KEYS_REPORTED).map(({ key, amount: count }) => {
    const writes = Math.min(count, heat.writes.amountOf(key).amount);
    return {
      key,
      requests: count,
      readUnits: 0,
      writeUnits: 0,
      throttledRequests: Math.min(count, heat.throttledRequests.amountOf(key).amount),
      readShare: (count - writes) / Math.max(1, total - heat.writes.total),
      writeShare: writes / Math.max(1, heat.writes.total),
    };
  });
  return {
    resource,
    tableName: heat.spec.tableName,
    indexName: heat.spec.indexName,
    billing: billingText(heat.spec.billing),
    ...limitRecord(heat.spec.billing),
    start: startText(heat.spec.start),
    readUnits: heat.readUnits,
    writeUnits: heat.writeUnits,
    throttledReadUnits: heat.throttledReads,
    throttledWriteUnits: heat.throttledWrites,
    distinctKeys: heat.requests.keyCount,
    isExact: heat.requests.isExact,
    keys,
    partitions: null,
  };
}

/** Billing as a report says it. */
export function billingText(billing: Billing): string {
  if (billing.mode === 'provisioned')
    return `provisioned ${billing.readUnits} RCU, ${billing.writeUnits} WCU`;
  const maxima = [
    billing.maximumReadUnits === undefined ? undefined : `at most ${billing.maximumReadUnits} RCU/s`,
    billing.maximumWriteUnits === undefined ? undefined : `at most ${billing.maximumWriteUnits} WCU/s`,
  ].filter((text) => text !== undefined);
  return ['on-demand', ...maxima].join(', ');
}

/** The units that billing limits a table or index to, for the record of a resource; empty where it does not. */
export function limitRecord(billing: Billing): Pick<ResourceResult, 'limit'> {
  if (billing.mode === 'provisioned') {
    const { readUnits, writeUnits } = billing;
    return { limit: { kind: 'provisioned', readUnits, writeUnits } };
  }
  const { maximumReadUnits: readUnits = null, maximumWriteUnits: writeUnits = null } = billing;
  if (readUnits === null && writeUnits === null) return {};
  return { limit: { kind: 'maximumOnDemand', readUnits, writeUnits } };
}

/** How a table or index starts, as a report says it. */
export function startText(start: Start): string {
  return start.kind === 'new' ? 'new' : `warm ${start.warmReadUnits} RCU/s, ${start.warmWriteUnits} WCU/s`;
}
