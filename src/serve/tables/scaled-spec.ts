// Throughput scaled down (or up) for machines that cannot drive a table at its real limits: the same number
// of partitions and the same proportions, each with a part of its ceiling. What is described stays unscaled.
import type { CapacityModel } from '../../capacity/capacity-model.ts';
import type { Billing, Start, TableSpec } from '../../dynamodb/table-spec.ts';

/** A model in which every ceiling and quota is multiplied by `factor`. */
export function scaledModel(model: CapacityModel, factor: number): CapacityModel {
  if (factor === 1) return model;
  return {
    ...model,
    partitionReadUnits: model.partitionReadUnits * factor,
    partitionWriteUnits: model.partitionWriteUnits * factor,
    tableQuotaUnits: model.tableQuotaUnits * factor,
  };
}

/** A specification in which everything that is bought is multiplied by `factor`. */
export function scaledSpec(spec: TableSpec, factor: number): TableSpec {
  if (factor === 1) return spec;
  return {
    ...spec,
    billing: scaledBilling(spec.billing, factor),
    start: scaledStart(spec.start, factor),
    globalIndexes: spec.globalIndexes.map((index) => ({
      ...index,
      billing: scaledBilling(index.billing, factor),
      start: scaledStart(index.start, factor),
    })),
  };
}

/** Keeps the rounding of a product from taking figures over a whole number of partitions. */
const JUST_BELOW = 1 - 1e-9;

function scaledBilling(billing: Billing, factor: number): Billing {
  if (billing.mode === 'provisioned')
    return {
      mode: 'provisioned',
      readUnits: billing.readUnits * factor * JUST_BELOW,
      writeUnits: billing.writeUnits * factor * JUST_BELOW,
    };
  const { maximumReadUnits: reads, maximumWriteUnits: writes } = billing;
  return {
    mode: 'on-demand',
    ...(reads !== undefined && { maximumReadUnits: reads * factor }),
    ...(writes !== undefined && { maximumWriteUnits: writes * factor }),
  };
}

function scaledStart(start: Start, factor: number): Start {
  if (start.kind === 'new') return start;
  return {
    kind: 'warm',
    warmReadUnits: start.warmReadUnits * factor * JUST_BELOW,
    warmWriteUnits: start.warmWriteUnits * factor * JUST_BELOW,
  };
}
