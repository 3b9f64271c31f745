// Goals met or missed, and by how much, per variant.
import type { GoalResult, RunResult, VariantResult } from '../analysis/run-result.ts';
import { findMetric } from '../scenario/metric.ts';
import { distanceText, MISSING, metricText } from './number-format.ts';
import { type Cell, cell, type TableSection } from './section.ts';

/** One row per variant and goal; null where the scenario states none. */
export function goalsSection({ variants }: RunResult): TableSection | null {
  const rows = variants.flatMap((variant) =>
    (variant.status === 'notRun' ? [] : variant.goals).map((goal, index) => goalRow(variant, goal, index)),
  );
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    isGrouped: true,
    title: 'Goals',
    columns: [
      { head: 'variant', align: 'left' },
      { head: 'goal', align: 'left' },
      { head: 'measured', align: 'right' },
      { head: 'result', align: 'left' },
    ],
    rows,
  };
}

function goalRow(variant: VariantResult, goal: GoalResult, index: number): Cell[] {
  const unit = findMetric(goal.metric)?.unit ?? 'units';
  const value = goal.value === null ? MISSING : metricText(goal.value, unit);
  return [cell(index === 0 ? variant.name : '', 'strong'), cell(goal.text), cell(value), resultCell(goal)];
}

function resultCell(goal: GoalResult): Cell {
  const unit = findMetric(goal.metric)?.unit ?? 'units';
  const distance = goal.value === null ? '' : distanceText(Math.abs(goal.value - goal.limit), unit);
  switch (goal.status) {
    case 'met':
      return cell(`✓ met, ${distance} to spare`, 'good');
    case 'missed':
      return cell(`✗ missed by ${distance}`, 'bad');
    case 'missing':
      return cell('✗ missing, which counts as missed', 'bad');
    case 'notMeasurableHere':
      return cell('? not measurable here', 'doubtful');
  }
}
