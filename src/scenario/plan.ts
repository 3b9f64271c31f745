// From a valid scenario to one plan for each of its variants, with every default applied and every name
// resolved.
import type { ModelConstants } from '../capacity/capacity-model.ts';
import { DynoLoadError } from '../errors.ts';
import { type EvaluatedVariant, evaluateVariant } from './evaluate-variant.ts';
import { IssueList } from './issues.ts';
import { overrideParameters } from './parameters.ts';
import { type PlanOptions, VariantPlanner } from './plan-variant.ts';
import type { RunPlan } from './run-plan.ts';
import { checkRunSize, checkStageSize } from './run-size.ts';
import { planStages } from './stages.ts';
import { tableNameFor } from './table-name.ts';
import type { ValidScenario } from './validate.ts';
import { chooseVariants, type ChosenVariant } from './variants.ts';

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
  const sharing = options.sharesTables === true && variants.length > 1;
  const evaluated = variants.flatMap((chosen) => {
    const naming = namingOf(sharing ? undefined : chosen, options);
    return evaluate(scenario, chosen, naming, issues) ?? [];
  });
  issues.throwIfAny();
  for (const variant of evaluated) refuseCustom(variant, options);
  const plans = evaluated.map((variant) => planVariant(scenario, variant, options, issues));
  issues.throwIfAny();
  checkRunSize(plans, issues);
  issues.throwIfAny();
  return { question: scenario.question, plans, model: scenario.model };
}

/** How the tables of a variant, or those of all variants, are named. */
function namingOf(
  chosen: ChosenVariant | undefined,
  { scenarioName, tableSuffix = '', existingTable }: PlanOptions,
): (logicalName: string) => string {
  const naming = {
    scenarioName,
    variantName: chosen?.variant.name ?? 'shared',
    variantIndex: chosen?.variant.index ?? 0,
    suffix: tableSuffix,
  };
  return (logicalName) => existingTable ?? tableNameFor(naming, logicalName);
}

function evaluate(
  scenario: ValidScenario,
  chosen: ChosenVariant,
  tableName: (logicalName: string) => string,
  issues: IssueList,
): EvaluatedVariant | undefined {
  return evaluateVariant({
    functions: scenario.functions,
    thresholds: scenario.thresholds,
    abort: scenario.abort,
    chosen,
    tableName,
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
