// New peaks of on-demand traffic, by whole minutes: how many partitions they call for, and when those are there.
import type { Billing } from '../dynamodb/table-spec.ts';
import { US_PER_SECOND } from '../units.ts';
import type { CapacityModel } from './capacity-model.ts';
import { MAX_PARTITIONS } from './partition-map.ts';
import type { ResourceSide } from './resource-side.ts';

const PEAK_SECONDS = 60;
const MINUTE_US = PEAK_SECONDS * US_PER_SECOND;

interface TrafficPeaksSettings {
  readonly model: CapacityModel;
  readonly read: ResourceSide;
  readonly write: ResourceSide;
  readonly createdAtUs: number;
}

/**
 * The peaks of one table or index: units consumed in a whole minute at `peak` a second call for
 * ⌈2 × peak ÷ ceiling⌉ partitions.
 * @see "On-demand capacity mode", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html, read 2026-11-30
 */
export class TrafficPeaks {
  /** When the present minute ends. */
  minuteEndUs: number;
  /** Partitions that the highest peak so far calls for. */
  growsTo = 0;
  readonly #settings: TrafficPeaksSettings;

  constructor(settings: TrafficPeaksSettings) {
    this.#settings = settings;
    this.minuteEndUs = settings.createdAtUs + MINUTE_US;
  }

  /**
   * Ends the minute that is over, and those after it in which nobody asked for anything.
   * @param present  partitions that there are
   * @returns how many there are to be, and when; undefined where the minute calls for no more
   */
  closeMinute(atUs: number, present: number): { readonly count: number; readonly dueUs: number } | undefined {
    const { read, write, model } = this.#settings;
    const endUs = this.minuteEndUs;
    this.minuteEndUs = endUs + (Math.floor((atUs - endUs) / MINUTE_US) + 1) * MINUTE_US;
    const count = Math.min(
      MAX_PARTITIONS,
      Math.max(
        partitionsFor(read, model.partitionReadUnits),
        partitionsFor(write, model.partitionWriteUnits),
      ),
    );
    const isOnDemand = read.billingMode === ('on-demand' satisfies Billing['mode']);
    read.minuteUnits = 0;
    write.minuteUnits = 0;
    // Past half of what the partitions serve, twice the peak is more than they do.
    if (!model.growsOnDemand || !isOnDemand || count <= Math.max(this.growsTo, present)) return undefined;
    this.growsTo = count;
    return { count, dueUs: endUs + model.growthDelaySeconds * US_PER_SECOND };
  }
}

function partitionsFor({ minuteUnits }: ResourceSide, ceilingUnits: number): number {
  return Math.ceil((2 * minuteUnits) / PEAK_SECONDS / ceilingUnits);
}
