// What a run on an account that is billed has consumed so far, in money, and a stop when it is too much. Counts
// what answers report; what DynamoDB charges without reporting is added by our own arithmetic where an outcome
// carries it.
import { estimateCost, type Prices, usEast1Prices } from '../analysis/cost.ts';
import type { ConsumedCapacity, Units } from '../dynamodb/consumed-capacity.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { Done, Target, TargetRequest } from './target.ts';

export interface SpendLimit {
  /** USD; Infinity for none. */
  readonly maximumUsd: number;
  /** USD that is due whatever happens, such as hours of provisioned capacity. */
  readonly fixedUsd: number;
  /** Called once, when the limit is reached. */
  readonly reached: (usd: number) => void;
  readonly prices?: Prices;
}

/** Adds up units over all variants and preloads of a run. */
export class SpendMeter {
  readonly #limit: SpendLimit;
  readonly #usdPerReadUnit: number;
  readonly #usdPerWriteUnit: number;
  #readUnits = 0;
  #writeUnits = 0;
  #isReached = false;

  constructor(limit: SpendLimit) {
    this.#limit = limit;
    const prices = limit.prices ?? usEast1Prices;
    this.#usdPerReadUnit = estimateCost({ readUnits: 1, writeUnits: 0 }, prices).usd;
    this.#usdPerWriteUnit = estimateCost({ readUnits: 0, writeUnits: 1 }, prices).usd;
  }

  get units(): Units {
    return { readUnits: this.#readUnits, writeUnits: this.#writeUnits };
  }

  /** USD so far: units at the on-demand price, and what is fixed. */
  get usd(): number {
    return (
      this.#limit.fixedUsd + this.#readUnits * this.#usdPerReadUnit + this.#writeUnits * this.#usdPerWriteUnit
    );
  }

  count(outcome: Outcome): void {
    if (outcome.kind === 'ok' || outcome.kind === 'partial') this.#add(outcome.consumed);
    if ('estimated' in outcome && outcome.estimated) this.#add(outcome.estimated);
    this.#check();
  }

  /** Counts units that others have added up. */
  countUnits(units: Units): void {
    this.#addUnits(units);
    this.#check();
  }

  #check(): void {
    if (this.#isReached || this.usd < this.#limit.maximumUsd) return;
    this.#isReached = true;
    this.#limit.reached(this.usd);
  }

  #add(consumed: readonly ConsumedCapacity[]): void {
    for (const { table, localIndexes, globalIndexes } of consumed) {
      this.#addUnits(table);
      for (const name in localIndexes) this.#addUnits(localIndexes[name] as Units); // `name` is its own key.
      for (const name in globalIndexes) this.#addUnits(globalIndexes[name] as Units);
    }
  }

  #addUnits({ readUnits, writeUnits }: Units): void {
    this.#readUnits += readUnits;
    this.#writeUnits += writeUnits;
  }
}

/** A target whose answers are metered. */
export class MeteredTarget implements Target {
  readonly #inner: Target;
  readonly #meter: SpendMeter;

  constructor(inner: Target, meter: SpendMeter) {
    this.#inner = inner;
    this.#meter = meter;
  }

  send(request: TargetRequest, startUs: number, done: Done): void {
    this.#inner.send(request, startUs, (outcome, endUs) => {
      this.#meter.count(outcome);
      done(outcome, endUs);
    });
  }
}
