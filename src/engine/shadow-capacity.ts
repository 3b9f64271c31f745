// What would have throttled on AWS: on a target that does not enforce throughput, each live request is also
// given to the simulated database, at the moment it was sent. The live answer is what the load sees; the
// shadow only counts what the model would have refused, where and why.
import type { CapacityModel } from '../capacity/capacity-model.ts';
import type { ShadowResult } from '../analysis/records/shadow.ts';
import type { ResourceObservation } from '../capacity/resource-observation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import { resourceName } from '../dynamodb/table-spec.ts';
import { resourceOfArn } from '../dynamodb/throttling-reason.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { SimulatedDatabase } from '../simulator/simulated-database.ts';
import { modelRecord } from './model-record.ts';
import { observeDatabase } from './observed-database.ts';
import type { Done, Target, TargetRequest } from './target.ts';
import { measuredSpan } from './variant-record.ts';

const PRELOAD_SLICE = 5_000;

/** One bit for each sequence: whether an operation was counted as throttled already. */
class SequenceSet {
  #words = new Uint32Array(1_024);

  /** Adds a sequence. @returns whether it is new */
  add(sequence: number): boolean {
    const word = Math.floor(sequence / 32);
    const bit = 1 << (sequence % 32);
    if (word >= this.#words.length) {
      const words = new Uint32Array(Math.max(word + 1, 2 * this.#words.length));
      words.set(this.#words);
      this.#words = words;
    }
    const before = this.#words[word] as number;
    this.#words[word] = before | bit;
    return (before & bit) === 0;
  }
}

/** What the model would have refused of one workload, over the measured span. */
class WorkloadShadow {
  operations = 0;
  throttledOperations = 0;
  readonly throttles = new Map<string, { reason: string; resource: string; count: number }>();
  readonly #started = new SequenceSet();
  readonly #throttled = new SequenceSet();

  count(sequence: number, outcome: Outcome): void {
    if (this.#started.add(sequence)) this.operations++;
    if (outcome.kind !== 'throttled') return;
    if (this.#throttled.add(sequence)) this.throttledOperations++;
    for (const { reason, arn } of outcome.reasons) {
      const named = arn === undefined ? undefined : resourceOfArn(arn);
      const resource = named ? resourceName(named.tableName, named.indexName) : '';
      const key = `${reason} ${resource}`;
      const row = this.throttles.get(key) ?? { reason, resource, count: 0 };
      this.throttles.set(key, row);
      row.count++;
    }
  }
}

/** A target around a live target, with the simulated database in its shadow. */
export class ShadowTarget implements Target {
  readonly #inner: Target;
  readonly #plan: RunPlan;
  readonly #database: SimulatedDatabase;
  readonly #model: CapacityModel;
  readonly #workloads: readonly WorkloadShadow[];
  readonly #span: { fromUs: number; untilUs: number };
  #lastUs = 0;

  constructor(inner: Target, plan: RunPlan, model: CapacityModel) {
    this.#inner = inner;
    this.#plan = plan;
    this.#model = model;
    this.#database = new SimulatedDatabase({ model, seed: plan.seed });
    this.#workloads = plan.workloads.map(() => new WorkloadShadow());
    this.#span = measuredSpan(plan);
    for (const table of plan.tables) {
      this.#database.createTable(table);
      this.#database.markMeasured(table.tableName, this.#span.fromUs, this.#span.untilUs);
    }
  }

  /**
   * Puts the preloaded items into the shadow, a slice at a time; `turn` gives the event loop its turn between
   * slices.
   */
  async preload(turn: () => Promise<void>): Promise<void> {
    for (const { tableName, count, itemAt } of this.#plan.preloads) {
      for (let index = 0; index < count; index++) {
        if (index % PRELOAD_SLICE === 0) await turn();
        this.#database.preload(tableName, itemAt(index));
      }
    }
  }

  send(request: TargetRequest, startUs: number, done: Done): void {
    // The model's moments never go back, and neither do those at which requests are sent.
    this.#lastUs = Math.max(this.#lastUs, startUs);
    const outcome = this.#database.handle(request.request, this.#lastUs);
    if (startUs >= this.#span.fromUs && startUs < this.#span.untilUs) {
      this.#workloads[request.workloadIndex]?.count(request.sequence, outcome);
    }
    this.#inner.send(request, startUs, done);
  }

  /** What was counted, up to the end of load. */
  result(endUs: number): { shadow: ShadowResult; placeable: readonly ResourceObservation[] } {
    const { resources, placeable } = observeDatabase(this.#database, this.#plan.tables, endUs);
    const shadow: ShadowResult = {
      ...modelRecord(this.#model),
      workloads: this.#workloads.map((workload, index) => ({
        name: this.#plan.workloads[index]?.name ?? '',
        operations: workload.operations,
        throttledOperations: workload.throttledOperations,
        throttles: [...workload.throttles.values()].sort((a, b) => b.count - a.count),
      })),
      resources: [...resources],
    };
    return { shadow, placeable };
  }
}
