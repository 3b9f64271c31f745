// What rules of validity are given and what they say.
import type { RunResult, Validity, VariantResult } from './run-result.ts';

/** What a rule looks at: one variant, and what it ran on. */
export interface ValidityInput {
  readonly variant: Pick<
    VariantResult,
    'status' | 'abort' | 'measuredSeconds' | 'workloads' | 'generatorHealth' | 'isCarriedOver'
  >;
  readonly target: Pick<RunResult['target'], 'kind' | 'time' | 'capabilities'>;
  readonly stages: RunResult['scenario']['stages'];
}

export type Reason = Validity['reasons'][number];

/** A doubt, with what to do about it; `code` is stable. */
export function reason(status: Reason['status'], code: string, text: string, advice: string): Reason {
  return { code, status, text, advice };
}
