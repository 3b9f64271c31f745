// What a reader should know of a trace that is shorter or longer than the measured stages.
import type { RateShape, StageSpan } from '../workload/arrival.ts';
import { formatDuration, US_PER_SECOND } from '../units.ts';

/** A note for the plan, or none where the trace fits to the second. */
export function traceNotes(shape: RateShape, stages: readonly StageSpan[]): readonly string[] {
  const endUs = traceEndUs(shape);
  if (endUs === undefined) return [];
  const measuredUs = stages.reduce((sum, one) => sum + (one.isMeasured ? one.endUs - one.startUs : 0), 0);
  if (Math.abs(measuredUs - endUs) < US_PER_SECOND) return [];
  const [trace, measured] = [formatDuration(endUs), formatDuration(measuredUs)];
  if (endUs < measuredUs)
    return [`the trace ends after ${trace} of ${measured} measured, and nothing is due after it`];
  return [`the trace lasts ${trace} and is cut at ${measured}, the end of the measured stages`];
}

function traceEndUs(shape: RateShape): number | undefined {
  if (shape.kind === 'trace') return shape.perSecond.length * US_PER_SECOND;
  return shape.kind === 'moments' ? shape.atUs.at(-1) : undefined;
}
