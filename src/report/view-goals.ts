// Goals met or missed, and by how much, per variant.
import type { GoalResult, RunResult, VariantResult } from '../analysis/run-result.ts';
import { whyMissing } from '../analysis/why-missing.ts';
import { findMetric } from '../scenario/metric.ts';
import { distanceText, MISSING, metricText } from './number-format.ts';
import { type Cell, cell, left, right, type TableSection } from './section.ts';
import { variantCell } from './variant-cell.ts';

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
    columns: [left('variant'), left('goal'), right('measured'), left('result', { yields: 'wrap' })],
    rows,
  };
}

function goalRow(variant: VariantResult, goal: GoalResult, index: number): Cell[] {
  const unit = findMetric(goal.metric)?.unit ?? 'units';
  const value = goal.value === null ? MISSING : metricText(goal.value, unit);
  return [variantCell(variant, index), cell(goal.text), cell(value), resultCell(goal, variant)];
}

function resultCell(goal: GoalResult, variant: VariantResult): Cell {
  const unit = findMetric(goal.metric)?.unit ?? 'units';
  const distance = goal.value === null ? '' : distanceText(Math.abs(goal.value - goal.limit), unit);
  const modelled = goal.isModelled === true ? ' (modelled)' : '';
  switch (goal.status) {
    case 'met':
      return cell(`✓ met, ${distance} to spare${modelled}`, 'good');
    case 'missed':
      return cell(`✗ missed by ${distance}${modelled}`, 'bad');
    case 'missing':
      return cell(`✗ missing: ${whyMissing(goal, variant)}`, 'bad');
    case 'notMeasurableHere':
      return cell('? not measurable here', 'doubtful');
  }
}
