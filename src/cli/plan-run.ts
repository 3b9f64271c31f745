// Scenario file and options → plans of all variants, checked: what can be known before anything is touched.
import { type CapacityModel, capacityModels } from '../capacity/capacity-model.ts';
import { withConstants } from '../capacity/model-constants.ts';
import { processScheduler } from '../clock.ts';
import type { PrepareProgress } from '../engine/target.ts';
import { alignedStart } from '../engine/service-counts/load-minutes.ts';
import { DynoLoadError } from '../errors.ts';
import { tryOperations } from '../experiment/try-operations.ts';
import { checkOperations } from '../scenario/check-operations.ts';
import { KeyChoices } from '../scenario/key-choices.ts';
import { type PlannedRuns, planRuns } from '../scenario/plan.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { canShareTables } from '../scenario/shared-tables.ts';
import { type ValidScenario, validateScenario } from '../scenario/validate.ts';
import { wholeMinuteStages } from '../scenario/whole-minutes.ts';
import { US_PER_MS } from '../units.ts';
import { isObserved } from './live/live-options.ts';
import { loadScenario } from './load-scenario.ts';
import type { ScenarioFile } from './resolve-scenario.ts';
import type { RunOptions } from './run-options.ts';

/** Options that plans depend on; plain data. */
export type PlanningOptions = Pick<
  RunOptions,
  | 'target'
  | 'set'
  | 'duration'
  | 'rateFactor'
  | 'seed'
  | 'preset'
  | 'table'
  | 'preload'
  | 'cloudwatch'
  | 'contributorInsights'
>;

/** The planning options among all those of a run. */
export function planningOptions(options: RunOptions): PlanningOptions {
  const { set, preset, target, duration, rateFactor, seed, table, preload } = options;
  const { cloudwatch, contributorInsights } = options;
  return {
    set,
    preset,
    ...(target === undefined ? {} : { target }),
    ...(duration === undefined ? {} : { duration }),
    ...(rateFactor === undefined ? {} : { rateFactor }),
    ...(seed === undefined ? {} : { seed }),
    ...(table === undefined ? {} : { table }),
    ...(preload === undefined ? {} : { preload }),
    ...(cloudwatch === undefined ? {} : { cloudwatch }),
    ...(contributorInsights === undefined ? {} : { contributorInsights }),
  };
}

export interface PlanningFacts {
  readonly wallClock: boolean;
  readonly tableSuffix: string;
  /** What another thread found when it planned and checked the same; absent: nobody did. */
  readonly foundElsewhere?: { readonly sharesTables: boolean };
  /** Told now and then how far that is which takes long. */
  readonly progress?: (state: PrepareProgress) => void;
}

/** The capacity model of a run: the preset, with what the scenario sets of its own. */
export function modelOfRun(
  { preset }: Pick<RunOptions, 'preset'>,
  { model }: Pick<PlannedRuns, 'model'>,
): CapacityModel {
  return withConstants(capacityModels[preset], model);
}

/** A run that may start, and what its options changed of the scenario. */
export type CheckedRuns = PlannedRuns & { readonly notes: readonly string[] };

/**
 * Loads, validates and plans, and checks sample operations.
 * @throws DynoLoadError for whatever is wrong with the scenario or the options
 */
export async function planScenario(
  { path, name, shownPath }: ScenarioFile,
  options: PlanningOptions,
  { wallClock, tableSuffix, foundElsewhere, progress }: PlanningFacts,
): Promise<CheckedRuns> {
  const valid = validateScenario(await loadScenario(path, { shownPath }), { file: shownPath });
  const { notes, ...times } = isObserved(options)
    ? observedTimes(valid, options, wallClock)
    : { stages: valid.stages, startsAtMs: valid.startsAtMs, notes: [] };
  const planWith = (sharesTables: boolean): PlannedRuns =>
    planRuns(
      { ...valid, ...times },
      {
        scenarioName: name,
        setParameters: options.set,
        wallClock,
        sharesTables,
        ...(options.seed === undefined ? {} : { seed: options.seed }),
        ...(options.duration === undefined || isObserved(options)
          ? {}
          : { measuredDurationUs: options.duration }),
        ...(options.rateFactor === undefined ? {} : { rateFactor: options.rateFactor }),
        ...(tableSuffix === '' ? {} : { tableSuffix }),
        ...(options.table === undefined ? {} : { existingTable: options.table }),
      },
    );
  if (foundElsewhere !== undefined) return { ...planWith(foundElsewhere.sharesTables), notes };
  const planned = planWith(false);
  const choices = new KeyChoices();
  await checkOperations(planned.plans, { file: shownPath, choices });
  tryOperations(planned.plans, { file: shownPath, model: modelOfRun(options, planned) });
  // Only the names of tables differ then, so that what was checked still holds.
  const final = wallClock && (await canShare(planned, options, progress)) ? planWith(true) : planned;
  const plans = toPreload(final, options).map((plan) => choices.noted(plan));
  return { ...final, plans, notes };
}

/** The plans, without their preloads where these are there already. */
function toPreload({ plans }: PlannedRuns, { preload }: PlanningOptions): readonly RunPlan[] {
  return preload === false ? plans.map((plan) => ({ ...plan, preloads: [] })) : plans;
}

function canShare(
  planned: PlannedRuns,
  options: PlanningOptions,
  progress: PlanningFacts['progress'],
): Promise<boolean> {
  return canShareTables(toPreload(planned, options), {
    isTableExisting: options.table !== undefined,
    turn: ({ preload, done, of }) => {
      progress?.({ what: `compare preload ${preload} of all variants`, done, of });
      return new Promise((resolve) => processScheduler.soon(resolve));
    },
  });
}

/**
 * CloudWatch sums by the minute: stages that are to be held against it fill whole ones. A run in virtual time starts
 * when that needs it; others wait for their minute.
 */
function observedTimes(
  { stages: asked, startsAtMs }: ValidScenario,
  options: PlanningOptions,
  wallClock: boolean,
): Pick<ValidScenario, 'stages' | 'startsAtMs'> & Pick<CheckedRuns, 'notes'> {
  const { stages, notes } = wholeMinuteStages(asked, options.duration);
  if (wallClock) return { stages, startsAtMs, notes };
  const before = stages.slice(
    0,
    Math.max(
      0,
      stages.findIndex(({ isMeasured }) => isMeasured),
    ),
  );
  const leadMs = before.reduce((sum, { durationUs }) => sum + durationUs, 0) / US_PER_MS;
  return { stages, startsAtMs: alignedStart(startsAtMs, leadMs), notes };
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
