// The operations of a `custom` workload: the user's own layer, made once by `setup`, and one call of `run` for
// each operation. Who makes the clients and counts what they send is for others.
import { DynoLoadError } from '../errors.ts';
import type { Random, StreamKey } from '../prng.ts';
import type { Context } from '../workload/item.ts';
import { OperationContext } from './operation-context.ts';
import type { CustomSpec, Sdk } from './operations/custom.ts';
import type { OperationGenerator, PlannedOperation } from './run-plan.ts';
import { userFrame } from './user-function.ts';

interface CustomGeneratorParts {
  readonly workloadName: string;
  /** The scenario file, for the line of an error. */
  readonly file: string;
  readonly stream: StreamKey;
  readonly startsAtMs: number;
  readonly spec: CustomSpec<unknown>;
}

/** A generator whose `setUp` is still to be called. */
export function createCustomGenerator(parts: CustomGeneratorParts): OperationGenerator {
  return new CustomGenerator(parts);
}

class CustomGenerator implements OperationGenerator {
  readonly #parts: CustomGeneratorParts;
  #layer: unknown;

  constructor(parts: CustomGeneratorParts) {
    this.#parts = parts;
  }

  async setUp(sdk: Sdk, describe: (error: unknown) => string): Promise<void> {
    const { spec } = this.#parts;
    try {
      this.#layer = await spec.setup(sdk);
    } catch (error) {
      throw this.#setupError(error, describe(error));
    }
  }

  next(sequence: number, dueUs: number): PlannedOperation {
    const { stream, startsAtMs, spec } = this.#parts;
    // Operations overlap, so that each keeps a context of its own.
    const context = new OperationContext(stream, startsAtMs).moveTo(sequence, dueUs);
    return {
      kind: 'custom',
      run: async (signal) => spec.run(this.#layer, new CustomContext(context, signal)),
    };
  }

  acknowledge(): void {
    // What was written is known to the user's code alone: it remembers what it wants to read back.
  }

  #setupError(error: unknown, text: string): DynoLoadError {
    const { workloadName, file } = this.#parts;
    const frame = userFrame(error, file);
    return new DynoLoadError('SCENARIO_FUNCTION_THREW', {
      what: `setup of workload "${workloadName}" threw ${text}`,
      why: frame === undefined ? 'no operation can run without what it makes' : `thrown at ${frame}`,
      fix: 'correct setup; it runs once for each variant, after its tables were made and filled and before load',
      cause: error,
    });
  }
}

class CustomContext implements Context {
  readonly #context: Context;
  readonly signal: AbortSignal;

  constructor(context: Context, signal: AbortSignal) {
    this.#context = context;
    this.signal = signal;
  }

  get seq(): number {
    return this.#context.seq;
  }

  get random(): Random {
    return this.#context.random;
  }

  get now(): Date {
    return this.#context.now;
  }

  get nowIso(): string {
    return this.#context.nowIso;
  }
}
