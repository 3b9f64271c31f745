// What rules of validity are given and what they say.
import type { RunResult, Validity, VariantResult } from './run-result.ts';

export interface ValidityInput {
  readonly variant: Pick<
    VariantResult,
    'status' | 'abort' | 'measuredSeconds' | 'workloads' | 'generatorHealth' | 'isCarriedOver'
  >;
  readonly target: Pick<RunResult['target'], 'kind' | 'time' | 'capabilities'>;
  readonly stages: RunResult['scenario']['stages'];
}

export type Reason = Validity['reasons'][number];

export function reason(status: Reason['status'], code: string, text: string, advice: string): Reason {
  return { code, status, text, advice };
}

/** Part ÷ whole; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
