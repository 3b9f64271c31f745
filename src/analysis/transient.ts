// Did a stage settle? A stage whose end differs from its beginning is an average of two states, and its
// figures hold for neither.
import { judgeTrend } from '../stats/trend.ts';
import type { RunResult, WorkloadResult } from './run-result.ts';
import { measuredWindows, type StageWindows } from './stage-windows.ts';

/** A measured stage of one workload that was not steady. Ratios are of the operations started. */
export interface TransientStage {
  readonly workload: string;
  readonly stage: string;
  readonly measure: 'throttled' | 'accepted';
  readonly firstThirdRatio: number;
  readonly lastThirdRatio: number;
}

/**
 * Thirds must differ by this share of the operations started: less would not change an answer, however
 * certain it is.
 */
const LEAST_TRANSIENT_RATIO = 0.01;

/**
 * Measured stages whose first and last third differ beyond noise (see stats/trend.ts) in the share of
 * operations throttled or accepted. Shares are compared, not rates, so that the scatter of Poisson arrivals
 * does not count; a stage whose planned rate itself changes (ramp, steps) is not judged, since its shares
 * move by design.
 */
export function findTransients(
  workloads: readonly Pick<WorkloadResult, 'name' | 'load' | 'series'>[],
  stages: RunResult['scenario']['stages'],
): TransientStage[] {
  return workloads.flatMap((workload) =>
    measuredWindows(workload.series, stages).flatMap((windows) => {
      const found = judgeStage(workload, windows);
      return found === null ? [] : [found];
    }),
  );
}

function judgeStage(
  { name, load, series }: Pick<WorkloadResult, 'name' | 'load' | 'series'>,
  { stage, from, until }: StageWindows,
): TransientStage | null {
  const started = series.started.slice(from, until);
  if (load.kind === 'open' && judgeTrend(series.planned.slice(from, until)).kind === 'transient') return null;
  for (const [measure, counts] of [
    ['throttled', series.throttled],
    ['accepted', series.ok],
  ] as const) {
    const trend = judgeTrend(shares(counts.slice(from, until), started));
    const differs = Math.abs(trend.lastThird - trend.firstThird) >= LEAST_TRANSIENT_RATIO;
    if (trend.kind !== 'transient' || !differs) continue;
    const ratios = { firstThirdRatio: trend.firstThird, lastThirdRatio: trend.lastThird };
    return { workload: name, stage: stage.name, measure, ...ratios };
  }
  return null;
}

/** Part of the whole per window; windows in which nothing was started say nothing and are left out. */
function shares(parts: readonly number[], wholes: readonly number[]): number[] {
  return wholes.flatMap((whole, index) => (whole > 0 ? [(parts[index] ?? 0) / whole] : []));
}
