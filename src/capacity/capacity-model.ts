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
}

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
};

/**
 * The three sets of constants under which a verdict is tried.
 *
 * - `default`: the published figures, and guesses on the safe side where nothing is published.
 * - `pessimistic`: nothing is kept for later beyond one second, partitions forgive a fifth of a second,
 *   nothing ever splits.
 * - `optimistic`: the whole bank is there at the start, eventual reads get 1.5 times a partition's read
 *   ceiling.
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
  },
  optimistic: { ...defaultModel, preset: 'optimistic', bankStart: 'full', eventualReadFactor: 1.5 },
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
  ['splitsForHeat', '', 'whether hot partitions are split (settled placement only)', burstPage],
  ['splitThresholdRatio', 'of ceiling', 'use above which a partition is split', undefined],
];
