// A target for tests in virtual time that answers as it is told: after how long, and with which outcome.
import type { Clock } from '../../src/clock.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import type { Done, Target, TargetRequest } from '../../src/engine/target.ts';
import { eventRank } from '../../src/event-heap.ts';

export const okOutcome: Outcome = {
  kind: 'ok',
  consumed: [{ tableName: 't', table: { readUnits: 0, writeUnits: 1 } }],
  output: {},
};

export const throttledOutcome: Outcome = {
  kind: 'throttled',
  exception: 'ThrottlingException',
  reasons: [
    {
      reason: 'TableWriteKeyRangeThroughputExceeded',
      resource: 'Table',
      operation: 'Write',
      limit: 'KeyRange',
      arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/t',
    },
  ],
};

export interface Script {
  /** Service time of a request sent at `startUs`; undefined: no answer ever. */
  serviceUs?(request: TargetRequest, startUs: number): number | undefined;
  outcome?(request: TargetRequest, startUs: number): Outcome;
}

export class ScriptedTarget implements Target {
  readonly sent: { sequence: number; part: number; workloadIndex: number; startUs: number }[] = [];
  readonly #clock: Clock;
  readonly #script: Script;
  #inFlight = 0;
  mostInFlight = 0;

  constructor(clock: Clock, script: Script = {}) {
    this.#clock = clock;
    this.#script = script;
  }

  send(request: TargetRequest, startUs: number, done: Done): void {
    const { sequence, part, workloadIndex } = request;
    this.sent.push({ sequence, part, workloadIndex, startUs });
    this.#inFlight++;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    const serviceUs = this.#script.serviceUs ? this.#script.serviceUs(request, startUs) : 1_000;
    if (serviceUs === undefined) return;
    const outcome = this.#script.outcome?.(request, startUs) ?? okOutcome;
    this.#clock.schedule(startUs + serviceUs, eventRank(workloadIndex, sequence), {
      fire: (nowUs) => {
        this.#inFlight--;
        done(outcome, nowUs);
      },
    });
  }
}
