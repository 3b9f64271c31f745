// Scenario file and options → plans of all variants, checked: what can be known before anything is touched.
import { getHeapStatistics } from 'node:v8';
import { capacityModels } from '../capacity/capacity-model.ts';
import { DynoLoadError } from '../errors.ts';
import { tryOperations } from '../experiment/try-operations.ts';
import { checkOperations } from '../scenario/check-operations.ts';
import { type PlannedRuns, planRuns } from '../scenario/plan.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { validateScenario } from '../scenario/validate.ts';
import { wholeMinuteStages } from '../scenario/whole-minutes.ts';
import { isObserved } from './live/live-options.ts';
import { loadScenario } from './load-scenario.ts';
import type { ScenarioFile } from './resolve-scenario.ts';
import { type RunOptions, SERVED, SIMULATED } from './run-options.ts';

/** A run that may start, and what its options changed of the scenario. */
export type CheckedRuns = PlannedRuns & { readonly notes: readonly string[] };

/**
 * Loads, validates and plans, and checks sample operations.
 * @throws DynoLoadError for whatever is wrong with the scenario or the options
 */
export async function planScenario(
  { path, name, shownPath }: ScenarioFile,
  options: RunOptions,
  { wallClock, tableSuffix }: { wallClock: boolean; tableSuffix: string },
): Promise<CheckedRuns> {
  const valid = validateScenario(await loadScenario(path, { shownPath }), { file: shownPath });
  // CloudWatch sums by the minute: stages that are to be held against it fill whole ones.
  const { stages, notes } = isObserved(options)
    ? wholeMinuteStages(valid.stages, options.duration)
    : { stages: valid.stages, notes: [] };
  const planned = planRuns(
    { ...valid, stages },
    {
      scenarioName: name,
      setParameters: options.set,
      wallClock,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.duration === undefined || isObserved(options)
        ? {}
        : { measuredDurationUs: options.duration }),
      ...(options.rateFactor === undefined ? {} : { rateFactor: options.rateFactor }),
      ...(tableSuffix === '' ? {} : { tableSuffix }),
      ...(keepsItems(options) ? { memoryBytes: getHeapStatistics().heap_size_limit } : {}),
      ...(options.table === undefined ? {} : { existingTable: options.table }),
    },
  );
  await checkOperations(planned.plans, { file: shownPath });
  tryOperations(planned.plans, { file: shownPath, model: capacityModels[options.preset] });
  const plans =
    options.preload === false ? planned.plans.map((plan) => ({ ...plan, preloads: [] })) : planned.plans;
  return { ...planned, plans, notes };
}

/** Whether the table lies in this process. */
function keepsItems({ target, preload }: RunOptions): boolean {
  return (target === undefined || target === SIMULATED || target === SERVED) && preload !== false;
}

/** Which variants `--gate` means. @throws DynoLoadError USAGE for names of none */
export function gateOf({ gate }: RunOptions, plans: readonly RunPlan[]): boolean | readonly string[] {
  if (gate === undefined || typeof gate === 'boolean') return gate ?? false;
  const names = plans.map((plan) => plan.variant.name);
  const unknown = gate.filter((name) => !names.includes(name));
  if (unknown.length === 0) return gate;
  throw new DynoLoadError('USAGE', {
    what: `--gate names ${unknown.map((name) => `"${name}"`).join(', ')}, and there is no such variant`,
    why: `the variants of this run are ${names.map((name) => `"${name}"`).join(', ')}`,
    fix: 'give --gate alone for all variants, or names as above, each in quotes if it has spaces',
  });
}
