// The operations of one workload during one run of a variant, and what they leave in pools once they are
// acknowledged.
import type { DynoLoadError } from '../errors.ts';
import type { StreamKey } from '../prng.ts';
import type { Item } from '../workload/item.ts';
import type { KeyChoice } from '../workload/key-choice.ts';
import { addToPool, isPoolEmpty, type Remember } from '../workload/pool.ts';
import { OperationContext } from './operation-context.ts';
import { notPromised } from './operations/of.ts';
import type { MakeOperation } from './operations/compile.ts';
import type { OperationGenerator, PlannedOperation, SkippedOperation } from './run-plan.ts';
import { placedError } from './user-function.ts';

export interface GeneratorParts {
  readonly workloadName: string;
  /** The scenario file, for the line of an error. */
  readonly file: string;
  readonly stream: StreamKey;
  readonly startsAtMs: number;
  readonly make: MakeOperation;
  readonly remember: Remember<unknown> | undefined;
  /** Flows outlive the call that makes them and keep their context. */
  readonly ownContextEach: boolean;
}

/** What is remembered draws from here on: beyond all numbers that making the operation may have drawn. */
const REMEMBER_DRAW_OFFSET = 1_000_000;

const poolEmpty: SkippedOperation = {
  kind: 'skipped',
  why: 'a pool was empty: nothing acknowledged yet, or all taken',
};

/**
 * A generator at its start.
 * @param chosen  is told of keys that are picked by a named distribution; nobody is while load runs
 */
export function createGenerator(
  parts: GeneratorParts,
  chosen?: (choice: KeyChoice) => void,
): OperationGenerator {
  return new WorkloadGenerator(parts, chosen);
}

class WorkloadGenerator implements OperationGenerator {
  readonly #parts: GeneratorParts;
  readonly #context: OperationContext;
  /** Acknowledgements come while other operations are made. */
  readonly #rememberContext: OperationContext;

  readonly #chosen: ((choice: KeyChoice) => void) | undefined;

  constructor(parts: GeneratorParts, chosen: ((choice: KeyChoice) => void) | undefined) {
    this.#parts = parts;
    this.#chosen = chosen;
    this.#context = new OperationContext(parts.stream, parts.startsAtMs, chosen);
    this.#rememberContext = new OperationContext(parts.stream, parts.startsAtMs);
  }

  next(sequence: number, dueUs: number): PlannedOperation {
    const { stream, startsAtMs, ownContextEach, make } = this.#parts;
    const context = ownContextEach ? new OperationContext(stream, startsAtMs, this.#chosen) : this.#context;
    try {
      return make(context.moveTo(sequence, dueUs));
    } catch (error) {
      if (isPoolEmpty(error)) return poolEmpty;
      throw operationError(this.#parts, sequence, error);
    }
  }

  acknowledge(operation: PlannedOperation, sequence: number, dueUs: number): void {
    const { remember } = this.#parts;
    if (remember === undefined || operation.kind !== 'request' || operation.remembered === undefined) return;
    const context = this.#rememberContext.moveTo(sequence, dueUs, REMEMBER_DRAW_OFFSET);
    try {
      // Only puts and transactions set `remembered`, and they set it to the item that was written.
      addToPool(remember.in, notPromised(remember.as(operation.remembered as Item, context)));
    } catch (error) {
      throw operationError(this.#parts, sequence, error);
    }
  }
}

function operationError(
  { workloadName, file }: Pick<GeneratorParts, 'workloadName' | 'file'>,
  sequence: number,
  error: unknown,
): DynoLoadError {
  return placedError(error, { which: `operation ${sequence}`, of: `workload "${workloadName}"`, file });
}
