// Latencies over time as HdrHistogram logs (format 1.3), which other HdrHistogram tools read: of one workload
// the response times of its ok operations, in µs. Lines of stages that are not measured bear a tag, as such
// tools look at lines without one unless told otherwise.
import type { SegmentLine, VariantLine } from '../analysis/records/segments.ts';
import { US_PER_MS, US_PER_SECOND } from '../units.ts';

/** The head of the log of one workload. @param startedAtMs  when its load began, ms since 1970 */
export function histogramLogHead(variant: string, workload: string, startedAtMs: number): string {
  const seconds = (startedAtMs / 1_000).toFixed(3);
  return [
    `#[dyno-load: response of ok operations in microseconds, ${oneLine(workload)}, ${oneLine(variant)}]`,
    '#[Histogram log format version 1.3]',
    `#[StartTime: ${seconds} (seconds since epoch), ${new Date(startedAtMs).toISOString()}]`,
    `#[BaseTime: ${seconds} (seconds since epoch)]`,
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
    '',
  ].join('\n');
}

/** What a segment adds to the log of a workload; empty where no operation was ok. */
export function histogramLogLines(
  { stages }: Pick<VariantLine, 'stages'>,
  { fromUs, untilUs, workloads }: SegmentLine,
  workloadIndex: number,
): string {
  const deltas = workloads.find(({ workload }) => workload === workloadIndex)?.stages ?? [];
  return deltas
    .map(({ stage: index, outcomes }) => {
      const response = outcomes.ok?.response;
      const stage = stages[index];
      if (response === undefined || stage === undefined) return '';
      const tag = stage.isMeasured ? '' : `Tag=${stage.name.replaceAll(/[\s,]+/g, '_')},`;
      const times = `${inSeconds(fromUs)},${inSeconds(untilUs - fromUs)}`;
      return `${tag}${times},${(response.spanMaxUs / US_PER_MS).toFixed(3)},${response.encoded}\n`;
    })
    .join('');
}

function inSeconds(us: number): string {
  return (us / US_PER_SECOND).toFixed(3);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
