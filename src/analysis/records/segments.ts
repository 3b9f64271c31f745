// The lines of segments.jsonl: what a run records while it goes on, so that a report can be made when it
// never came to its end. Plain data; who takes it from the recorders and puts it back is the engine's
// business, and files are the command line's.
import * as z from 'zod';
import { type MetricName, metrics } from '../../scenario/metric.ts';
import { runResultSchema } from '../run-result.ts';
import { abortRecord } from './abort.ts';

/** Version of the format, in the first line of a file. Raised on every change that an older reader would misread. */
export const SEGMENTS_VERSION = 1;

const count = z.int();
const amount = z.number();
const run = runResultSchema.shape;

/** Latencies counted in one span; see `HistogramDelta` of stats/histogram.ts. */
const histogramDelta = z.strictObject({
  count,
  sumUs: amount,
  minUs: amount,
  maxUs: amount,
  spanMaxUs: amount,
  encoded: z.string(),
});

/**
 * Consecutive seconds as they now stand, beginning with second `from`: of each its counters, then its longest
 * latency in µs.
 */
const secondRows = z.strictObject({ from: count, rows: z.array(z.array(amount)) });

const outcome = z.enum(['ok', 'throttled', 'partial', 'conditionFailed', 'conflict', 'failed', 'timedOut']);
const units = z.array(z.strictObject({ resource: z.string(), readUnits: amount, writeUnits: amount }));

/** What was counted of operations due in one stage. Everything here adds up. */
const stageDelta = z.strictObject({
  stage: count,
  counters: z.record(z.string(), amount),
  /** Requests by how often they were sent: once, twice … Absent where nothing is sent again. */
  attempts: z.array(count).optional(),
  outcomes: z.partialRecord(outcome, z.strictObject({ response: histogramDelta, service: histogramDelta })),
  throttles: z.array(z.strictObject({ reason: z.string(), resource: z.string(), count })),
  units,
  estimatedUnits: units,
  lateness: histogramDelta.optional(),
});

const workloadSegment = z.strictObject({
  /** Its place in the variant's list. */
  workload: count,
  stages: z.array(stageDelta),
  series: secondRows.optional(),
  throttleSeconds: z.array(z.strictObject({ reason: z.string(), arn: z.string(), seconds: secondRows })),
  /** The next three as they now stand, where they changed. */
  errors: z
    .array(
      z.strictObject({
        code: z.string(),
        count,
        messages: z.array(z.strictObject({ message: z.string(), requestId: z.string().nullable() })),
      }),
    )
    .optional(),
  slowest: z
    .array(
      z.strictObject({
        sequence: count,
        dueUs: amount,
        responseUs: amount,
        serviceUs: amount,
        outcome,
      }),
    )
    .optional(),
  steps: z
    .array(z.strictObject({ label: z.string(), requests: count, readUnits: amount, writeUnits: amount }))
    .optional(),
});

const stage = z.strictObject({
  index: count,
  name: z.string(),
  startUs: amount,
  endUs: amount,
  isMeasured: z.boolean(),
  rateFactor: amount,
});

const workload = run.variants.element.shape.workloads.element.pick({
  name: true,
  kind: true,
  isWrite: true,
  load: true,
  policy: true,
  notes: true,
});

const goal = z.strictObject({
  workload: z.string(),
  metric: z.custom<MetricName>((name) => metrics.some((metric) => metric.name === name)),
  comparator: z.enum(['<', '<=', '>', '>=']),
  limit: amount,
  text: z.string(),
});

/** The first line, and the only one in which equal simulated runs differ. */
const environmentLine = z.strictObject({
  kind: z.literal('environment'),
  segmentsVersion: z.literal(SEGMENTS_VERSION),
  environment: run.environment.omit({ finishedAt: true, repetition: true }),
});

/** What holds for all variants. */
const runLine = z.strictObject({
  kind: z.literal('run'),
  schemaVersion: run.schemaVersion,
  tool: run.tool,
  scenario: run.scenario,
  /** Names of the variants in the order in which they are to run, repeats included. */
  order: z.array(z.string()),
  repeats: count,
});

/** A variant begins; the segments that follow are its own. */
const variantLine = z.strictObject({
  kind: z.literal('variant'),
  name: z.string(),
  index: count,
  repeat: count.optional(),
  parameters: run.variants.element.shape.parameters,
  /** As known when load began. */
  target: run.target,
  tables: z.array(z.strictObject({ tableName: z.string(), logicalName: z.string() })),
  stages: z.array(stage),
  workloads: z.array(workload),
  goals: z.array(goal),
});

/** What was recorded in a span of the engine's time. */
const segmentLine = z.strictObject({
  kind: z.literal('segment'),
  fromUs: amount,
  untilUs: amount,
  workloads: z.array(workloadSegment),
});

/** The variant is over; a variant without such a line was cut off. */
const endLine = z.strictObject({
  kind: z.literal('end'),
  status: z.enum(['complete', 'interrupted']),
  reachedUs: amount,
  /** The condition of the scenario that ended it; absent in files of before. */
  abort: abortRecord.optional(),
});

/** One line of segments.jsonl. */
export const segmentsLine = z.discriminatedUnion('kind', [
  environmentLine,
  runLine,
  variantLine,
  segmentLine,
  endLine,
]);

export type SegmentsLine = z.infer<typeof segmentsLine>;
export type EnvironmentLine = z.infer<typeof environmentLine>;
export type RunLine = z.infer<typeof runLine>;
export type VariantLine = z.infer<typeof variantLine>;
export type EndLine = z.infer<typeof endLine>;
export type SegmentLine = z.infer<typeof segmentLine>;
export type WorkloadSegment = z.infer<typeof workloadSegment>;
export type StageDelta = z.infer<typeof stageDelta>;
