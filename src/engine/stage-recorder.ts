// What one workload did in one stage, counted as it happens: outcomes, throttles by reason and resource, units, and latency histograms.
// Everything here is additive, so that parts (stages, workers) can be merged and still sum to the whole.
import type { ConsumedCapacity, Units } from '../dynamodb/consumed-capacity.ts';
import type { Outcome, OutcomeKind } from '../dynamodb/outcome.ts';
import { resourceName } from '../dynamodb/table-spec.ts';
import { resourceOfArn } from '../dynamodb/throttling-reason.ts';
import { LatencyHistogram } from '../stats/histogram.ts';

/** Outcomes that end an operation that was sent. */
export type FinishedKind = Exclude<OutcomeKind, 'dropped' | 'skipped'>;

interface MutableUnits {
  readUnits: number;
  writeUnits: number;
}

/** Units by table and index. Two levels of maps, since joining names to one key for every request would cost more than the sums. */
export class UnitsByResource {
  readonly #tables = new Map<string, { table: MutableUnits; indexes: Map<string, MutableUnits> }>();
  #latest: readonly ConsumedCapacity[] | undefined = undefined;
  /** Sums to which each part of `#latest` is added; undefined until it comes a second time. */
  #sumsOfLatest: { readonly to: MutableUnits; readonly units: Units }[] | undefined = undefined;

  /** Adds what a request consumed. The simulated table answers equal writes with the same value: then no name is looked up. */
  add(consumed: readonly ConsumedCapacity[]): void {
    if (consumed !== this.#latest) {
      this.#latest = consumed;
      this.#sumsOfLatest = undefined;
      for (let index = 0; index < consumed.length; index++)
        this.#addTable(consumed[index] as ConsumedCapacity);
      return;
    }
    this.#sumsOfLatest ??= this.#sumsOf(consumed);
    for (const { to, units } of this.#sumsOfLatest) addUnits(to, units);
  }

  /** Rows sorted by resource name. */
  rows(): { resource: string; readUnits: number; writeUnits: number }[] {
    const rows: { resource: string; readUnits: number; writeUnits: number }[] = [];
    for (const [tableName, entry] of this.#tables) {
      rows.push({ resource: tableName, ...entry.table });
      for (const [indexName, units] of entry.indexes) {
        rows.push({ resource: resourceName(tableName, indexName), ...units });
      }
    }
    return rows.sort((a, b) => (a.resource < b.resource ? -1 : 1));
  }

  /** Adds a row as `rows` gives it. */
  addRow({
    resource,
    readUnits,
    writeUnits,
  }: {
    resource: string;
    readUnits: number;
    writeUnits: number;
  }): void {
    const slash = resource.indexOf('/');
    const entry = this.#entry(slash === -1 ? resource : resource.slice(0, slash));
    const units = slash === -1 ? entry.table : indexUnits(entry.indexes, resource.slice(slash + 1));
    addUnits(units, { readUnits, writeUnits });
  }

  mergeFrom(other: UnitsByResource): void {
    for (const [tableName, entry] of other.#tables) {
      const mine = this.#entry(tableName);
      addUnits(mine.table, entry.table);
      for (const [indexName, units] of entry.indexes) addUnits(indexUnits(mine.indexes, indexName), units);
    }
  }

  #addTable(consumed: ConsumedCapacity): void {
    const entry = this.#entry(consumed.tableName);
    addUnits(entry.table, consumed.table);
    if (consumed.globalIndexes) addIndexes(entry.indexes, consumed.globalIndexes);
    if (consumed.localIndexes) addIndexes(entry.indexes, consumed.localIndexes);
  }

  #sumsOf(consumed: readonly ConsumedCapacity[]): { to: MutableUnits; units: Units }[] {
    return consumed.flatMap(({ tableName, table, globalIndexes, localIndexes }) => {
      const entry = this.#entry(tableName);
      const arms = [...Object.entries(globalIndexes ?? {}), ...Object.entries(localIndexes ?? {})];
      return [
        { to: entry.table, units: table },
        ...arms.map(([name, units]) => ({ to: indexUnits(entry.indexes, name), units })),
      ];
    });
  }

  #entry(tableName: string): { table: MutableUnits; indexes: Map<string, MutableUnits> } {
    let entry = this.#tables.get(tableName);
    if (entry === undefined) {
      entry = { table: { readUnits: 0, writeUnits: 0 }, indexes: new Map() };
      this.#tables.set(tableName, entry);
    }
    return entry;
  }
}

function addIndexes(indexes: Map<string, MutableUnits>, consumed: { readonly [name: string]: Units }): void {
  for (const name in consumed) addUnits(indexUnits(indexes, name), consumed[name] as Units);
}

function indexUnits(indexes: Map<string, MutableUnits>, name: string): MutableUnits {
  let units = indexes.get(name);
  if (units === undefined) {
    units = { readUnits: 0, writeUnits: 0 };
    indexes.set(name, units);
  }
  return units;
}

function addUnits(to: MutableUnits, units: Units): void {
  to.readUnits += units.readUnits;
  to.writeUnits += units.writeUnits;
}

/** Units of all tables and indexes in one answer. */
export function totalUnits(consumed: readonly ConsumedCapacity[], into: MutableUnits): void {
  for (const one of consumed) {
    addUnits(into, one.table);
    for (const indexes of [one.globalIndexes, one.localIndexes]) {
      for (const name in indexes) addUnits(into, indexes[name] as Units);
    }
  }
}

/** Counts and histograms of one stage. Fields are plain counters: the recorder above writes them, the run record reads them. */
export class StageRecorder {
  planned = 0;
  started = 0;
  finished = 0;
  dropped = 0;
  skipped = 0;
  requests = 0;
  throttledRequests = 0;
  itemsReturned = 0;
  itemsScanned = 0;
  itemsSent = 0;
  itemsUnprocessed = 0;
  /** Operations that ended ok within the time of this stage, whichever they were due in; what ends in the drain is in none. */
  okWithinStage = 0;
  /** The response times of all ok operations: late by us, lost to attempts that were sent again, and the rest. */
  okLatenessUs = 0;
  okWaitUs = 0;
  okServiceUs = 0;
  /** Requests by how often they were sent: once, twice … Empty where nothing is sent again. */
  readonly attempts: number[] = [];
  readonly units = new UnitsByResource();
  readonly estimatedUnits = new UnitsByResource();
  readonly outcomes = new Map<FinishedKind, OutcomeRecorder>();
  /** Throttled attempts: reason → resource → count. */
  readonly throttles = new Map<string, Map<string, number>>();
  readonly lateness = new LatencyHistogram();

  finish(kind: FinishedKind, responseUs: number, serviceUs: number): void {
    this.finished++;
    this.outcome(kind).record(responseUs, serviceUs);
  }

  /** The recorder of an outcome, made when it is first asked for. */
  outcome(kind: FinishedKind): OutcomeRecorder {
    let recorder = this.outcomes.get(kind);
    if (recorder === undefined) {
      recorder = new OutcomeRecorder();
      this.outcomes.set(kind, recorder);
    }
    return recorder;
  }

  /** Parts of the response time of an operation that ended ok; `serviceUs` is all from its start to its end. */
  splitOk(latenessUs: number, waitUs: number, serviceUs: number): void {
    this.okLatenessUs += latenessUs;
    this.okWaitUs += waitUs;
    this.okServiceUs += serviceUs - waitUs;
  }

  /** A request is over after so many attempts. */
  countAttempts(attempts: number, requests = 1): void {
    while (this.attempts.length < attempts) this.attempts.push(0);
    (this.attempts[attempts - 1] as number) += requests;
  }

  /** One answered request of an operation, retries and pages included. */
  countRequest(outcome: Outcome): void {
    this.requests++;
    switch (outcome.kind) {
      case 'ok':
        this.units.add(outcome.consumed);
        this.itemsScanned += outcome.output.ScannedCount ?? 0;
        return;
      case 'partial':
        this.units.add(outcome.consumed);
        if (outcome.estimated) this.estimatedUnits.add(outcome.estimated);
        this.itemsUnprocessed += outcome.unprocessedItems;
        return;
      case 'throttled':
        this.throttledRequests++;
        this.#countThrottle(outcome);
        return;
      case 'conditionFailed':
      case 'conflict':
        if (outcome.estimated) this.estimatedUnits.add(outcome.estimated);
        return;
      case 'failed':
      case 'timedOut':
      case 'dropped':
      case 'skipped':
        return;
    }
  }

  mergeFrom(other: StageRecorder): void {
    for (const name of counterNames) this[name] += other[name];
    this.units.mergeFrom(other.units);
    this.estimatedUnits.mergeFrom(other.estimatedUnits);
    this.lateness.add(other.lateness);
    for (const [index, requests] of other.attempts.entries()) this.countAttempts(index + 1, requests);
    for (const [kind, recorder] of other.outcomes) this.outcome(kind).mergeFrom(recorder);
    for (const [reason, resources] of other.throttles) {
      for (const [resource, count] of resources) this.addThrottle(reason, resource, count);
    }
  }

  #countThrottle(outcome: Extract<Outcome, { kind: 'throttled' }>): void {
    if (outcome.reasons.length === 0) this.addThrottle(outcome.exception, '', 1);
    for (const { reason, arn } of outcome.reasons) {
      const named = arn === undefined ? undefined : resourceOfArn(arn);
      this.addThrottle(reason, named ? resourceName(named.tableName, named.indexName) : '', 1);
    }
  }

  addThrottle(reason: string, resource: string, count: number): void {
    const resources = this.throttles.get(reason) ?? new Map<string, number>();
    this.throttles.set(reason, resources);
    resources.set(resource, (resources.get(resource) ?? 0) + count);
  }
}

/** The plain counters of a stage. */
export const counterNames = [
  'planned',
  'started',
  'finished',
  'dropped',
  'skipped',
  'requests',
  'throttledRequests',
  'itemsReturned',
  'itemsScanned',
  'itemsSent',
  'itemsUnprocessed',
  'okWithinStage',
  'okLatenessUs',
  'okWaitUs',
  'okServiceUs',
] as const satisfies readonly (keyof StageRecorder)[];

/** Latencies of one outcome: from the moment due, and from the moment sent. */
export class OutcomeRecorder {
  count = 0;
  readonly response = new LatencyHistogram();
  readonly service = new LatencyHistogram();

  record(responseUs: number, serviceUs: number): void {
    this.count++;
    this.response.record(responseUs);
    this.service.record(serviceUs);
  }

  mergeFrom(other: OutcomeRecorder): void {
    this.count += other.count;
    this.response.add(other.response);
    this.service.add(other.service);
  }
}
