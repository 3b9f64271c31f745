// The capacity model as a record keeps it: what a run was modelled by, so that two runs can be told apart. What the
// constants mean and where they come from is capacity-model.ts.
import { type CapacityModel, describeModel } from '../capacity/capacity-model.ts';

/** A model's name and its constants, values as text; `isPublished` is false for guesses of ours. */
export interface ModelRecord {
  readonly preset: string;
  readonly constants: { name: string; value: string; unit: string; isPublished: boolean }[];
}

/** What a record says of the model behind it. */
export function modelRecord(model: CapacityModel): ModelRecord {
  return {
    preset: model.preset,
    constants: describeModel(model).map(({ name, value, unit, isPublished }) => ({
      name,
      value: String(value),
      unit,
      isPublished,
    })),
  };
}
