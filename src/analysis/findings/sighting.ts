// What one finding saw in one variant, before sightings of several variants are merged.
import type { Finding } from '../run-result.ts';

/** What was seen in one variant; equal sightings of several variants become one finding. */
export interface Sighting extends Omit<Finding, 'variants'> {
  /** Sightings of equal code and cause are one finding, for example `index GSI1 write`. */
  readonly cause: string;
  /** Larger is worse; comparable within one code and cause. */
  readonly severity: number;
}
