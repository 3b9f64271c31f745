// The user's own code as one operation: response time to the moment its promise settles, units and throttles
// of every attempt that its SDK client makes, outcome that of its worst request. Unlike a flow it may await
// what it likes, and what it throws does not stop the run.
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

type Ended = (outcome: Outcome) => void;

/** Moment of what is sent before load: it counts for no stage. */
const BEFORE_LOAD_US = -1;

/**
 * Counts attempts of one workload that SDK clients send, with the API's name as the step's label. They pass
 * by the target, which sees them as its own.
 */
export class AttemptCounter {
  readonly #parts: CounterParts;

  constructor(parts: CounterParts) {
    this.#parts = parts;
  }

  /** An attempt of an operation goes out; `heard` is told its outcome too. @returns as SentRequest.attempt */
  begin(place: Place, api: string, request: Request | undefined, heard: Ended): Ended | undefined {
    const { clock, recorder } = this.#parts;
    const stage = recorder.stage(place.stageIndex);
    const record: Done = (outcome, endUs) => {
      recorder.requested(place.stageIndex, outcome, endUs, api);
      stage.itemsReturned += returnedItems(outcome);
      heard(outcome);
    };
    if (request === undefined) return (outcome) => record(outcome, clock.nowUs());
    stage.itemsSent += itemsIn(request);
    return this.#pass(place, request, clock.nowUs(), record);
  }

  /** An attempt goes out before load. */
  beginBeforeLoad(request: Request | undefined): Ended | undefined {
    if (request === undefined) return () => undefined;
    return this.#pass({ sequence: 0, nextPart: 0 }, request, BEFORE_LOAD_US, () => undefined);
  }

  #pass(
    place: Omit<Place, 'stageIndex'>,
    request: Request,
    startUs: number,
    record: Done,
  ): Ended | undefined {
    const { target, clock, workloadIndex } = this.#parts;
    const { sequence } = place;
    const part = place.nextPart++;
    let finish: Done | undefined;
    const underWay = (done: Done) => {
      finish = done;
    };
    target.send({ request, workloadIndex, sequence, part, underWay }, startUs, record);
    // What refuses a request, such as a guard of writes, answers it at once.
    const answered = finish;
    return answered && ((outcome) => answered(outcome, clock.nowUs()));
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
const SCENARIO_THREW = 'ScenarioThrew';

/**
 * Runs the user's code once. Exactly one of `done`, `threw` and `skipped` is called, unless the code never
 * settles.
 */
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
    const sent = new CountedRequest((heard) => this.#counter.begin(this.#execution, api, request, heard));
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
  readonly #begin: (heard: Ended) => Ended | undefined;
  /** Of the last attempt that is over. */
  last: Outcome = okWithNothing;

  constructor(begin: (heard: Ended) => Ended | undefined) {
    this.#begin = begin;
  }

  attempt(): Ended | undefined {
    return this.#begin((outcome) => {
      this.last = outcome;
    });
  }
}

/**
 * Requests of a workload's clients that belong to no operation, for example of a timer that the user's layer
 * runs: they count for the stage in which they are sent and for no operation. Before `open`, while `setup`
 * runs, the target sees them, and nothing is counted: they are no load.
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
    return new CountedRequest((heard) => {
      if (!this.#isOpen) return this.#counter.beginBeforeLoad(request);
      const nowUs = this.#nowUs();
      const stage = this.#stages.find(({ endUs }) => nowUs < endUs) ?? this.#stages.at(-1);
      const place = { sequence: 0, stageIndex: stage?.index ?? 0, nextPart: this.#nextPart++ };
      return this.#counter.begin(place, api, request, heard);
    });
  }
}
