// Watches the conditions on which a variant ends early. Every second of the clock, each is held against the
// metric of what ended in the last ten seconds of measured stages. What an end means is for the run.
import { isMet } from '../analysis/judge-goals.ts';
import { computeMetrics } from '../analysis/metrics.ts';
import type { AbortRecord } from '../analysis/records/abort.ts';
import { type Clock, type ClockEvent, eventRank } from '../clock.ts';
import type { Goal } from '../scenario/goal.ts';
import type { PlannedWorkload } from '../scenario/run-plan.ts';
import { US_PER_SECOND } from '../units.ts';
import { StageRecorder } from './stage-recorder.ts';
import { stageTotals } from './variant-record.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

const WINDOW_SECONDS = 10;

interface WatchParts {
  readonly conditions: readonly Goal[];
  readonly workloads: readonly PlannedWorkload[];
  readonly recorders: readonly WorkloadRecorder[];
  readonly clock: Clock;
  /** Start of the first measured stage: nothing is judged before ten seconds of it are over. */
  readonly measuredFromUs: number;
  /** Called once, with the first condition that holds. */
  readonly abort: (record: AbortRecord) => void;
}

export class AbortWatch implements ClockEvent {
  readonly #parts: WatchParts;
  /** One recorder for each of the last seconds, by workload. */
  readonly #seconds = new Map<string, StageRecorder[]>();

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#parts.conditions.length > 0) this.#goOn(0);
  }

  fire(nowUs: number): void {
    const { conditions, measuredFromUs } = this.#parts;
    const isFull = nowUs >= measuredFromUs + WINDOW_SECONDS * US_PER_SECOND;
    for (const condition of isFull ? conditions : []) {
      const value = this.#valueOf(condition);
      if (value === null || !isMet(value, condition)) continue;
      this.#parts.abort({ condition: condition.text, value, atUs: nowUs });
      return;
    }
    this.#goOn(nowUs);
  }

  #goOn(nowUs: number): void {
    const { workloads, recorders, conditions, clock } = this.#parts;
    for (const { name, index } of workloads) {
      const recorder = recorders[index];
      if (recorder === undefined || !conditions.some(({ workload }) => workload === name)) continue;
      recorder.lately = new StageRecorder();
      const seconds = this.#seconds.get(name) ?? [];
      this.#seconds.set(name, seconds);
      seconds.push(recorder.lately);
      if (seconds.length > WINDOW_SECONDS) seconds.shift();
    }
    // After all operations of that moment.
    clock.schedule(nowUs + US_PER_SECOND, eventRank(workloads.length, 0), this);
  }

  #valueOf({ workload, metric }: Goal): number | null {
    const planned = this.#parts.workloads.find(({ name }) => name === workload);
    if (planned === undefined) return null;
    const all = new StageRecorder();
    for (const second of this.#seconds.get(workload) ?? []) all.mergeFrom(second);
    const { expect } = planned.policy;
    const policy = { ...planned.policy, retry: '', expect: [...expect] };
    return computeMetrics({ measured: stageTotals(all), policy }, WINDOW_SECONDS)[metric];
  }
}
