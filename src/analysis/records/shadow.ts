// What the capacity model would have refused of a live load: modelled, and marked as such wherever it is shown.
import * as z from 'zod';
import { resourceResult, throttleCount } from './resource.ts';

const count = z.int().nonnegative();

export const shadowResult = z.strictObject({
  preset: z.string(),
  constants: z.array(
    z.strictObject({ name: z.string(), value: z.string(), unit: z.string(), isPublished: z.boolean() }),
  ),
  /** Over the measured stages. */
  workloads: z.array(
    z.strictObject({
      name: z.string(),
      /** Operations sent, and those of which the model would have refused a request. */
      operations: count,
      throttledOperations: count,
      throttles: z.array(throttleCount),
    }),
  ),
  resources: z.array(resourceResult),
});

export type ShadowResult = z.infer<typeof shadowResult>;
