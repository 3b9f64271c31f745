// Everything that AWS would report of the simulated database, kept in one place: give it to the database as
// its listener, tell it of tables and of finished requests, and ask its two halves.
import type { TableSpec } from '../../dynamodb/table-spec.ts';
import type { Access, AccessListener } from '../access-listener.ts';
import { ContributorInsights } from './contributor-insights.ts';
import type { FinishedRequest } from './count-request.ts';
import { ServiceMetrics } from './service-metrics.ts';

/**
 * ms that switching Contributor Insights on or off takes, unless set. AWS publishes no figure; captures of
 * 2026-10-09 (see resource-insights.ts) saw 1 to 16 s for on, mostly 2 s, and 2 s for off.
 */
const SWITCH_DELAY_MS = 2_000;

export interface ServiceActivitySettings {
  /** Wall-clock ms since 1970 at the database's moment 0: decides where minutes begin. */
  readonly wallMsAtZero: number;
  /** ms that Contributor Insights takes to be switched on or off; default 2,000. */
  readonly insightsSwitchDelayMs?: number;
}

/** What CloudWatch and Contributor Insights know of one database. */
export class ServiceActivity implements AccessListener {
  readonly metrics: ServiceMetrics;
  readonly insights: ContributorInsights;

  constructor({ wallMsAtZero, insightsSwitchDelayMs = SWITCH_DELAY_MS }: ServiceActivitySettings) {
    this.metrics = new ServiceMetrics({ wallMsAtZero });
    this.insights = new ContributorInsights({ wallMsAtZero, switchDelayMs: insightsSwitchDelayMs });
  }

  /** A table was created, or changed: capacity, mode, global indexes. */
  setTable(spec: TableSpec, atUs: number): void {
    this.metrics.setTable(spec, atUs);
    this.insights.setTable(spec);
  }

  /** A table was deleted. */
  removeTable(tableName: string, atUs: number): void {
    this.metrics.removeTable(tableName, atUs);
    this.insights.removeTable(tableName);
  }

  /** Counts a request when it has ended. */
  record(finished: FinishedRequest): void {
    this.metrics.record(finished);
  }

  onAccess(access: Access): void {
    this.metrics.onAccess(access);
    this.insights.onAccess(access);
  }

  onExpired(tableName: string, atUs: number): void {
    this.metrics.onExpired(tableName, atUs);
  }
}
