// Which windows of a variant's time series lie wholly inside a stage.
import { US_PER_SECOND } from '../units.ts';
import type { RunResult, WorkloadResult } from './run-result.ts';

type Series = WorkloadResult['series'];
type RecordedStage = RunResult['scenario']['stages'][number];

/** Windows `from` … `until` − 1 of a measured stage. */
export interface StageWindows {
  readonly stage: RecordedStage;
  readonly from: number;
  readonly until: number;
}

/**
 * The measured stages with their windows, as far as the series goes; a window cut by a stage's border belongs
 * to none.
 */
export function measuredWindows(series: Series, stages: readonly RecordedStage[]): StageWindows[] {
  const windowUs = series.windowSeconds * US_PER_SECOND;
  const windows: StageWindows[] = [];
  let startUs = 0;
  for (const stage of stages) {
    const endUs = startUs + stage.durationUs;
    const from = Math.ceil(startUs / windowUs);
    const until = Math.min(Math.floor(endUs / windowUs), series.started.length);
    if (stage.isMeasured && until > from) windows.push({ stage, from, until });
    startUs = endUs;
  }
  return windows;
}
