// What the record of a run says besides what was measured: tool, scenario, machine.
import { cpus } from 'node:os';
import process from 'node:process';
import type { WorkerChoice } from '../analysis/records/worker-health.ts';
import { RUN_SCHEMA_VERSION, type RunResult } from '../analysis/run-result.ts';
import type { RunFrame } from '../experiment/run-parts.ts';
import type { PlannedRuns } from '../scenario/plan.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { packageVersion, sdkVersion } from './package-version.ts';
import type { ScenarioFile } from './resolve-scenario.ts';
import type { RunOptions } from './run-options.ts';

export interface FrameFacts {
  readonly startedAt: Date;
  readonly tableSuffix: string;
  /** undefined in virtual time, which is one thread's. */
  readonly workers: WorkerChoice | undefined;
}

/** The frame of a run that begins now. */
export function frameOf(
  scenario: ScenarioFile,
  { question, plans }: PlannedRuns,
  options: RunOptions,
  { startedAt, tableSuffix, workers }: FrameFacts,
): RunFrame {
  const first = plans[0] as RunPlan;
  return {
    schemaVersion: RUN_SCHEMA_VERSION,
    tool: { name: 'dyno-load', version: packageVersion() },
    scenario: {
      name: scenario.name,
      question,
      seed: first.seed,
      startsAt: new Date(first.startsAtMs).toISOString(),
      parameters: parameterValues(plans),
      stages: first.stages.map(({ name, startUs, endUs, isMeasured, rateFactor }) => ({
        name,
        durationUs: endUs - startUs,
        isMeasured,
        rateFactor,
      })),
      goals: [...new Set(plans.flatMap((plan) => plan.goals.map((goal) => goal.text)))],
      rateFactor: options.rateFactor ?? 1,
    },
    environment: {
      startedAt: startedAt.toISOString(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cpuCount: cpus().length,
      sdkVersion: sdkVersion(),
      tableNameSuffix: tableSuffix === '' ? null : tableSuffix,
      ...(workers === undefined ? {} : { workers }),
    },
  };
}

/** Values by parameter, in the order in which variants use them. */
function parameterValues(plans: readonly RunPlan[]): RunResult['scenario']['parameters'] {
  // Names are the user's: in a plain object `constructor` would be there already.
  const values = new Map<string, (string | number | boolean)[]>();
  for (const { variant } of plans) {
    for (const [name, value] of Object.entries(variant.parameters)) {
      const known = values.get(name) ?? [];
      if (!known.includes(value)) known.push(value);
      values.set(name, known);
    }
  }
  return Object.fromEntries(values);
}
