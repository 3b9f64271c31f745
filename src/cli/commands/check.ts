// `dyno-load check`: is a scenario sound? Loads, validates and plans it, generates operations of each
// variant, and type-checks the file.
import { DynoLoadError, type ErrorCode, exitCodes } from '../../errors.ts';
import { capacityModels } from '../../capacity/capacity-model.ts';
import { withConstants } from '../../capacity/model-constants.ts';
import { tryOperations } from '../../experiment/try-operations.ts';
import { checkOperations } from '../../scenario/check-operations.ts';
import { visibleText } from '../../report/visible-text.ts';
import { planRuns } from '../../scenario/plan.ts';
import type { RunPlan } from '../../scenario/run-plan.ts';
import { validateScenario } from '../../scenario/validate.ts';
import { errorText } from '../error-text.ts';
import type { Io } from '../io.ts';
import { loadScenario } from '../load-scenario.ts';
import { resolveScenario, type ScenarioFile } from '../resolve-scenario.ts';
import { type TypeCheck, typeCheck } from '../type-check.ts';

/** What a check found: a text for people, and 0 or the exit code of what is wrong. */
export interface CheckResult {
  readonly text: string;
  readonly exitCode: number;
}

/** Checks a scenario and prints the result. @returns the exit code */
export async function checkCommand(scenario: string, io: Io): Promise<number> {
  const { text, exitCode } = await checkScenario(scenario, io.cwd);
  if (exitCode === exitCodes.success) io.out(`${text}\n`);
  else io.err(`${text}\n`);
  return exitCode;
}

/**
 * Checks a scenario, everything at once: what validation finds and what the compiler finds are told together.
 * @throws DynoLoadError SCENARIO_NOT_FOUND
 */
export async function checkScenario(scenario: string, cwd: string): Promise<CheckResult> {
  const file = await resolveScenario(scenario, cwd);
  const [soundness, types] = await Promise.all([checkSoundness(file), typeCheck(file.path)]);
  const errors = [soundness, typeError(file, types)].filter((result) => result instanceof DynoLoadError);
  if (errors[0]) return { text: errors.map(errorText).join('\n'), exitCode: errors[0].exitCode };
  const plans = soundness instanceof DynoLoadError ? [] : soundness;
  return { text: visibleText(`${file.shownPath}: ${describe(plans, types)}`), exitCode: exitCodes.success };
}

async function checkSoundness(file: ScenarioFile): Promise<readonly RunPlan[] | DynoLoadError> {
  try {
    const exported = await loadScenario(file.path, { shownPath: file.shownPath });
    const scenario = validateScenario(exported, { file: file.shownPath });
    // Whether it can run on the simulated table is a matter of the run, not of the scenario.
    const { plans, model } = planRuns(scenario, { scenarioName: file.name, wallClock: true });
    await checkOperations(plans, { file: file.shownPath });
    tryOperations(plans, { file: file.shownPath, model: withConstants(capacityModels.default, model) });
    return plans;
  } catch (error) {
    if (error instanceof DynoLoadError) return error;
    throw error;
  }
}

function typeError(file: ScenarioFile, types: TypeCheck): DynoLoadError | undefined {
  if (types.kind !== 'checked' || types.issues.length === 0) return undefined;
  const code: ErrorCode = 'SCENARIO_TYPE_ERROR';
  const [only, ...more] = types.issues;
  if (only && more.length === 0) return new DynoLoadError(code, only);
  return new DynoLoadError(code, {
    what: `${types.issues.length} type errors in ${file.shownPath}`,
    why: `${types.compiler} says so`,
    fix: 'correct each of them',
    issues: types.issues,
  });
}

function describe(plans: readonly RunPlan[], types: TypeCheck): string {
  const workloads = plans[0]?.workloads.length ?? 0;
  const typed =
    types.kind === 'checked' ? `types checked by ${types.compiler}` : `types not checked (${types.why})`;
  return `${count(plans.length, 'variant')}, ${count(workloads, 'workload')}, ok; ${typed}${customNote(plans)}`;
}

/** What was not checked, since only the user's own client can make it. */
function customNote(plans: readonly RunPlan[]): string {
  const custom = plans.flatMap(({ workloads }) => workloads).filter(({ kind }) => kind === 'custom');
  if (custom.length === 0) return '';
  const names = [...new Set(custom.map(({ name }) => name))].join(', ');
  return `; operations of custom workloads not generated (${names}): they run on --target serve or a URL`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
