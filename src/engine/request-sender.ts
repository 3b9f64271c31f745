// Sends the requests of one workload's operations: numbers them, applies the retry policy, records every attempt.
import type { Clock } from '../clock.ts';
import type { ApiOutput } from '../dynamodb/api-output.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { eventRank } from '../event-heap.ts';
import { CounterRandom, type StreamKey } from '../prng.ts';
import type { RetryRule } from '../scenario/run-plan.ts';
import type { Execution } from './execution.ts';
import { createRetryPolicy, type RetryPolicy } from './retry.ts';
import type { Target, TargetRequest } from './target.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

interface SenderParts {
  readonly target: Target;
  readonly clock: Clock;
  readonly recorder: WorkloadRecorder;
  readonly workloadIndex: number;
  readonly retry: RetryRule;
  /** Random numbers of the retry delays. */
  readonly retryStream: StreamKey;
}

/** Sends for one workload. Retries are drawn from a stream of their own, so that they change no key and no item. */
export class RequestSender {
  readonly #parts: SenderParts;
  readonly #retry: RetryPolicy;
  readonly #countsAttempts: boolean;
  readonly #random: CounterRandom;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#retry = createRetryPolicy(parts.retry);
    this.#countsAttempts = parts.retry !== 'none';
    this.#random = new CounterRandom(parts.retryStream);
  }

  /** Sends a request until it succeeds or the policy gives up; `done` gets the last outcome. */
  send(execution: Execution, request: Request, use: AnswerUse, done: Answered): void {
    this.#attempt({ execution, request, use, done }, 1, this.#parts.clock.nowUs());
  }

  #attempt(sent: SentRequest, number: number, startUs: number): void {
    const { target, recorder, workloadIndex } = this.#parts;
    recorder.stage(sent.execution.stageIndex).itemsSent += itemsIn(sent.request);
    const attempt = new Attempt(sent, workloadIndex, number, startUs);
    target.send(attempt, startUs, (outcome, endUs) => this.#answered(attempt, outcome, endUs));
  }

  #answered(attempt: Attempt, outcome: Outcome, endUs: number): void {
    const { recorder } = this.#parts;
    const { sent, number, startUs } = attempt;
    const { execution } = sent;
    recorder.requested(execution.stageIndex, outcome, endUs, sent.use.label);
    const retry = this.#retry;
    const delayUs = execution.isOver
      ? undefined
      : retry.delayAfter(outcome, number, this.#random.seek(execution.sequence, attempt.part));
    if (delayUs === undefined) {
      if (outcome.kind === 'ok') retry.succeeded(number);
      if (this.#countsAttempts) recorder.stage(execution.stageIndex).countAttempts(number);
      sent.done(outcome, endUs, execution);
      return;
    }
    this.#again(execution, endUs + delayUs, (nowUs) => {
      execution.waited(startUs, nowUs);
      this.#attempt(sent, number + 1, nowUs);
    });
  }

  #again(execution: Execution, atUs: number, retry: (nowUs: number) => void): void {
    const { clock, workloadIndex } = this.#parts;
    clock.schedule(atUs, eventRank(workloadIndex, execution.sequence), {
      fire: (nowUs) => {
        if (!execution.isOver) retry(nowUs);
      },
    });
  }
}

/** What becomes of an answer; one object for all requests of a kind. */
export interface AnswerUse {
  /** Names the step of a flow. */
  readonly label: string | undefined;
  /** Whether anybody looks at the items of the answer, and not only at their count. */
  readonly keepsItems: boolean;
}

/** As `Done`, and told whose answer it is, so that one function serves all operations of a workload. */
type Answered = (outcome: Outcome, endUs: number, execution: Execution) => void;

/** A request until its last attempt. */
interface SentRequest {
  readonly execution: Execution;
  readonly request: Request;
  readonly use: AnswerUse;
  readonly done: Answered;
}

/** One attempt, as the target sees it and as it is remembered until its answer. */
class Attempt implements TargetRequest {
  readonly request: Request;
  readonly workloadIndex: number;
  readonly sequence: number;
  readonly part: number;
  readonly keepsItems: boolean;
  readonly sent: SentRequest;
  /** Counts from 1. */
  readonly number: number;
  readonly startUs: number;

  constructor(sent: SentRequest, workloadIndex: number, number: number, startUs: number) {
    const { execution, request, use } = sent;
    this.request = request;
    this.workloadIndex = workloadIndex;
    this.sequence = execution.sequence;
    this.part = execution.nextPart++;
    this.keepsItems = use.keepsItems;
    this.sent = sent;
    this.number = number;
    this.startUs = startUs;
  }
}

/** Items that a batch carries; 0 for requests that are none. */
export function itemsIn(request: Request): number {
  if (request.api === 'BatchExecuteStatement') return request.input.Statements.length;
  let count = 0;
  if (request.api === 'BatchWriteItem') {
    for (const writes of Object.values(request.input.RequestItems)) count += writes.length;
  } else if (request.api === 'BatchGetItem') {
    for (const keys of Object.values(request.input.RequestItems)) count += keys.Keys.length;
  }
  return count;
}

/** Items that an answer carries. */
export function returnedItems(outcome: Outcome): number {
  if (outcome.kind !== 'ok' && outcome.kind !== 'partial') return 0;
  const { Count, Item, Items, Responses } = outcome.output;
  if (Count !== undefined) return Count;
  if (Item !== undefined) return 1;
  if (Items !== undefined) return Items.length;
  if (Responses === undefined) return 0;
  if (isList(Responses)) return Responses.filter((one) => one.Item !== undefined).length;
  return Object.values(Responses).reduce((sum, items) => sum + items.length, 0);
}

type Responses = NonNullable<ApiOutput['Responses']>;

/** `Array.isArray` does not narrow readonly arrays. */
function isList(responses: Responses): responses is Extract<Responses, readonly unknown[]> {
  return Array.isArray(responses);
}
