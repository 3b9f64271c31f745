// The record of a run that never came to its end, from the segments that it left: what was counted is as it
// would have been; what is known only at the end of a variant (heat of keys, partitions, placement, the
// generator's own share) is missing, and the record says so.
import { analyzeRun, type MeasuredVariant } from '../analysis/analyze-run.ts';
import type {
  EndLine,
  EnvironmentLine,
  RunLine,
  SegmentLine,
  SegmentsLine,
  VariantLine,
} from '../analysis/records/segments.ts';
import type { RunResult } from '../analysis/run-result.ts';
import { restoreSegment } from '../engine/restore-recorder.ts';
import { measuredSeconds, recordedWorkloads } from '../engine/variant-record.ts';
import { WorkloadRecorder } from '../engine/workload-recorder.ts';
import { LatencyHistogram } from '../stats/histogram.ts';
import { US_PER_SECOND } from '../units.ts';

/** What is left of a run. */
export interface RunRemains {
  readonly lines: readonly SegmentsLine[];
  /** The record as last written, with the variants that were done; undefined where there is none. */
  readonly recorded: RunResult | undefined;
  /** When something was last written, ISO text. */
  readonly lastWrittenAt: string;
  /** The last line was cut off in the middle. */
  readonly isCut: boolean;
}

/**
 * Makes the record of what is left of a run.
 * @returns undefined where no variant had begun, or where the segments tell of nothing that is not recorded already
 * @throws DynoLoadError RUN_FOLDER_INVALID for segments that cannot be read
 */
export function rebuildRun({ lines, recorded, lastWrittenAt, isCut }: RunRemains): RunResult | undefined {
  const left = collect(lines);
  if (left === undefined) return undefined;
  const { environment, run, variants } = left;
  const isKnown = ({ line }: LeftVariant) => findVariant(recorded, line) !== undefined;
  const lost = variants.filter((variant) => !isKnown(variant));
  const target = variants.at(-1)?.line.target;
  if (lost.length === 0 || target === undefined) return undefined;
  return analyzeRun(
    {
      schemaVersion: run.schemaVersion,
      tool: run.tool,
      scenario: run.scenario,
      status: 'interrupted',
      target: { ...target, notes: [...target.notes, ...lost.map((variant) => noteOf(variant, isCut))] },
      variants: variants.map((variant) => asRecorded(recorded, variant) ?? restoreVariant(variant)),
      environment: {
        ...environment.environment,
        finishedAt: lastWrittenAt,
        ...(run.repeats > 1 || variants.some(({ line }) => line.repeat !== undefined)
          ? { repetition: { repeats: run.repeats, order: run.order, discarded: null } }
          : {}),
      },
    },
    { gate: false, ...(recorded?.prices === undefined ? {} : { prices: recorded.prices }) },
  );
}

interface LeftVariant {
  readonly line: VariantLine;
  readonly segments: SegmentLine[];
  end: EndLine | undefined;
}

interface Left {
  readonly environment: EnvironmentLine;
  readonly run: RunLine;
  readonly variants: readonly LeftVariant[];
}

/** Sorts lines by the variant that they belong to; undefined where the head is missing. */
function collect(lines: readonly SegmentsLine[]): Left | undefined {
  const [environment, run] = lines;
  if (environment?.kind !== 'environment' || run?.kind !== 'run') return undefined;
  const variants: LeftVariant[] = [];
  for (const line of lines) {
    const current = variants.at(-1);
    if (line.kind === 'variant') variants.push({ line, segments: [], end: undefined });
    else if (line.kind === 'segment') current?.segments.push(line);
    else if (line.kind === 'end' && current !== undefined) current.end = line;
  }
  return { environment, run, variants };
}

function findVariant(
  recorded: RunResult | undefined,
  { index, repeat }: VariantLine,
): RunResult['variants'][number] | undefined {
  return recorded?.variants.find((one) => one.index === index && one.repeat === repeat);
}

/** A variant of the record, with its goals as planned, to be judged together with the others. */
function asRecorded(recorded: RunResult | undefined, { line }: LeftVariant): MeasuredVariant | undefined {
  const variant = findVariant(recorded, line);
  return variant === undefined ? undefined : { ...variant, goals: line.goals };
}

function restoreVariant({ line, segments, end }: LeftVariant): MeasuredVariant {
  const recorders = restoreRecorders(line, segments);
  const reachedUs = end?.reachedUs ?? lastUs(segments);
  return {
    name: line.name,
    index: line.index,
    ...(line.repeat === undefined ? {} : { repeat: line.repeat }),
    parameters: line.parameters,
    status: end?.status ?? 'interrupted',
    ...(end?.abort === undefined ? {} : { abort: end.abort }),
    measuredSeconds: measuredSeconds(line, reachedUs),
    tables: line.tables.map((table) => ({
      ...table,
      itemCount: null,
      replacedPuts: null,
      largestItemBytes: null,
    })),
    resources: [],
    workloads: recordedWorkloads(line, { recorders, reachedUs }),
    goals: line.goals,
    placement: null,
    generatorHealth: healthOf(recorders, reachedUs),
  };
}

/** The recorders of a variant as they were when its last segment was taken. */
function restoreRecorders(line: VariantLine, segments: readonly SegmentLine[]): WorkloadRecorder[] {
  const isVirtual = line.target.time === 'virtual';
  const recorders = line.workloads.map(() => new WorkloadRecorder(line.stages, isVirtual));
  for (const segment of segments) {
    for (const part of segment.workloads) {
      const recorder = recorders[part.workload];
      if (recorder !== undefined) restoreSegment(recorder, part);
    }
  }
  return recorders;
}

/** Lateness is in the segments; what the process itself would have told is not. */
function healthOf(
  recorders: readonly WorkloadRecorder[],
  reachedUs: number,
): MeasuredVariant['generatorHealth'] {
  const lateness = new LatencyHistogram();
  for (const { stages } of recorders) for (const stage of stages) lateness.add(stage.lateness);
  const quantile = (ratio: number) => (lateness.count === 0 ? null : lateness.quantile(ratio));
  return {
    wallSeconds: lateness.count === 0 ? 0 : reachedUs / US_PER_SECOND,
    cpuSeconds: 0,
    operationsPerCpuSecond: 0,
    latenessP50Us: quantile(0.5),
    latenessP99Us: quantile(0.99),
    latenessMaxUs: lateness.count === 0 ? null : lateness.maxUs,
    eventLoopDelayP99Ms: null,
    eventLoopUtilization: null,
    connectionsOpened: null,
    resentRequests: null,
  };
}

function noteOf({ line, segments, end }: LeftVariant, isCut: boolean): string {
  const known = `${line.name} was put together from the segments of a run that was cut off`;
  const missing =
    'heat of keys, partitions, placement, item counts and the CPU of the generator are not known of it';
  if (end !== undefined) {
    const until = end.status === 'complete' ? '' : ' until it was ended';
    return `${known}: its load is whole${until}, but ${missing}`;
  }
  const plannedUs = line.stages.at(-1)?.endUs ?? 0;
  const until = `its load is known up to ${inSeconds(lastUs(segments))} of ${inSeconds(plannedUs)}`;
  const cut = isCut ? ' (the last line was cut off)' : '';
  return `${known}: ${until}${cut}; what came later is lost, and ${missing}`;
}

function lastUs(segments: readonly SegmentLine[]): number {
  return segments.at(-1)?.untilUs ?? 0;
}

function inSeconds(us: number): string {
  return `${Number((us / US_PER_SECOND).toFixed(3)).toLocaleString('en-US')} s`;
}
