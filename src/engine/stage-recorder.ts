// What one workload did in one stage, counted as it happens: outcomes, throttles by reason and resource,
// units, and latency histograms. Everything here is additive, so that parts (stages, workers) can be merged
// and still sum to the whole.
import type { Outcome, OutcomeKind } from '../dynamodb/outcome.ts';
import { resourceName } from '../dynamodb/table-spec.ts';
import { resourceOfArn } from '../dynamodb/throttling-reason.ts';
import { LatencyHistogram } from '../stats/histogram.ts';
import { UnitsByResource } from './units-by-resource.ts';

/** Outcomes that end an operation that was sent. */
export type FinishedKind = Exclude<OutcomeKind, 'dropped' | 'skipped'>;

/**
 * Counts and histograms of one stage. Fields are plain counters: the recorder above writes them, the run
 * record reads them.
 */
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
  /**
   * Operations that ended ok within the time of this stage, whichever they were due in; what ends in the
   * drain is in none.
   */
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
