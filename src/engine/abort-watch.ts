// Watches the conditions on which a variant ends early. Every second of the clock, each is held against what ended
// in the last ten seconds of measured stages. What an end means is for the run.
import { isMet } from '../analysis/judge-goals.ts';
import { computeMetrics } from '../analysis/metrics.ts';
import { invalidSpan } from '../analysis/validity-workload.ts';
import type { AbortRecord } from '../analysis/records/abort.ts';
import type { WorkloadResult } from '../analysis/run-result.ts';
import type { Clock } from '../clock.ts';
import { type ClockEvent, eventRank } from '../event-heap.ts';
import type { AbortCondition, Goal } from '../scenario/goal.ts';
import type { PlannedWorkload } from '../scenario/run-plan.ts';
import { US_PER_SECOND } from '../units.ts';
import { StageRecorder } from './stage-recorder.ts';
import { stageTotals } from './variant-record.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

const WINDOW_SECONDS = 10;

type Found = Pick<AbortRecord, 'condition' | 'value'>;

interface WatchParts {
  readonly conditions: readonly AbortCondition[];
  readonly workloads: readonly PlannedWorkload[];
  readonly recorders: readonly WorkloadRecorder[];
  readonly clock: Clock;
  /** Start of the first measured stage: nothing is judged before ten seconds of it are over. */
  readonly measuredFromUs: number;
  /** Called once, with the first condition that holds. */
  readonly abort: (record: AbortRecord) => void;
}

/** One watch over all workloads of a variant; where there is no condition it costs nothing. */
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
      const found = 'validity' in condition ? this.#invalid(condition.text) : this.#met(condition);
      if (found === undefined) continue;
      this.#parts.abort({ ...found, atUs: nowUs });
      return;
    }
    this.#goOn(nowUs);
  }

  #goOn(nowUs: number): void {
    const { workloads, recorders, conditions, clock } = this.#parts;
    for (const { name, index } of workloads) {
      const recorder = recorders[index];
      const isWatched = conditions.some((one) => 'validity' in one || one.workload === name);
      if (recorder === undefined || !isWatched) continue;
      recorder.lately = new StageRecorder();
      const seconds = this.#seconds.get(name) ?? [];
      this.#seconds.set(name, seconds);
      seconds.push(recorder.lately);
      if (seconds.length > WINDOW_SECONDS) seconds.shift();
    }
    // After all operations of that moment.
    clock.schedule(nowUs + US_PER_SECOND, eventRank(workloads.length, 0), this);
  }

  #met(condition: Goal): Found | undefined {
    const workload = this.#parts.workloads.find(({ name }) => name === condition.workload);
    if (workload === undefined) return undefined;
    const value = computeMetrics(this.#lately(workload), WINDOW_SECONDS)[condition.metric];
    return value === null || !isMet(value, condition) ? undefined : { condition: condition.text, value };
  }

  #invalid(text: string): Found | undefined {
    const { workloads, recorders, clock } = this.#parts;
    for (const workload of workloads) {
      const { name, index } = workload;
      const load = { kind: workload.load.kind, text: '', concurrency: null };
      const errors = [...(recorders[index]?.errors.values() ?? [])];
      const because = invalidSpan({ name, load, errors, ...this.#lately(workload) }, clock.kind);
      if (because !== undefined) return { condition: `${text} (${because.text})`, value: null };
    }
    return undefined;
  }

  /** What ended of a workload in the last seconds. */
  #lately({ name, policy }: PlannedWorkload): Pick<WorkloadResult, 'measured' | 'policy'> {
    const all = new StageRecorder();
    for (const second of this.#seconds.get(name) ?? []) all.mergeFrom(second);
    return { measured: stageTotals(all), policy: { ...policy, retry: '', expect: [...policy.expect] } };
  }
}
