// The lines of segments.jsonl that say what is run, before and between what is measured.
import { SEGMENTS_VERSION, type SegmentsLine, type VariantLine } from '../analysis/records/segments.ts';
import type { RunResult } from '../analysis/run-result.ts';
import { recordedPlan } from '../engine/variant-record.ts';
import type { Execution } from './repeat-order.ts';
import type { RunFrame } from './run-parts.ts';

/** What holds for all variants: the first lines of the file. */
export function headLines(
  { schemaVersion, tool, scenario, environment }: RunFrame,
  { order, repeats }: { readonly order: readonly string[]; readonly repeats: number },
): SegmentsLine[] {
  return [
    { kind: 'environment', segmentsVersion: SEGMENTS_VERSION, environment },
    { kind: 'run', schemaVersion, tool, scenario, order: [...order], repeats },
  ];
}

/** What a report needs to know of a variant that never came to its end. */
export function variantLine({ plan, repeat }: Execution, target: RunResult['target']): VariantLine {
  const { name, index, parameters } = plan.variant;
  const { stages, workloads } = recordedPlan(plan);
  return {
    kind: 'variant',
    name,
    index,
    ...(repeat === undefined ? {} : { repeat }),
    parameters: { ...parameters },
    target,
    tables: plan.tables.map(({ tableName, logicalName }) => ({ tableName, logicalName })),
    stages: [...stages],
    workloads: [...workloads],
    goals: [...plan.goals],
  };
}
