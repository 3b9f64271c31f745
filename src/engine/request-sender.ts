// Sends the requests of one workload's operations: numbers them, applies the retry policy, records every attempt.
import { type Clock, eventRank } from '../clock.ts';
import type { ApiOutput, Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { CounterRandom, type StreamKey } from '../prng.ts';
import type { RetryRule } from '../scenario/run-plan.ts';
import type { Execution } from './execution.ts';
import { createRetryPolicy, type RetryPolicy } from './retry.ts';
import type { Done, Target } from './target.ts';
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

  /** Sends a request until it succeeds or the policy gives up; `done` gets the last outcome. `label` names the step of a flow. */
  send(execution: Execution, request: Request, label: string | undefined, done: Done): void {
    this.#attempt(execution, request, label, 1, this.#parts.clock.nowUs(), done);
  }

  #attempt(
    execution: Execution,
    request: Request,
    label: string | undefined,
    attempt: number,
    startUs: number,
    done: Done,
  ): void {
    const { target, recorder, workloadIndex } = this.#parts;
    const retry = this.#retry;
    const stage = recorder.stage(execution.stageIndex);
    stage.itemsSent += itemsIn(request);
    const part = execution.nextPart++;
    target.send({ request, workloadIndex, sequence: execution.sequence, part }, startUs, (outcome, endUs) => {
      recorder.requested(execution.stageIndex, outcome, endUs, label);
      const random = this.#random;
      const delayUs = execution.isOver
        ? undefined
        : retry.delayAfter(outcome, attempt, random.seek(execution.sequence, part));
      if (delayUs === undefined) {
        if (outcome.kind === 'ok') retry.succeeded(attempt);
        if (this.#countsAttempts) stage.countAttempts(attempt);
        done(outcome, endUs);
        return;
      }
      this.#again(execution, endUs + delayUs, (nowUs) => {
        execution.waited(startUs, nowUs);
        this.#attempt(execution, request, label, attempt + 1, nowUs, done);
      });
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
