// The record of a run: complete, versioned, validated on load, and the only thing that reports and
// comparisons read. What may differ between two equal runs lies under `environment` and `generatorHealth`;
// the rest of a simulated run is byte-equal for equal seeds. Times are µs since the start of a variant's
// load, ratios 0–1, sizes bytes, rates per second.
import * as z from 'zod';
import { abortRecord } from './records/abort.ts';
import { cloudWatchRecord } from './records/cloudwatch.ts';
import { contributorInsightsRecord } from './records/contributor-insights.ts';
import { generatorHealth } from './records/generator-health.ts';
import { reconciliationRecord } from './records/reconciliation.ts';
import { repetition } from './records/repetition.ts';
import { recordedPrices } from './records/prices.ts';
import { resourceResult } from './records/resource.ts';
import { shadowResult } from './records/shadow.ts';
import { workerChoice } from './records/worker-health.ts';
import { workloadResult } from './records/workload-result.ts';

/** Version of the run.json format. Raised on every change that an older reader would misread. */
export const RUN_SCHEMA_VERSION = 1;

const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const microseconds = z.number();

const tableResult = z.strictObject({
  tableName: z.string(),
  logicalName: z.string(),
  itemCount: count.nullable(),
  /** Puts that replaced an item that was there; null where the target does not tell. */
  replacedPuts: count.nullable(),
  largestItemBytes: count.nullable(),
});

const quantiles = z.strictObject({ median: z.number(), p90: z.number(), worst: z.number() });

/** The demand of the run, placed anew over many salts. */
const placement = z.strictObject({
  placements: z.int().positive(),
  /** The throttled share that counts as met, for example 0.001. */
  goalThrottledRatio: z.number(),
  shareMeetingGoalFromFirstSecond: z.number(),
  shareMeetingGoalSettled: z.number(),
  throttledRatioFromFirstSecond: quantiles,
  throttledRatioSettled: quantiles,
});

const validity = z.strictObject({
  status: z.enum(['valid', 'suspect', 'invalid']),
  reasons: z.array(
    z.strictObject({
      code: z.string(),
      status: z.enum(['suspect', 'invalid']),
      text: z.string(),
      advice: z.string(),
    }),
  ),
});

const goalResult = z.strictObject({
  text: z.string(),
  workload: z.string(),
  metric: z.string(),
  status: z.enum(['met', 'missed', 'missing', 'notMeasurableHere']),
  /** In the metric's unit; null where missing or not measurable. */
  value: z.number().nullable(),
  limit: z.number(),
  /** The value comes from the capacity model and not from the target. */
  isModelled: z.boolean().optional(),
});

const variantResult = z.strictObject({
  name: z.string(),
  index: count,
  /** Which of several runs of the same variant, from 0; absent where each ran once. See merge-repeats.ts. */
  repeat: count.optional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  status: z.enum(['complete', 'interrupted', 'notRun']),
  /** The condition that ended it early; absent: none did. */
  abort: abortRecord.optional(),
  /** Seconds of measured stages that ran. */
  measuredSeconds: amount,
  tables: z.array(tableResult),
  resources: z.array(resourceResult),
  workloads: z.array(workloadResult),
  goals: z.array(goalResult),
  placement: placement.nullable(),
  validity,
  /**
   * What the capacity model says of the same load, where the target itself does not throttle; only when asked
   * for.
   */
  shadow: shadowResult.optional(),
  /** What CloudWatch counted, and how it agrees with `workloads`; only when asked for. */
  cloudWatch: cloudWatchRecord.optional(),
  reconciliation: reconciliationRecord.optional(),
  contributorInsights: contributorInsightsRecord.optional(),
  /** Whether an earlier variant wrote to the same table; absent: no. */
  isCarriedOver: z.boolean().optional(),
  generatorHealth,
});

const finding = z.strictObject({
  code: z.string(),
  /** Names of the variants in which it was seen. */
  variants: z.array(z.string()),
  confidence: z.enum(['high', 'medium', 'low']),
  /** Seen in what the capacity model says of a live load, not in what the target did. */
  isModelled: z.boolean().optional(),
  seen: z.string(),
  because: z.string(),
  advice: z.string(),
  /** Figures behind it, by name with unit, for example `indexWriteUnitsPerSecond`. */
  evidence: z.record(z.string(), z.union([z.string(), z.number()])),
});

const verdict = z.strictObject({
  status: z.enum(['pass', 'fail', 'inconclusive']),
  reasons: z.array(z.string()),
  /**
   * The cheapest variant that meets all goals, and does so wherever its keys fall; null where there is none or a
   * goal is not measurable here.
   */
  recommendedVariant: z.string().nullable(),
});

const capability = z.enum(['yes', 'no', 'unknown']);

/** The whole record; the JSON Schema that is published comes from it (`run-schema.ts`). */
export const runResultSchema = z.strictObject({
  schemaVersion: z.literal(RUN_SCHEMA_VERSION),
  tool: z.strictObject({ name: z.literal('dyno-load'), version: z.string() }),
  status: z.enum(['complete', 'interrupted']),
  /** What happened, where an error stopped the run; absent where nothing did, or a user. */
  stoppedBy: z.string().optional(),
  scenario: z.strictObject({
    name: z.string(),
    question: z.string(),
    seed: z.number(),
    startsAt: z.string(),
    parameters: z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]))),
    stages: z.array(
      z.strictObject({
        name: z.string(),
        durationUs: microseconds,
        isMeasured: z.boolean(),
        rateFactor: z.number(),
      }),
    ),
    goals: z.array(z.string()),
    rateFactor: z.number(),
  }),
  target: z.strictObject({
    kind: z.enum(['simulated', 'endpoint']),
    time: z.enum(['virtual', 'wall-clock']),
    /** For the first line of a report, for example `dynalite at http://127.0.0.1:4567`. */
    label: z.string(),
    capabilities: z.strictObject({
      enforcesThroughput: capability,
      reportsIndexUnits: capability,
      transactions: capability,
      parallelScan: capability,
    }),
    notes: z.array(z.string()),
    /** Constants of the capacity model in force; null where no model took part. */
    model: z
      .strictObject({
        preset: z.string(),
        constants: z.array(
          z.strictObject({ name: z.string(), value: z.string(), unit: z.string(), isPublished: z.boolean() }),
        ),
      })
      .nullable(),
  }),
  /** Behind every cost in the record. Absent in records of before. */
  prices: recordedPrices.optional(),
  variants: z.array(variantResult),
  verdict,
  findings: z.array(finding),
  environment: z.strictObject({
    startedAt: z.string(),
    finishedAt: z.string(),
    node: z.string(),
    platform: z.string(),
    cpu: z.string(),
    cpuCount: count,
    sdkVersion: z.string().nullable(),
    tableNameSuffix: z.string().nullable(),
    /** Absent in virtual time, and in older records. */
    workers: workerChoice.optional(),
    /** Absent in virtual time. */
    repetition: repetition.optional(),
  }),
});

export type RunResult = z.infer<typeof runResultSchema>;
export type VariantResult = RunResult['variants'][number];
export type WorkloadResult = VariantResult['workloads'][number];
export type StageTotals = WorkloadResult['measured'];
export type HistogramResult = NonNullable<StageTotals['lateness']>;
export type TableResult = VariantResult['tables'][number];
export type ResourceResult = VariantResult['resources'][number];
export type Validity = VariantResult['validity'];
export type GoalResult = VariantResult['goals'][number];
export type Finding = RunResult['findings'][number];
export type Verdict = RunResult['verdict'];
export type PlacementResult = NonNullable<VariantResult['placement']>;
export type GeneratorHealth = VariantResult['generatorHealth'];
export type AttemptTimesResult = NonNullable<GeneratorHealth['attemptTimes']>;
