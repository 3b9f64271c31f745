// The prices by which a run's costs were worked out, in its record: what a reader needs to judge the
// figures later and elsewhere. The prices themselves, with their source, stand in cost.ts.
import * as z from 'zod';

const usd = z.number().nonnegative();

export const recordedPrices = z.strictObject({
  region: z.string(),
  /** Day on which the source took them from AWS. */
  asOf: z.string(),
  source: z.string(),
  onDemandWriteUsdPerMillion: usd,
  onDemandReadUsdPerMillion: usd,
  provisionedWriteUsdPerHour: usd,
  provisionedReadUsdPerHour: usd,
});
