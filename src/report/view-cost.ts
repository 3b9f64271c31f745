// What an operation costs: requests, units and money for each that succeeded, so that a write that got
// cheaper and a read that got dearer stand side by side.
import { estimateCost, type Prices } from '../analysis/cost.ts';
import { consumedUnits } from '../analysis/metrics.ts';
import type { RunResult, VariantResult, WorkloadResult } from '../analysis/run-result.ts';
import { numberCell } from './number-format.ts';
import { type Cell, cell, left, right, type TableSection } from './section.ts';
import { variantCell } from './variant-cell.ts';

interface Spent {
  readonly name: string;
  readonly requests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Successful operations of the workload. */
  readonly operations: number;
  /** Where it is on record already; the verdict rests on the same figure. */
  readonly usdPerMillion?: number | null;
}

/** One row per variant and workload, and one for each step of a flow; null where the record has no prices. */
export function costTable({ variants, prices }: RunResult): TableSection | null {
  if (prices === undefined) return null;
  const rows = variants.flatMap((variant) => variantRows(variant, prices));
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    isGrouped: true,
    title:
      `Cost of a successful operation (units on table and indexes; on demand, ${prices.region}, ` +
      `prices as of ${prices.asOf})`,
    columns: [
      left('variant'),
      left('workload'),
      right('requests'),
      right('write units'),
      right('read units'),
      right('USD per million'),
    ],
    rows,
  };
}

function variantRows(variant: VariantResult, prices: Prices): Cell[][] {
  const isEstimated = variant.workloads.some(({ measured }) => measured.estimatedUnits.length > 0);
  return variant.workloads
    .flatMap((workload) => [spentBy(workload), ...stepsOf(workload)])
    .map((spent, index) => [
      variantCell(variant, index),
      ...spentCells(spent, prices, isEstimated ? '≈' : ''),
    ]);
}

function spentBy({ name, measured, metrics }: WorkloadResult): Spent {
  return {
    name,
    requests: measured.requests,
    ...consumedUnits(measured),
    operations: measured.outcomes.ok,
    usdPerMillion: metrics.costPerMillion ?? null,
  };
}

function stepsOf({ steps, measured }: WorkloadResult): Spent[] {
  return steps.map(({ label, ...totals }) => ({
    ...totals,
    name: `  ${label}`,
    operations: measured.outcomes.ok,
  }));
}

function spentCells(spent: Spent, prices: Prices, about: string): Cell[] {
  const { operations } = spent;
  const each = (total: number): number | null => (operations > 0 ? total / operations : null);
  const tone = spent.name.startsWith(' ') ? 'quiet' : 'plain';
  const figure = (total: number): Cell => cell(numberCell(each(total)), tone);
  const { usdPerMillion: usd = each(estimateCost(spent, prices).usd * 1_000_000) } = spent;
  return [
    cell(spent.name, tone),
    figure(spent.requests),
    figure(spent.writeUnits),
    figure(spent.readUnits),
    cell(usd === null ? numberCell(usd) : `${about}${usdFigure(usd)}`, tone),
  ];
}

/** Cents from one dollar up, three significant digits below. */
function usdFigure(usd: number): string {
  return usd >= 1 && usd < 100 ? usd.toFixed(2) : numberCell(usd);
}
