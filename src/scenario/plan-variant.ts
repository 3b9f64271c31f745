// One evaluated variant → its plan: stages, preloads, and each workload with its load, policy and generator.
import { streamKey } from '../prng.ts';
import { highestPerSecond, type RateShape, scaleShape } from '../workload/arrival.ts';
import type { KeyChoice } from '../workload/key-choice.ts';
import { createCustomGenerator } from './custom-generator.ts';
import type { CheckedWorkload, EvaluatedVariant } from './evaluate-variant.ts';
import { createGenerator } from './generator.ts';
import type { IssueList } from './issues.ts';
import { defaultMaxInFlight } from './load-plan.ts';
import { compileOperation } from './operations/compile.ts';
import { partiqlWrites } from './operations/partiql.ts';
import type { SetParameter } from './parameters.ts';
import { idleNotes, noteSdkRate } from './plan-notes.ts';
import { planPreloads } from './plan-preloads.ts';
import type {
  OperationGenerator,
  PlannedLoad,
  PlannedPolicy,
  PlannedPreload,
  PlannedStage,
  PlannedWorkload,
  RunPlan,
  WorkloadKind,
} from './run-plan.ts';
import { isPlannable } from './run-size.ts';
import { planStages } from './stages.ts';
import { traceNotes } from './trace-note.ts';
import { convertUnitRate } from './unit-rate.ts';
import { InstancePool, instantiateVariant, type VariantInstance } from './variant-instance.ts';
import type { ValidScenario } from './validate.ts';

export interface PlanOptions {
  /** For table names, reports and folders. */
  readonly scenarioName: string;
  readonly seed?: number;
  /** Values that take the place of declared ones. */
  readonly setParameters?: readonly SetParameter[];
  /** Replaces the length of each measured stage and caps that of the others. */
  readonly measuredDurationUs?: number;
  /** Multiplies rates in operations and in units; concurrency stays. */
  readonly rateFactor?: number;
  /** Whether the target runs on the wall clock. */
  readonly wallClock?: boolean;
  /** Added to table names, so that runs against one endpoint do not meet. */
  readonly tableSuffix?: string;
  /** The table that is there already and stands for the scenario's one table. */
  readonly existingTable?: string;
  /** All variants may read the same tables, by `canShareTables`. */
  readonly sharesTables?: boolean;
}

/** Plans one variant; problems go to the list of issues, and the plan is then thrown away. */
export class VariantPlanner {
  readonly #scenario: ValidScenario;
  readonly #evaluated: EvaluatedVariant;
  readonly #options: PlanOptions;
  readonly #issues: IssueList;
  readonly #seed: number;
  readonly #stages: readonly PlannedStage[];
  readonly #instances: InstancePool;
  readonly #preloads: readonly PlannedPreload[];

  constructor(scenario: ValidScenario, evaluated: EvaluatedVariant, options: PlanOptions, issues: IssueList) {
    this.#scenario = scenario;
    this.#evaluated = evaluated;
    this.#options = options;
    this.#issues = issues;
    this.#seed = options.seed ?? scenario.seed;
    this.#stages = planStages(scenario.stages, options.measuredDurationUs);
    this.#instances = new InstancePool(evaluated.workloads.length, () => this.#instantiate());
    this.#preloads = planPreloads(this.#instantiate(), evaluated.tables, scenario.file);
  }

  plan(): RunPlan {
    const { chosen, tables, workloads, goals, abortConditions } = this.#evaluated;
    const planned = workloads.map((workload, index) => this.#planWorkload(workload, index));
    return {
      scenarioName: this.#options.scenarioName,
      variant: chosen.variant,
      seed: this.#seed,
      startsAtMs: this.#scenario.startsAtMs,
      tables,
      preloads: this.#preloads,
      stages: this.#stages,
      workloads: noteSdkRate(planned, this.#stages),
      goals,
      abortConditions,
      onlyReads: planned.every(({ isWrite }) => !isWrite),
      sharesTables: this.#options.sharesTables === true,
    };
  }

  #instantiate(): VariantInstance {
    const { functions, startsAtMs } = this.#scenario;
    return instantiateVariant(functions, this.#evaluated.chosen.chosen, { seed: this.#seed, startsAtMs });
  }

  #planWorkload(workload: CheckedWorkload, index: number): PlannedWorkload {
    const { name, definition } = workload;
    const { load, notes } = this.#planLoad(workload);
    let runs = 0;
    return {
      index,
      name,
      kind: definition.kind,
      isWrite: isWriting(definition),
      looksAtItems: definition.kind !== 'put' || definition.spec.condition !== undefined,
      load,
      policy: this.#planPolicy(workload, load),
      notes: [...notes, ...idleNotes(load, this.#stages)],
      createGenerator: (chosen) => this.#createGenerator(workload, this.#instances.take(runs++), chosen),
    };
  }

  #planLoad(workload: CheckedWorkload): { readonly load: PlannedLoad; readonly notes: readonly string[] } {
    const { load } = workload;
    if (load.kind === 'closed') return { load, notes: [] };
    const factor = this.#options.rateFactor ?? 1;
    const open = (shape: RateShape): PlannedLoad => ({
      kind: 'open',
      shape: scaleShape(shape, factor),
      spacing: load.spacing,
    });
    const at = `workloads.${workload.name}.rate`;
    // An issue was added: the plan is thrown away.
    if (
      load.rate.kind !== 'units' &&
      !isPlannable(load.rate, { stages: this.#stages, at, issues: this.#issues })
    )
      return { load: open({ kind: 'constant', perSecond: 1 }), notes: [] };
    if (load.rate.kind !== 'units')
      return { load: open(load.rate), notes: traceNotes(load.rate, this.#stages) };
    const converted = convertUnitRate({
      rate: load.rate,
      at,
      tableName: namedTable(workload),
      tables: this.#evaluated.tables,
      preloads: this.#preloads,
      generator: this.#createGenerator(workload, this.#instantiate()),
      issues: this.#issues,
    });
    // Where there is none, an issue was added and the plan is thrown away.
    const shape: RateShape = { kind: 'constant', perSecond: converted?.perSecond ?? 1 };
    return { load: open(shape), notes: converted ? [converted.note] : [] };
  }

  #planPolicy({ policy }: CheckedWorkload, load: PlannedLoad): PlannedPolicy {
    const byDefault =
      load.kind === 'closed'
        ? load.concurrency
        : defaultMaxInFlight(highestPerSecond(load.shape, this.#stages));
    return { ...policy, maxInFlight: policy.maxInFlight ?? byDefault };
  }

  #createGenerator(
    { name }: CheckedWorkload,
    instance: VariantInstance,
    chosen?: (choice: KeyChoice) => void,
  ): OperationGenerator {
    const definition = instance.workload(name);
    const parts = {
      workloadName: name,
      file: this.#scenario.file,
      stream: streamKey(this.#seed, `workload:${name}`),
      startsAtMs: this.#scenario.startsAtMs,
    };
    if (definition.kind === 'custom') return createCustomGenerator({ ...parts, spec: definition.spec });
    const isRemembering = definition.kind === 'put' || definition.kind === 'transactWrite';
    const make = compileOperation(definition, this.#evaluated.tables);
    const remember = isRemembering ? definition.spec.remember : undefined;
    return createGenerator({ ...parts, make, remember, ownContextEach: definition.kind === 'flow' }, chosen);
  }
}

function namedTable({ definition }: CheckedWorkload): string | undefined {
  return 'table' in definition.spec ? definition.spec.table : undefined;
}

function isWriting(definition: CheckedWorkload['definition']): boolean {
  switch (definition.kind) {
    case 'partiql':
    case 'partiqlBatch':
    case 'partiqlTransaction':
      return partiqlWrites(definition.spec);
    default:
      return writes[definition.kind];
  }
}

type StatementKind = 'partiql' | 'partiqlBatch' | 'partiqlTransaction';

/** What a flow does is not known before it runs, so it counts as a writer. */
const writes: Readonly<Record<Exclude<WorkloadKind, StatementKind>, boolean>> = {
  put: true,
  update: true,
  remove: true,
  batchWrite: true,
  transactWrite: true,
  flow: true,
  custom: true,
  get: false,
  query: false,
  queryShards: false,
  scan: false,
  batchGet: false,
  transactGet: false,
};
