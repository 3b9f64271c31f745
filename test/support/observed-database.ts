// A simulated database with everything that AWS would report of it: requests at given seconds, points by
// minute counted from its beginning.
import { type CapacityModel, capacityModels } from '../../src/capacity/capacity-model.ts';
import type { ApiInput, DataApi, Request } from '../../src/dynamodb/operation.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import type { Billing, TableSpec } from '../../src/dynamodb/table-spec.ts';
import type { Access } from '../../src/simulator/access-listener.ts';
import type { MetricPoint } from '../../src/simulator/metrics/minute-series.ts';
import { ServiceActivity } from '../../src/simulator/metrics/service-activity.ts';
import type { MetricKey } from '../../src/simulator/metrics/service-metrics.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { US_PER_MINUTE, US_PER_SECOND } from '../../src/units.ts';

/** A whole minute: 2026-01-01T00:00:00Z. */
export const WALL_MS_AT_ZERO = Date.UTC(2026, 0, 1);
export const FIRST_MINUTE = WALL_MS_AT_ZERO / 60_000;

/** Provisioned with so few units that what is dear leaves a debt. */
export const poor: Billing = { mode: 'provisioned', readUnits: 1, writeUnits: 1 };

export interface ObservedSettings {
  readonly tables: readonly TableSpec[];
  readonly model?: CapacityModel;
  readonly wallMsAtZero?: number;
  readonly insightsSwitchDelayMs?: number;
}

export class ObservedDatabase {
  readonly database: SimulatedDatabase;
  readonly activity: ServiceActivity;
  /** Every access that was told, in order. */
  readonly accesses: Access[] = [];
  readonly outcomes: Outcome[] = [];
  /** Moment of the next request. */
  atUs = 0;

  constructor({ tables, model = capacityModels.default, ...settings }: ObservedSettings) {
    this.activity = new ServiceActivity({
      wallMsAtZero: WALL_MS_AT_ZERO,
      insightsSwitchDelayMs: 0,
      ...settings,
    });
    const listener = {
      onAccess: (access: Access) => {
        this.accesses.push(access);
        this.activity.onAccess(access);
      },
    };
    this.database = new SimulatedDatabase({ model, seed: 1, listener });
    for (const table of tables) {
      this.database.createTable(table);
      this.activity.setTable(table, 0);
    }
  }

  at(second: number): this {
    this.atUs = second * US_PER_SECOND;
    return this;
  }

  /** Wall-clock ms at a second since the beginning. */
  wallMs(second: number): number {
    return WALL_MS_AT_ZERO + second * 1_000;
  }

  /** Sends a request that ends `serviceUs` after it began. */
  send<A extends DataApi>(api: A, input: ApiInput[A], serviceUs = 0): Outcome {
    const request = { api, input } as Request; // The same API with its own input.
    const endUs = this.atUs + serviceUs;
    const outcome = this.database.begin(request, this.atUs) ?? this.database.complete(request, endUs);
    this.finish(request, outcome, this.atUs, endUs);
    return outcome;
  }

  /** Records a request that has ended. */
  finish(request: Request | undefined, outcome: Outcome, startUs = this.atUs, endUs = this.atUs): void {
    this.outcomes.push(outcome);
    this.activity.record({ request, outcome, startUs, endUs });
  }

  /** The point of one minute, counted from the beginning. */
  point(key: MetricKey, minute = Math.floor(this.atUs / US_PER_MINUTE)): MetricPoint | undefined {
    const fromMinute = FIRST_MINUTE + minute;
    return this.activity.metrics.points(key, { fromMinute, untilMinute: fromMinute + 1 })[0]?.point;
  }

  /** The sum in one minute; 0 where there is no point. */
  sum(key: MetricKey, minute?: number): number {
    return this.point(key, minute)?.sum ?? 0;
  }
}
