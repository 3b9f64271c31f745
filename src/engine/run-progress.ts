// Where a run stands at one moment, for whoever watches it. Cheap enough for a few looks a second.
import type { PlannedStage } from '../scenario/run-plan.ts';
import type { StageRecorder } from './stage-recorder.ts';
import type { WorkloadRunner } from './workload-runner.ts';

/** How far a variant has come. */
export interface RunProgress {
  /** µs since the start of load. */
  readonly atUs: number;
  /** Operations so far, all workloads and stages together. */
  readonly planned: number;
  readonly finished: number;
  readonly ok: number;
  readonly throttled: number;
  readonly dropped: number;
  readonly inFlight: number;
  /** The reason of most throttled requests and where; undefined while there was none. */
  readonly topThrottle: { readonly reason: string; readonly resource: string } | undefined;
  /** p99 response of ok operations in the stage under way, of the slowest workload; undefined while there is none. */
  readonly responseP99Us: number | undefined;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Adds up what has been recorded of each workload so far. */
export function progressOf(
  runners: readonly Pick<WorkloadRunner, 'recorder' | 'inFlight'>[],
  stages: readonly PlannedStage[],
  atUs: number,
): RunProgress {
  const recorders = runners.flatMap((runner) => runner.recorder.stages);
  const current = stages.find((stage) => atUs < stage.endUs) ?? stages.at(-1);
  const units = recorders.flatMap((stage) => stage.units.rows());
  const sum = (count: (stage: StageRecorder) => number) =>
    recorders.reduce((total, stage) => total + count(stage), 0);
  return {
    atUs,
    planned: sum((stage) => stage.planned),
    finished: sum((stage) => stage.finished),
    ok: sum((stage) => stage.outcomes.get('ok')?.count ?? 0),
    throttled: sum((stage) => stage.outcomes.get('throttled')?.count ?? 0),
    dropped: sum((stage) => stage.dropped),
    inFlight: runners.reduce((total, runner) => total + runner.inFlight, 0),
    topThrottle: topThrottle(recorders),
    responseP99Us: slowestP99(runners.map((runner) => runner.recorder.stages[current?.index ?? 0])),
    readUnits: units.reduce((total, row) => total + row.readUnits, 0),
    writeUnits: units.reduce((total, row) => total + row.writeUnits, 0),
  };
}

function topThrottle(recorders: readonly StageRecorder[]): RunProgress['topThrottle'] {
  let top: RunProgress['topThrottle'];
  let most = 0;
  for (const { throttles } of recorders) {
    for (const [reason, resources] of throttles) {
      for (const [resource, count] of resources) {
        if (count <= most) continue;
        most = count;
        top = { reason, resource };
      }
    }
  }
  return top;
}

function slowestP99(stages: readonly (StageRecorder | undefined)[]): number | undefined {
  const histograms = stages
    .map((stage) => stage?.outcomes.get('ok')?.response)
    .filter((histogram) => histogram !== undefined);
  return histograms.length === 0
    ? undefined
    : Math.max(...histograms.map((histogram) => histogram.quantile(0.99)));
}
