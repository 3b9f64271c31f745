// What was measured of one variant, observed on its tables and asked of the service → its record, as yet
// without metrics and goals.
import type { MeasuredVariant } from '../analysis/analyze-run.ts';
import type { CapacityModel } from '../capacity/capacity-model.ts';
import type { LoadKnowledge } from '../engine/load-run.ts';
import type { VariantMeasurement } from '../engine/run-variant.ts';
import type { ShadowTarget } from '../engine/shadow-capacity.ts';
import type { ServiceRecords, SessionObservation, TargetSession } from '../engine/target.ts';
import { generatorHealth, measuredSeconds, workloadRecords } from '../engine/variant-record.ts';
import type { Execution } from './repeat-order.ts';
import { placementOfVariant } from './variant-placement.ts';

/** Everything that is known of a variant once its load is over. */
export interface VariantKnowledge {
  readonly execution: Execution;
  readonly session: TargetSession;
  readonly measurement: VariantMeasurement;
  readonly known: LoadKnowledge;
  readonly observation: SessionObservation;
  readonly shadow: ShadowTarget | undefined;
  readonly service: ServiceRecords | undefined;
  /** For placing keys anew. */
  readonly model: CapacityModel | undefined;
}

/** Puts it together. */
export function measuredVariant(parts: VariantKnowledge): MeasuredVariant {
  const { execution, session, measurement, observation, known, service, model } = parts;
  const { plan, repeat } = execution;
  const shadowed = parts.shadow?.result(measurement.reachedUs);
  const observations = shadowed?.placeable ?? observation.placeable;
  const workloads = workloadRecords(plan, measurement);
  return {
    name: plan.variant.name,
    index: plan.variant.index,
    ...(repeat === undefined ? {} : { repeat }),
    parameters: { ...plan.variant.parameters },
    status: measurement.status,
    ...(measurement.abort === undefined ? {} : { abort: measurement.abort }),
    measuredSeconds: measuredSeconds(plan, measurement.reachedUs),
    tables: [...observation.tables],
    resources: [...(known.resources ?? observation.resources)],
    workloads,
    goals: plan.goals,
    placement: model === undefined ? null : placementOfVariant({ plan, observations, model, workloads }),
    ...(shadowed === undefined ? {} : { shadow: shadowed.shadow }),
    ...(service?.cloudWatch ? { cloudWatch: service.cloudWatch } : {}),
    ...(service?.contributorInsights ? { contributorInsights: service.contributorInsights } : {}),
    ...(session.isCarriedOver ? { isCarriedOver: true } : {}),
    generatorHealth: generatorHealth(measurement, known.readings, observation, session.clock.kind),
  };
}
