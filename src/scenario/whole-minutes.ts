// Stages in whole minutes, for runs that are held against CloudWatch, which sums by the minute.
import { US_PER_MINUTE, US_PER_SECOND } from '../units.ts';
import type { CheckedStage } from './stages.ts';

/** One minute could be cut by clocks that differ a little; of two, one is whole in any case. */
const LEAST_MINUTES = 2;

export interface WholeMinuteStages {
  readonly stages: readonly CheckedStage[];
  /** What was lengthened, for the report. */
  readonly notes: readonly string[];
}

/**
 * Rounds stages up: measured ones to whole minutes, at least two, and those between them to whole minutes. What
 * comes before the first measured stage keeps its length, since load starts so much earlier.
 * @param measuredDurationUs  replaces the length of measured stages, as `--duration` does, and caps the others
 */
export function wholeMinuteStages(
  stages: readonly CheckedStage[],
  measuredDurationUs: number | undefined,
): WholeMinuteStages {
  const first = stages.findIndex(({ isMeasured }) => isMeasured);
  const notes: string[] = [];
  const rounded = stages.map((stage, index) => {
    const wantedUs = wantedLength(stage, measuredDurationUs);
    if (index < first) return { ...stage, durationUs: wantedUs };
    const least = stage.isMeasured ? LEAST_MINUTES : 1;
    const minutes = Math.max(least, Math.ceil(wantedUs / US_PER_MINUTE));
    if (minutes * US_PER_MINUTE !== wantedUs)
      notes.push(
        `Stage ${stage.name} lasts ${minutes} min instead of ${wantedUs / US_PER_SECOND} s, since CloudWatch sums by the minute.`,
      );
    return { ...stage, durationUs: minutes * US_PER_MINUTE };
  });
  return { stages: rounded, notes };
}

function wantedLength(
  { durationUs, isMeasured }: CheckedStage,
  measuredDurationUs: number | undefined,
): number {
  if (measuredDurationUs === undefined) return durationUs;
  return isMeasured ? measuredDurationUs : Math.min(durationUs, measuredDurationUs);
}
