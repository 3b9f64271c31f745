// From a valid scenario to one plan for each of its variants, with every default applied and every name
// resolved.
import type { ModelConstants } from '../capacity/capacity-model.ts';
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { marshalItem } from '../dynamodb/marshal.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { assert, DynoLoadError } from '../errors.ts';
import { streamKey } from '../prng.ts';
import { highestPerSecond, plannedCount, type RateShape, scaleShape } from '../workload/arrival.ts';
import type { KeyChoice } from '../workload/key-choice.ts';
import type { Item } from '../workload/item.ts';
import type { Preload } from '../workload/preload.ts';
import { checkItem } from './check-item.ts';
import { type CheckedWorkload, type EvaluatedVariant, evaluateVariant } from './evaluate-variant.ts';
import { createCustomGenerator } from './custom-generator.ts';
import { createGenerator } from './generator.ts';
import { IssueList } from './issues.ts';
import { defaultMaxInFlight } from './load-plan.ts';
import { compileOperation } from './operations/compile.ts';
import { notPromised } from './operations/of.ts';
import { overrideParameters, type SetParameter } from './parameters.ts';
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
import { checkRunSize, checkStageSize, isPlannable } from './run-size.ts';
import { planStages } from './stages.ts';
import { tableNameFor } from './table-name.ts';
import { traceNotes } from './trace-note.ts';
import { InstancePool, instantiateVariant, type VariantInstance } from './variant-instance.ts';
import { convertUnitRate } from './unit-rate.ts';
import { PlacedError, placedError } from './user-function.ts';
import type { ValidScenario } from './validate.ts';
import { chooseVariants, type ChosenVariant } from './variants.ts';

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
  /** What items put in place may take, where the target keeps them in this process. */
  readonly memoryBytes?: number;
  /** The table that is there already and stands for the scenario's one table. */
  readonly existingTable?: string;
}

export interface PlannedRuns {
  readonly question: string;
  /** In the order of the product of parameters; the first is the baseline. */
  readonly plans: readonly RunPlan[];
  /** Constants of the capacity model that the scenario sets. */
  readonly model: ModelConstants;
}

/**
 * Plans all variants of a scenario.
 * @throws DynoLoadError SCENARIO_INVALID with all problems of the variants that `setParameters` makes;
 * NEEDS_WALL_CLOCK for `custom` workloads in virtual time
 */
export function planRuns(scenario: ValidScenario, options: PlanOptions): PlannedRuns {
  const issues = new IssueList(scenario.file);
  const parameters = overrideParameters(scenario.parameters, options.setParameters ?? [], issues);
  issues.throwIfAny();
  const variants = chooseVariants(parameters, scenario.functions.skip, issues);
  const evaluated = variants.flatMap((chosen) => evaluate(scenario, chosen, options, issues) ?? []);
  issues.throwIfAny();
  for (const variant of evaluated) refuseCustom(variant, options);
  const plans = evaluated.map((variant) => planVariant(scenario, variant, options, issues));
  issues.throwIfAny();
  checkRunSize(plans, issues, options.memoryBytes);
  issues.throwIfAny();
  return { question: scenario.question, plans, model: scenario.model };
}

function evaluate(
  scenario: ValidScenario,
  chosen: ChosenVariant,
  options: PlanOptions,
  issues: IssueList,
): EvaluatedVariant | undefined {
  const naming = {
    scenarioName: options.scenarioName,
    variantName: chosen.variant.name,
    variantIndex: chosen.variant.index,
    suffix: options.tableSuffix ?? '',
  };
  return evaluateVariant({
    functions: scenario.functions,
    thresholds: scenario.thresholds,
    abort: scenario.abort,
    chosen,
    tableName: (logicalName) => options.existingTable ?? tableNameFor(naming, logicalName),
    issues,
  });
}

function planVariant(
  scenario: ValidScenario,
  evaluated: EvaluatedVariant,
  options: PlanOptions,
  issues: IssueList,
): RunPlan {
  issues.enterVariant(evaluated.chosen.variant.name);
  checkStageSize(planStages(scenario.stages, options.measuredDurationUs), issues);
  const plan = new VariantPlanner(scenario, evaluated, options, issues).plan();
  issues.enterVariant(undefined);
  return plan;
}

/** The user's own data layer talks to a network, which virtual time does not have. */
function refuseCustom({ workloads }: EvaluatedVariant, { wallClock }: PlanOptions): void {
  const custom = workloads.find(({ definition }) => definition.kind === 'custom');
  if (!custom || wallClock) return;
  throw new DynoLoadError('NEEDS_WALL_CLOCK', {
    what: `workload "${custom.name}" is custom, which the simulated table cannot run`,
    why: 'its client talks to a network, and in virtual time there is none',
    fix: 'add --target serve, which is the same model behind a port, or --target with the URL of an endpoint',
  });
}

class VariantPlanner {
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
      isWrite: writes[definition.kind],
      load,
      policy: this.#planPolicy(workload, load),
      notes: isEverDue(load, this.#stages) ? notes : [...notes, NEVER_DUE],
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

const NEVER_DUE = 'at this rate no operation is due in the measured stages: raise the rate, or lengthen them';

/** Whether measured stages have any operation of a load; under concurrency they always have. */
function isEverDue(load: PlannedLoad, stages: readonly PlannedStage[]): boolean {
  if (load.kind === 'closed') return true;
  return stages.some(({ isMeasured, index }) => isMeasured && plannedCount(load.shape, stages, index) > 0);
}

/**
 * What one process sends through the AWS SDK without falling behind, operations per second, by our own measure
 * (src/README.md): above it, much of a latency is the client's.
 */
const SDK_OPERATIONS_PER_SECOND = 1_000;

/** Notes on all `custom` workloads where together they ask for more than the SDK can send. */
function noteSdkRate(
  workloads: readonly PlannedWorkload[],
  stages: readonly PlannedStage[],
): readonly PlannedWorkload[] {
  const custom = workloads.filter(({ kind }) => kind === 'custom');
  const perSecond = custom.reduce(
    (sum, { load }) => sum + (load.kind === 'open' ? highestPerSecond(load.shape, stages) : 0),
    0,
  );
  if (perSecond <= SDK_OPERATIONS_PER_SECOND) return workloads;
  const note =
    `custom operations are planned at up to ${Math.round(perSecond)}/s; the AWS SDK sends about ` +
    `${SDK_OPERATIONS_PER_SECOND}/s in one process, and beyond that the response times are its own`;
  return workloads.map((one) => (one.kind === 'custom' ? { ...one, notes: [...one.notes, note] } : one));
}

function planPreloads(
  instance: VariantInstance,
  tables: readonly TableSpec[],
  file: string,
): readonly PlannedPreload[] {
  return [...instance.preloads].map(([name, preload]) => {
    const table = tables.find(({ logicalName }) => logicalName === preload.table) ?? tables[0];
    assert(table, 'a scenario that was found valid has a table');
    return {
      name,
      tableName: table.tableName,
      count: preload.count,
      itemAt: (index) => preloadedItem(preload, index, { name, table, file }),
    };
  });
}

interface PreloadPlace {
  readonly name: string;
  readonly table: TableSpec;
  readonly file: string;
}

/**
 * One preloaded item in wire form, sound for its table: checks before load see a thousand of them, so that any
 * other one may still be the first that throws or has a wrong key.
 * @throws DynoLoadError SCENARIO_FUNCTION_THREW, OPERATION_INVALID or ITEM_TOO_LARGE naming entry and index
 */
function preloadedItem(
  preload: Preload<Item>,
  index: number,
  { name, table, file }: PreloadPlace,
): AttributeMap {
  const place = { which: `item ${index}`, of: `data.${name}`, file };
  try {
    const item = marshalItem(notPromised(preload.at(index)));
    checkItem(item, table, ({ code, ...fault }) => {
      throw new PlacedError(code, { ...place, ...fault });
    });
    return item;
  } catch (error) {
    throw error instanceof PlacedError ? error : placedError(error, place);
  }
}

function namedTable({ definition }: CheckedWorkload): string | undefined {
  return 'table' in definition.spec ? definition.spec.table : undefined;
}

/** What a flow does is not known before it runs, so it counts as a writer. */
const writes: Readonly<Record<WorkloadKind, boolean>> = {
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
