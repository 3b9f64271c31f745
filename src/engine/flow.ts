// The user's own sequence of requests as one operation: response time to the end of the last step, units
// summed, outcome that of the worst step. Flows use promises, since users write them; the clock lets promise
// reactions finish before it goes on.
import type { Clock } from '../clock.ts';
import type { ApiOutput } from '../dynamodb/api-output.ts';
import { type Outcome, outcomeSeverity } from '../dynamodb/outcome.ts';
import { DynoLoadError } from '../errors.ts';
import { FlowStepError } from '../scenario/flow-step-error.ts';
import type {
  FanOutOperation,
  FlowOperation,
  FlowPort,
  PagesOperation,
  RequestOperation,
} from '../scenario/run-plan.ts';
import type { Done } from './target.ts';

/** What a flow may send as one step. */
export type FlowStep = RequestOperation | PagesOperation | FanOutOperation;

interface FlowParts {
  readonly clock: Clock;
  /** For error texts. */
  readonly workloadName: string;
  /** Carries out one step; the outcome's output holds the items. */
  step(label: string, operation: FlowStep, done: Done): void;
  done: Done;
  /** The flow ended without any request: there was nothing to do. */
  nothingSent(): void;
  /** The flow's own code threw something that no step caused. */
  threw(error: unknown): void;
}

/** Runs a flow once. Exactly one of `done`, `nothingSent` and `threw` is called. */
export function runFlow(operation: FlowOperation, parts: FlowParts): void {
  new FlowRun(parts).start(operation);
}

const okWithNothing: Outcome = { kind: 'ok', consumed: [], output: {} };

class FlowRun implements FlowPort {
  readonly #parts: FlowParts;
  #pendingSteps = 0;
  #isOver = false;
  #hasSent = false;
  #worst: Outcome = okWithNothing;
  #endUs: number;

  constructor(parts: FlowParts) {
    this.#parts = parts;
    this.#endUs = parts.clock.nowUs();
  }

  start(operation: FlowOperation): void {
    const { clock } = this.#parts;
    operation.run(this).then(
      () => this.#end(),
      (error: unknown) => this.#rejected(error),
    );
    clock.settle(this.#checkProgress);
  }

  send(label: string, operation: FlowStep): Promise<ApiOutput> {
    this.#pendingSteps++;
    this.#hasSent = true;
    return new Promise((resolve, reject) => {
      this.#parts.step(label, operation, (outcome, endUs) => {
        this.#pendingSteps--;
        if (endUs > this.#endUs) this.#endUs = endUs;
        if (outcomeSeverity(outcome.kind) > outcomeSeverity(this.#worst.kind)) this.#worst = outcome;
        if (outcome.kind === 'ok' || outcome.kind === 'partial') resolve(outcome.output);
        else reject(new FlowStepError(label, outcome.kind));
        this.#parts.clock.settle(this.#checkProgress);
      });
    });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#hasSent) {
      this.#parts.nothingSent();
      return;
    }
    const endUs = this.#parts.clock.kind === 'virtual' ? this.#endUs : this.#parts.clock.nowUs();
    this.#parts.done(this.#worst, endUs);
  }

  #rejected(error: unknown): void {
    if (error instanceof FlowStepError) this.#end();
    else this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.threw(error);
  }

  /**
   * In virtual time nothing else can wake a flow: one that neither ended nor waits for a step awaits
   * something outside, for ever.
   */
  readonly #checkProgress = (): void => {
    if (this.#isOver || this.#pendingSteps > 0) return;
    this.#fail(
      new DynoLoadError('FLOW_AWAITED_OUTSIDE', {
        what: `the flow of workload "${this.#parts.workloadName}" awaits something other than its db`,
        why: 'in virtual time only requests through db take time; timers, network calls and files never finish',
        fix: 'await only db calls in the flow, or run against a wall-clock target (--target URL)',
      }),
    );
  };
}
