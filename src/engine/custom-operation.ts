// The user's own code as one operation: response time to the moment its promise settles, units and throttles of every attempt that its SDK
// client makes, outcome that of its worst request. Unlike a flow it may await what it likes, and what it throws does not stop the run.
import type { Clock } from '../clock.ts';
import type { Request } from '../dynamodb/operation.ts';
import { type Outcome, outcomeSeverity } from '../dynamodb/outcome.ts';
import type { CustomOperation, PlannedStage } from '../scenario/run-plan.ts';
import { isPoolEmpty } from '../workload/pool.ts';
import type { Execution } from './execution.ts';
import { itemsIn, returnedItems } from './request-sender.ts';
import type { Done, RequestScope, SdkAccess, SentRequest, Target } from './target.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

interface CounterParts {
  readonly target: Target;
  readonly clock: Clock;
  readonly recorder: WorkloadRecorder;
  readonly workloadIndex: number;
}

/** What an attempt counts for. */
interface Place {
  readonly sequence: number;
  readonly stageIndex: number;
  nextPart: number;
}

/** Counts attempts of one workload that SDK clients send, with the API's name as the step's label. They pass by the target, which sees them as its own. */
export class AttemptCounter {
  readonly #parts: CounterParts;

  constructor(parts: CounterParts) {
    this.#parts = parts;
  }

  /** An attempt goes out. @returns to be called with its outcome */
  begin(place: Place, api: string, request: Request | undefined): (outcome: Outcome) => void {
    const { clock, recorder } = this.#parts;
    const stage = recorder.stage(place.stageIndex);
    let finish: Done = (outcome, endUs) => {
      recorder.requested(place.stageIndex, outcome, endUs, api);
      stage.itemsReturned += returnedItems(outcome);
    };
    if (request) {
      stage.itemsSent += itemsIn(request);
      const record = finish;
      this.#pass(place, request, record, (done) => {
        finish = done;
      });
    }
    return (outcome) => finish(outcome, clock.nowUs());
  }

  #pass(place: Place, request: Request, record: Done, underWay: (done: Done) => void): void {
    const { target, clock, workloadIndex } = this.#parts;
    const { sequence } = place;
    const part = place.nextPart++;
    target.send({ request, workloadIndex, sequence, part, underWay }, clock.nowUs(), record);
  }
}

interface CustomParts {
  readonly sdk: SdkAccess;
  readonly counter: AttemptCounter;
  /** Ended with an outcome, now. */
  done(outcome: Outcome): void;
  /** Threw by itself, without any request having failed. */
  threw(outcome: Extract<Outcome, { kind: 'failed' }>): void;
  /** Found its pool empty. */
  skipped(): void;
}

/** Code of an operation that threw although none of its requests failed. */
export const SCENARIO_THREW = 'ScenarioThrew';

/** Runs the user's code once. Exactly one of `done`, `threw` and `skipped` is called, unless the code never settles. */
export function runCustom(operation: CustomOperation, execution: Execution, parts: CustomParts): void {
  const scope = new OperationScope(execution, parts.counter);
  execution.giveUp = () => scope.abort();
  parts.sdk
    .run(scope, () => operation.run(scope.signal))
    .then(
      () => parts.done(scope.worst()),
      (error: unknown) => rejected(error, scope.worst(), parts),
    );
}

function rejected(error: unknown, worst: Outcome, parts: CustomParts): void {
  if (isPoolEmpty(error)) parts.skipped();
  else if (worst.kind === 'ok')
    parts.threw({ kind: 'failed', code: SCENARIO_THREW, message: parts.sdk.describe(error) });
  else parts.done(worst);
}

const okWithNothing: Outcome = { kind: 'ok', consumed: [], output: {} };

class OperationScope implements RequestScope {
  readonly #execution: Execution;
  readonly #counter: AttemptCounter;
  readonly #abort = new AbortController();
  readonly #requests: CountedRequest[] = [];

  constructor(execution: Execution, counter: AttemptCounter) {
    this.#execution = execution;
    this.#counter = counter;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(): void {
    this.#abort.abort();
  }

  begin(api: string, request: Request | undefined): SentRequest {
    const sent = new CountedRequest(() => this.#counter.begin(this.#execution, api, request));
    this.#requests.push(sent);
    return sent;
  }

  /** The worst outcome so far. Of a request that was sent again, the last attempt counts. */
  worst(): Outcome {
    let worst = okWithNothing;
    for (const { last } of this.#requests) {
      if (outcomeSeverity(last.kind) > outcomeSeverity(worst.kind)) worst = last;
    }
    return worst;
  }
}

class CountedRequest implements SentRequest {
  readonly #begin: () => (outcome: Outcome) => void;
  /** Of the last attempt that is over. */
  last: Outcome = okWithNothing;

  constructor(begin: () => (outcome: Outcome) => void) {
    this.#begin = begin;
  }

  attempt(): (outcome: Outcome) => void {
    const finish = this.#begin();
    return (outcome) => {
      this.last = outcome;
      finish(outcome);
    };
  }
}

/**
 * Requests of a workload's clients that belong to no operation, for example of a timer that the user's layer runs: they count for the stage in
 * which they are sent and for no operation. Nothing is counted before `open`: what `setup` sends is no load.
 */
export class ElsewhereScope implements RequestScope {
  readonly signal = undefined;
  readonly #counter: AttemptCounter;
  readonly #stages: readonly PlannedStage[];
  readonly #nowUs: () => number;
  #isOpen = false;
  #nextPart = 0;

  constructor(counter: AttemptCounter, stages: readonly PlannedStage[], nowUs: () => number) {
    this.#counter = counter;
    this.#stages = stages;
    this.#nowUs = nowUs;
  }

  open(): void {
    this.#isOpen = true;
  }

  begin(api: string, request: Request | undefined): SentRequest {
    return new CountedRequest(() => {
      if (!this.#isOpen) return () => undefined;
      const nowUs = this.#nowUs();
      const stage = this.#stages.find(({ endUs }) => nowUs < endUs) ?? this.#stages.at(-1);
      const place = { sequence: 0, stageIndex: stage?.index ?? 0, nextPart: this.#nextPart++ };
      return this.#counter.begin(place, api, request);
    });
  }
}
