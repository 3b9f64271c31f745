// What the server knows of a table beyond what the simulated database does: identity, states on the way,
// tags, expiry settings, the history of its capacity.
import type { GlobalIndexSpec, TableSpec } from '../../dynamodb/table-spec.ts';
import { CapacityHistory } from './capacity-history.ts';
import type { TableTraits } from './table-input.ts';

/** A state on the way to another; over at `untilUs`. */
interface Passing {
  readonly status: 'CREATING' | 'UPDATING' | 'DELETING';
  readonly untilUs: number;
}

export type ResourceStatus = Passing['status'] | 'ACTIVE';

/** A global index that is on its way out; the simulated database has it no more. */
interface LeavingIndex {
  readonly index: GlobalIndexSpec;
  readonly untilUs: number;
}

/** Units per second that can be served at once. */
export interface WarmUnits {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Warm throughput on its way: what it was, until a moment. */
interface Warming {
  readonly before: WarmUnits;
  readonly untilUs: number;
}

export interface TimeToLive {
  readonly attribute: string;
  readonly isEnabled: boolean;
  /** When it was last switched on or off: ms since 1970, and the database's moment when that is done. */
  readonly changedAtMs: number;
  readonly doneAtUs: number;
}

export class ServedTable {
  /** As it was asked for: throughput is not scaled here. */
  spec: TableSpec;
  readonly arn: string;
  readonly id: string;
  readonly createdAtMs: number;
  traits: TableTraits;
  timeToLive: TimeToLive | undefined;
  /** When the table last became on-demand; undefined where it never was. */
  onDemandSinceMs: number | undefined;
  /** Switches from provisioned to on demand, ms since 1970. */
  modeSwitches: readonly number[] = [];
  readonly tags = new Map<string, string>();
  readonly #passing = new Map<string, Passing>();
  readonly #warming = new Map<string, Warming>();
  readonly #histories = new Map<string, CapacityHistory>();
  #leaving: readonly LeavingIndex[] = [];

  constructor(
    spec: TableSpec,
    origin: { readonly arn: string; readonly id: string; readonly createdAtMs: number },
    traits: TableTraits,
  ) {
    this.spec = spec;
    this.arn = origin.arn;
    this.id = origin.id;
    this.createdAtMs = origin.createdAtMs;
    this.traits = traits;
    if (spec.billing.mode === 'on-demand') this.onDemandSinceMs = origin.createdAtMs;
  }

  get name(): string {
    return this.spec.tableName;
  }

  /** State of the table, or of one of its global indexes. */
  status(nowUs: number, indexName = ''): ResourceStatus {
    const passing = this.#passing.get(indexName);
    return passing !== undefined && nowUs < passing.untilUs ? passing.status : 'ACTIVE';
  }

  /** Puts the table, or one of its global indexes, into a state until a moment. */
  pass(status: Passing['status'], untilUs: number, indexName = ''): void {
    this.#passing.set(indexName, { status, untilUs });
  }

  /** The warm throughput of the table, or of one of its global indexes, is told as it was until a moment. */
  warm(before: WarmUnits, untilUs: number, indexName = ''): void {
    this.#warming.set(indexName, { before, untilUs });
  }

  /** What warm throughput was, while it is on its way to more. */
  warming(nowUs: number, indexName = ''): WarmUnits | undefined {
    const warming = this.#warming.get(indexName);
    return warming !== undefined && nowUs < warming.untilUs ? warming.before : undefined;
  }

  /** Whether the table is gone. */
  isGone(nowUs: number): boolean {
    const passing = this.#passing.get('');
    return passing?.status === 'DELETING' && nowUs >= passing.untilUs;
  }

  /** Keeps a global index in the description until it is gone. */
  leave(index: GlobalIndexSpec, untilUs: number): void {
    this.#passing.delete(index.name);
    this.#leaving = [...this.#leaving, { index, untilUs }];
  }

  /** Global indexes that are being deleted. */
  leaving(nowUs: number): readonly GlobalIndexSpec[] {
    this.#leaving = this.#leaving.filter(({ untilUs }) => nowUs < untilUs);
    return this.#leaving.map(({ index }) => index);
  }

  /** Changes of the provisioned capacity of the table, or of one of its global indexes. */
  history(indexName = ''): CapacityHistory {
    const known = this.#histories.get(indexName);
    if (known !== undefined) return known;
    const fresh = new CapacityHistory();
    this.#histories.set(indexName, fresh);
    return fresh;
  }
}
