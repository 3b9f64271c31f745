// Admission in two phases over every bucket that a request concerns: all are asked first, and units are taken
// only when none refuses. A refused request takes nothing anywhere; its demand is counted on every resource
// that it would have touched. The order of reasons and the exception follow the first resource that refuses,
// the table standing before its indexes.
import type { KeyState } from '../capacity/key-state.ts';
import type { ResourceThroughput } from '../capacity/resource-throughput.ts';
import type { ThrottledOperation } from '../capacity/throttling.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { ThrottlingReason } from '../dynamodb/throttling-reason.ts';

export type Throttled = Extract<Outcome, { kind: 'throttled' }>;

/**
 * The demands of one request. One object serves all requests: `begin`, then `need` for each demand, then ask.
 */
export class Admission {
  readonly #throughputs: ResourceThroughput[] = [];
  readonly #keys: KeyState[] = [];
  readonly #units: number[] = [];
  readonly #masks: number[] = [];
  #count = 0;

  begin(): this {
    this.#count = 0;
    return this;
  }

  /** Adds a demand; several on one key become one, so that the key counts one request. */
  need(throughput: ResourceThroughput, key: KeyState, units: number): void {
    for (let index = 0; index < this.#count; index++) {
      if (this.#keys[index] !== key || this.#throughputs[index] !== throughput) continue;
      this.#units[index] = (this.#units[index] as number) + units;
      return;
    }
    const index = this.#count++;
    this.#throughputs[index] = throughput;
    this.#keys[index] = key;
    this.#units[index] = units;
  }

  /** Whether every demand may be met now. Takes nothing. */
  isAdmitted(operation: ThrottledOperation, atUs: number): boolean {
    let failed = 0;
    for (let index = 0; index < this.#count; index++) {
      const throughput = this.#throughputs[index] as ResourceThroughput;
      const key = this.#keys[index] as KeyState;
      const mask =
        operation === 'Write' ? throughput.failingWrite(key, atUs) : throughput.failingRead(key, atUs);
      this.#masks[index] = mask;
      failed |= mask;
    }
    return failed === 0;
  }

  /** Takes the units of admitted writes. */
  spendWrites(atUs: number): void {
    for (let index = 0; index < this.#count; index++)
      (this.#throughputs[index] as ResourceThroughput).spendWrite(
        this.#keys[index] as KeyState,
        this.#units[index] as number,
        atUs,
      );
  }

  /** Takes the units of admitted reads whose cost was known beforehand. */
  spendReads(atUs: number, isEventual: boolean): void {
    for (let index = 0; index < this.#count; index++)
      (this.#throughputs[index] as ResourceThroughput).spendRead(
        this.#keys[index] as KeyState,
        this.#units[index] as number,
        atUs,
        isEventual,
      );
  }

  /**
   * Counts the refused demands and says why they were refused.
   * @param ownException  for requests whose throttling has an exception of its own, such as transactions
   */
  refuse(operation: ThrottledOperation, atUs: number, ownException?: string): Throttled {
    let reasons: readonly ThrottlingReason[] | undefined;
    let exception = ownException ?? '';
    for (let index = 0; index < this.#count; index++) {
      const throughput = this.#throughputs[index] as ResourceThroughput;
      const mask = this.#masks[index] as number;
      throughput.countThrottled(this.#keys[index] as KeyState, operation, mask, this.#units[index], atUs);
      if (mask === 0) continue;
      const found = throughput.reasons(mask, operation);
      if (reasons === undefined) {
        reasons = found;
        exception = ownException ?? throughput.exception(mask, operation);
      } else {
        reasons = withoutRepeats(reasons, found);
      }
    }
    return { kind: 'throttled', reasons: reasons ?? [], exception };
  }
}

function withoutRepeats(
  reasons: readonly ThrottlingReason[],
  more: readonly ThrottlingReason[],
): readonly ThrottlingReason[] {
  // Reasons of one resource and limit are one shared object, so identity tells repeats.
  return [...reasons, ...more.filter((reason) => !reasons.includes(reason))];
}
