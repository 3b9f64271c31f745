// The spans of time of a run: warm-up that is not measured, and what is.
import { US_PER_SECOND } from '../units.ts';
import type { IssueList } from './issues.ts';
import type { PlannedStage } from './run-plan.ts';
import { SpecReader, showValue } from './spec-reader.ts';

/** A stage with its defaults filled in. */
export interface CheckedStage {
  readonly name: string;
  readonly durationUs: number;
  readonly isMeasured: boolean;
  readonly rateFactor: number;
}

/** Ten seconds to settle, then thirty that count. */
const defaultStages: readonly CheckedStage[] = [
  { name: 'warm-up', durationUs: 10 * US_PER_SECOND, isMeasured: false, rateFactor: 1 },
  { name: 'steady', durationUs: 30 * US_PER_SECOND, isMeasured: true, rateFactor: 1 },
];

/** The stages of a scenario, or the default ones where it has none. */
export function readStages(value: unknown, issues: IssueList): readonly CheckedStage[] {
  if (value === undefined) return defaultStages;
  if (!Array.isArray(value)) {
    issues.add({
      at: 'stages',
      is: `is ${showValue(value)}`,
      why: 'stages are a list, in the order in which they run',
      fix: "write [{ name: 'steady', duration: '30s' }]",
    });
    return defaultStages;
  }
  const stages = value.flatMap((stage: unknown, index) => readStage(stage, `stages[${index}]`, issues) ?? []);
  checkTogether(stages, value.length, issues);
  return stages;
}

function readStage(value: unknown, at: string, issues: IssueList): CheckedStage | undefined {
  const reader = SpecReader.of(value, at, issues, 'a stage');
  if (!reader) return undefined;
  reader.allowOnly(['name', 'duration', 'measured', 'rateFactor']);
  reader.require('name', 'reports tell stages apart by name', "add name: 'steady'");
  reader.require('duration', 'a stage lasts for some time', "add duration: '30s'");
  const name = reader.text('name', 'the name of a stage');
  const durationUs = reader.duration('duration', { mayBeZero: false });
  const isMeasured = reader.flag('measured') ?? true;
  const rateFactor = reader.positive('rateFactor', 'it multiplies every rate of the stage') ?? 1;
  if (name === undefined || durationUs === undefined) return undefined;
  return { name, durationUs, isMeasured, rateFactor };
}

function checkTogether(stages: readonly CheckedStage[], given: number, issues: IssueList): void {
  const names = stages.map(({ name }) => name);
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
    issues.add({
      at: 'stages',
      is: `have two named "${name}"`,
      why: 'reports tell stages apart by name',
      fix: 'rename one of them',
    });
  // Stages with problems of their own may have been the measured ones.
  if (stages.length === given && !stages.some(({ isMeasured }) => isMeasured))
    issues.add({
      at: 'stages',
      is: 'have none that is measured',
      why: 'only measured stages are reported and held against goals',
      fix: 'leave measured: false away from at least one stage',
    });
}

/**
 * Stages end to end on the time axis.
 * @param measuredDurationUs  replaces the length of each measured stage and caps that of the others
 */
export function planStages(
  stages: readonly CheckedStage[],
  measuredDurationUs: number | undefined,
): readonly PlannedStage[] {
  let startUs = 0;
  return stages.map(({ name, durationUs, isMeasured, rateFactor }, index) => {
    const lengthUs = lengthOf(durationUs, isMeasured, measuredDurationUs);
    const stage = { index, name, startUs, endUs: startUs + lengthUs, isMeasured, rateFactor };
    startUs = stage.endUs;
    return stage;
  });
}

function lengthOf(durationUs: number, isMeasured: boolean, measuredDurationUs: number | undefined): number {
  if (measuredDurationUs === undefined) return durationUs;
  return isMeasured ? measuredDurationUs : Math.min(durationUs, measuredDurationUs);
}
