// What a report says where all runs of a scenario read the same tables.
import type { RunPlan } from '../scenario/run-plan.ts';

/** What a run knows of the tables that its variants shared. */
export interface SharingFacts {
  /** Whichever filled the tables. */
  readonly plan: Pick<RunPlan, 'tables' | 'preloads'>;
  /** How many runs found them filled. */
  readonly runs: number;
  /** Whether what throttling depends on lives on in them. */
  readonly isThrottling: boolean;
}

/** What was saved, and what was carried over. */
export function sharingNote({ plan, runs, isThrottling }: SharingFacts): string {
  const items = plan.preloads.reduce((sum, { count }) => sum + count, 0);
  const tables = plan.tables.length === 1 ? 'one table' : `${plan.tables.length} tables`;
  const saved =
    items === 0
      ? `${tables} made once for ${runs + 1} runs`
      : `${tables} filled once for ${runs + 1} runs, ${count(runs, 'preload')} of ${count(items, 'item')} saved`;
  const carried =
    'What throttling depends on was carried over from run to run: burst that was used up, adaptive capacity, splits.';
  return `All variants only read, so they shared ${saved}.${isThrottling ? ` ${carried}` : ''}`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
