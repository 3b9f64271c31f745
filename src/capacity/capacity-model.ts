// Every constant of the throughput model, with where it comes from. AWS publishes the ceilings and not the
// machinery behind them; what is not published is a guess with a documented default, printed with every
// report, and varied by the presets.
import {
  BURST_SECONDS,
  MAX_PARTITION_BYTES,
  NEW_TABLE_PARTITIONS,
  PARTITION_READ_UNITS,
  PARTITION_WRITE_UNITS,
  TABLE_QUOTA_UNITS,
} from '../dynamodb/limits.ts';

/** The throughput model's constants. Each is explained by `describeModel`. */
export interface CapacityModel {
  /** Which preset this is, or which one it was derived from. */
  readonly preset: ModelPreset;
  readonly partitionWriteUnits: number;
  readonly partitionReadUnits: number;
  readonly partitionBytes: number;
  readonly partitionBurstSeconds: number;
  readonly partitionStartSeconds: number;
  readonly bankSeconds: number;
  readonly bankStart: 'spent' | 'full';
  readonly tableQuotaUnits: number;
  readonly limitBurstSeconds: number;
  readonly newTablePartitions: number;
  readonly eventualReadFactor: number;
  readonly placement: 'random' | 'even';
  readonly splitsForHeat: boolean;
  readonly splitThresholdRatio: number;
  readonly heatWindowSeconds: number;
  readonly splitDetectionSeconds: number;
  readonly splitDelaySeconds: number;
  readonly monotonicRatio: number;
  readonly growsOnDemand: boolean;
  readonly growthDelaySeconds: number;
  readonly indexBacklogSeconds: number;
  readonly indexLagMs: number;
}

/** Constants that take the place of a preset's. */
export type ModelConstants = { readonly [N in Exclude<keyof CapacityModel, 'preset'>]?: CapacityModel[N] };

/** `default` takes published figures and middling guesses; the others take the guesses to either side. */
export type ModelPreset = 'default' | 'pessimistic' | 'optimistic';

const defaultModel: CapacityModel = {
  preset: 'default',
  partitionWriteUnits: PARTITION_WRITE_UNITS,
  partitionReadUnits: PARTITION_READ_UNITS,
  partitionBytes: MAX_PARTITION_BYTES,
  partitionBurstSeconds: 1,
  partitionStartSeconds: 0.5,
  bankSeconds: BURST_SECONDS,
  bankStart: 'spent',
  tableQuotaUnits: TABLE_QUOTA_UNITS,
  limitBurstSeconds: 1,
  newTablePartitions: NEW_TABLE_PARTITIONS,
  eventualReadFactor: 1,
  placement: 'random',
  splitsForHeat: true,
  splitThresholdRatio: 0.8,
  heatWindowSeconds: 10,
  splitDetectionSeconds: 180,
  splitDelaySeconds: 300,
  monotonicRatio: 0.5,
  growsOnDemand: true,
  growthDelaySeconds: 300,
  indexBacklogSeconds: 0,
  indexLagMs: 0,
};

/**
 * The three sets of constants under which a verdict is tried.
 *
 * - `default`: the published figures, and guesses on the safe side where nothing is published.
 * - `pessimistic`: nothing is kept for later beyond one second, partitions forgive a fifth of a second,
 *   no partition is split for heat and none is added as traffic grows.
 * - `optimistic`: the whole bank is there at the start, hot partitions are split as soon as they are found
 *   (after 180 s), eventual reads get 1.5 times a partition's read ceiling.
 */
export const capacityModels: Readonly<Record<ModelPreset, CapacityModel>> = {
  default: defaultModel,
  pessimistic: {
    ...defaultModel,
    preset: 'pessimistic',
    partitionBurstSeconds: 0.2,
    partitionStartSeconds: 0.2,
    bankSeconds: 1,
    splitsForHeat: false,
    growsOnDemand: false,
  },
  optimistic: {
    ...defaultModel,
    preset: 'optimistic',
    bankStart: 'full',
    splitDelaySeconds: 0,
    eventualReadFactor: 1.5,
  },
};

/** One constant as a report prints it. */
export interface ModelConstant {
  readonly name: keyof CapacityModel;
  readonly value: string | number | boolean;
  /** Unit of the value; empty for names and switches. */
  readonly unit: string;
  readonly meaning: string;
  /** False where AWS publishes no figure and the value is a guess of ours. */
  readonly isPublished: boolean;
  /** Title, address and date of the page; undefined where nothing is published. */
  readonly source: string | undefined;
}

/** Every constant of a model as printable rows, in a fixed order. */
export function describeModel(model: CapacityModel): readonly ModelConstant[] {
  return constantFacts.map(([name, unit, meaning, source]) => ({
    name,
    value: model[name],
    unit,
    meaning,
    isPublished: source !== undefined && model[name] === defaultModel[name],
    source,
  }));
}

const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/';
const burstPage = `"Burst and adaptive capacity", ${guide}burst-adaptive-capacity.html, read 2026-11-30`;
const onDemandPage = `"On-demand capacity mode", ${guide}on-demand-capacity-mode.html, read 2026-11-30`;
const quotaPage = `"Quotas in Amazon DynamoDB", ${guide}ServiceQuotas.html, read 2026-11-30`;

type ConstantFacts = readonly [
  name: keyof CapacityModel,
  unit: string,
  meaning: string,
  source: string | undefined,
];

const constantFacts: readonly ConstantFacts[] = [
  ['preset', '', 'the set of constants', undefined],
  ['partitionWriteUnits', 'WCU/s', 'write ceiling of one partition', burstPage],
  ['partitionReadUnits', 'RCU/s', 'read ceiling of one partition', burstPage],
  ['partitionBytes', 'bytes', 'size of one partition', burstPage],
  ['partitionBurstSeconds', 's', 'seconds of its ceiling that an idle partition can save up', undefined],
  ['partitionStartSeconds', 's', 'seconds of its ceiling that a partition holds at time 0', undefined],
  ['bankSeconds', 's', 'seconds of unused provisioned throughput that are kept', burstPage],
  ['bankStart', '', 'whether that bank is spent (one second left) or full at time 0', undefined],
  ['tableQuotaUnits', 'units/s', 'default quota of one table or index on demand', quotaPage],
  ['limitBurstSeconds', 's', 'seconds of quota or maximum throughput that can be saved up', undefined],
  ['newTablePartitions', 'partitions', 'partitions of a new on-demand table or index', onDemandPage],
  ['eventualReadFactor', '×', 'read ceiling of a partition for eventually consistent reads', undefined],
  ['placement', '', 'how keys fall on partitions: random (salted hash) or even (in turn)', undefined],
  ['splitsForHeat', '', 'whether hot partitions are split', burstPage],
  ['splitThresholdRatio', 'of ceiling', 'use above which a partition is hot', undefined],
  ['heatWindowSeconds', 's', 'span over which that use is averaged', undefined],
  ['splitDetectionSeconds', 's', 'how long a partition must stay hot before it is split', undefined],
  ['splitDelaySeconds', 's', 'how long a split then takes', undefined],
  ['monotonicRatio', 'of keys', 'newer sort keys beyond all earlier ones that forbid a cut', undefined],
  ['growsOnDemand', '', 'whether new traffic peaks add partitions on demand', onDemandPage],
  [
    'growthDelaySeconds',
    's',
    'time from a new one-minute peak to the partitions for twice as much',
    undefined,
  ],
  ['indexBacklogSeconds', 's', 'seconds of its ceiling that an index may fall behind its table', undefined],
  ['indexLagMs', 'ms', 'how late readers of a global index find what was written', undefined],
];
