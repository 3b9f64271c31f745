// Carries out the operations of one workload: takes a slot, asks the generator for the operation, sends what
// it consists of, records its end. When operations are due is for the loops, what is sent again for the
// request sender.
import type { Clock } from '../clock.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { assert } from '../errors.ts';
import { eventRank } from '../event-heap.ts';
import { streamKey } from '../prng.ts';
import type {
  OperationGenerator,
  PlannedOperation,
  PlannedStage,
  PlannedWorkload,
  RequestOperation,
} from '../scenario/run-plan.ts';
import { isPoolEmpty } from '../workload/pool.ts';
import { AttemptCounter, ElsewhereScope, runCustom } from './custom-operation.ts';
import { Execution, InFlightList } from './execution.ts';
import { type FlowStep, runFlow } from './flow.ts';
import { readBranches, readPages } from './paged-read.ts';
import { type AnswerUse, RequestSender, returnedItems } from './request-sender.ts';
import { scenarioThrew } from './scenario-threw.ts';
import type { FinishedKind } from './stage-recorder.ts';
import type { Done, SdkAccess, Target } from './target.ts';
import { WorkloadRecorder } from './workload-recorder.ts';

/** Operations that are no flows want no items, only to know how many there were. */
const onlyCounted: AnswerUse = { label: undefined, keepsItems: false };

interface RunnerParts {
  readonly workload: PlannedWorkload;
  readonly stages: readonly PlannedStage[];
  readonly seed: number;
  readonly clock: Clock;
  readonly target: Target;
  /** For `custom` workloads. */
  readonly sdk: SdkAccess | undefined;
  /** Told after each operation that ends, so that the run can see when nothing is left. */
  readonly operationEnded: () => void;
  /** The scenario's own code threw. */
  readonly failed: (error: unknown) => void;
}

/**
 * Everything between a moment that is due and a recorded end, for one workload. An operation that began ends at most
 * once: by its outcome, by the timeout, or by being skipped; an interrupt leaves what is in flight without an end.
 */
export class WorkloadRunner {
  readonly recorder: WorkloadRecorder;
  readonly #parts: RunnerParts;
  readonly #generator: OperationGenerator;
  readonly #sender: RequestSender;
  readonly #attempts: AttemptCounter;
  readonly #inFlight = new InFlightList();
  #mostInFlight = 0;
  #isSweepScheduled = false;

  constructor(parts: RunnerParts) {
    const { workload, clock, target } = parts;
    this.#parts = parts;
    this.recorder = new WorkloadRecorder(parts.stages, clock.kind === 'virtual');
    this.#generator = workload.createGenerator();
    const attempts = { target, clock, recorder: this.recorder, workloadIndex: workload.index };
    this.#attempts = new AttemptCounter(attempts);
    this.#sender = new RequestSender({
      ...attempts,
      retry: workload.policy.retry,
      retryStream: streamKey(parts.seed, `retry:${workload.name}`),
    });
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get mostInFlight(): number {
    return this.#mostInFlight;
  }

  /**
   * Lets a `custom` workload make its layer. To be awaited before the first offer.
   * @throws DynoLoadError SCENARIO_FUNCTION_THREW
   */
  async setUp(): Promise<void> {
    const { workload, sdk, clock, stages } = this.#parts;
    if (this.#generator.setUp === undefined) return;
    assert(sdk, 'a custom workload is planned only for targets that clients can reach');
    const elsewhere = new ElsewhereScope(this.#attempts, stages, () => clock.nowUs());
    await this.#generator.setUp(sdk.open(workload, elsewhere), sdk.describe);
    elsewhere.open();
  }

  /** Gives up what is in flight: the user's own code is told, and nothing of it is recorded any more. */
  interrupt(): void {
    for (let one = this.#inFlight.oldest; one !== undefined; one = one.newer) {
      if (one.giveUp === undefined) continue;
      one.isOver = true;
      one.giveUp();
    }
  }

  /**
   * Starts the operation with this sequence, or drops it when too many are in flight. `ended` is called once
   * it is over (or never began).
   */
  offer(sequence: number, stageIndex: number, dueUs: number, nowUs: number, ended?: () => void): void {
    const { recorder } = this;
    recorder.planned(stageIndex, dueUs);
    if (this.#inFlight.size >= this.#parts.workload.policy.maxInFlight) {
      recorder.dropped(stageIndex, dueUs);
      ended?.();
      return;
    }
    const operation = this.#generate(sequence, dueUs);
    if (operation === undefined) return;
    if (operation.kind === 'skipped') {
      recorder.skipped(stageIndex);
      ended?.();
      return;
    }
    const execution = new Execution(sequence, stageIndex, dueUs, nowUs, ended);
    recorder.started(execution);
    this.#inFlight.add(execution);
    if (this.#inFlight.size > this.#mostInFlight) this.#mostInFlight = this.#inFlight.size;
    if (!this.#isSweepScheduled) this.#scheduleSweep(nowUs + this.#parts.workload.policy.timeoutUs);
    this.#execute(execution, operation);
  }

  #generate(sequence: number, dueUs: number): PlannedOperation | undefined {
    try {
      return this.#generator.next(sequence, dueUs);
    } catch (error) {
      this.#threw(error, sequence);
      return undefined;
    }
  }

  #execute(execution: Execution, operation: Exclude<PlannedOperation, { kind: 'skipped' }>): void {
    if (operation.kind === 'flow') {
      this.#executeFlow(execution, operation);
      return;
    }
    if (operation.kind === 'custom') {
      this.#executeCustom(execution, operation);
      return;
    }
    if (operation.kind !== 'request') {
      this.#step(execution, operation, onlyCounted, (outcome, endUs) =>
        this.#end(execution, operation, outcome, endUs),
      );
      return;
    }
    execution.operation = operation;
    this.#sender.send(execution, operation.request, onlyCounted, this.#requestEnded);
  }

  /** Ends an operation of a single request: one function for all of them, as it is the bulk of most loads. */
  readonly #requestEnded = (outcome: Outcome, endUs: number, execution: Execution): void => {
    this.#countReturned(execution, outcome);
    this.#end(execution, execution.operation as RequestOperation, outcome, endUs); // Set where it is sent.
  };

  #countReturned({ stageIndex }: Execution, outcome: Outcome): void {
    const items = returnedItems(outcome);
    if (items > 0) this.recorder.stage(stageIndex).itemsReturned += items;
  }

  #executeFlow(execution: Execution, operation: Extract<PlannedOperation, { kind: 'flow' }>): void {
    const { clock, workload } = this.#parts;
    runFlow(operation, {
      clock,
      workloadName: workload.name,
      step: (label, step, done) => this.#step(execution, step, { label, keepsItems: true }, done),
      done: (outcome, endUs) => this.#end(execution, operation, outcome, endUs),
      nothingSent: () => this.#skipStarted(execution),
      threw: (error) => this.#flowThrew(execution, error),
    });
  }

  #executeCustom(execution: Execution, operation: Extract<PlannedOperation, { kind: 'custom' }>): void {
    const { clock, sdk } = this.#parts;
    assert(sdk, 'a custom workload was set up before it runs');
    const end = (outcome: Outcome) => this.#end(execution, operation, outcome, clock.nowUs());
    runCustom(operation, execution, {
      sdk,
      counter: this.#attempts,
      done: end,
      threw: (outcome) => {
        if (!execution.isOver) this.recorder.failedUnsent(outcome);
        end(outcome);
      },
      skipped: () => this.#skipStarted(execution),
    });
  }

  #flowThrew(execution: Execution, error: unknown): void {
    if (isPoolEmpty(error)) this.#skipStarted(execution);
    else this.#threw(error, execution.sequence);
  }

  #skipStarted(execution: Execution): void {
    if (execution.isOver) return;
    this.recorder.skippedAfterStart(execution);
    this.#leave(execution);
  }

  /** One request, or the requests of one paged or fanned-out read. */
  #step(execution: Execution, step: FlowStep, use: AnswerUse, done: Done): void {
    const finish: Done = (outcome, endUs) => {
      this.#countReturned(execution, outcome);
      done(outcome, endUs);
    };
    const send = (request: Request, answered: Done) => this.#sender.send(execution, request, use, answered);
    if (step.kind === 'request') send(step.request, finish);
    else if (step.kind === 'pages') readPages(step, use.keepsItems, send, finish);
    else readBranches(step, use.keepsItems, send, finish);
  }

  #end(execution: Execution, operation: PlannedOperation, outcome: Outcome, endUs: number): void {
    if (execution.isOver) return;
    if (outcome.kind === 'ok') this.#acknowledge(operation, execution);
    // A client that gives up after the same time may do so before the sweep has come: one event, one name.
    const isTooLate = endUs - execution.startedUs >= this.#parts.workload.policy.timeoutUs;
    const kind = finishedKind(outcome);
    this.#close(execution, kind === 'failed' && isTooLate ? 'timedOut' : kind, endUs);
  }

  #acknowledge(operation: PlannedOperation, execution: Execution): void {
    try {
      this.#generator.acknowledge(operation, execution.sequence, execution.dueUs);
    } catch (error) {
      this.#threw(error, execution.sequence);
    }
  }

  #close(execution: Execution, kind: FinishedKind, endUs: number): void {
    this.recorder.finished(execution, kind, endUs);
    this.#leave(execution);
  }

  /** Gives the slot back and lets whoever waits for it know. */
  #leave(execution: Execution): void {
    execution.isOver = true;
    this.#inFlight.remove(execution);
    execution.ended?.();
    this.#parts.operationEnded();
  }

  #scheduleSweep(atUs: number): void {
    this.#isSweepScheduled = true;
    this.#parts.clock.schedule(atUs, eventRank(this.#parts.workload.index, 0), this.#sweep);
  }

  /** Ends what has been in flight for longer than the timeout; one event at a time watches the oldest operation. */
  readonly #sweep = {
    fire: (nowUs: number): void => {
      const { timeoutUs } = this.#parts.workload.policy;
      this.#isSweepScheduled = false;
      let oldest = this.#inFlight.oldest;
      while (oldest !== undefined && oldest.startedUs + timeoutUs <= nowUs) {
        this.#close(oldest, 'timedOut', nowUs);
        oldest.giveUp?.();
        oldest = this.#inFlight.oldest;
      }
      if (oldest !== undefined && !this.#isSweepScheduled) this.#scheduleSweep(oldest.startedUs + timeoutUs);
    },
  };

  #threw(error: unknown, sequence: number): void {
    this.#parts.failed(scenarioThrew(error, { workloadName: this.#parts.workload.name, sequence }));
  }
}

function finishedKind(outcome: Outcome): FinishedKind {
  if (outcome.kind === 'dropped' || outcome.kind === 'skipped') return 'failed';
  return outcome.kind;
}
