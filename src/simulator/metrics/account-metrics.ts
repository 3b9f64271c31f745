// Metrics of the whole account and Region that follow from what is set: its quotas, and how much of them is
// provisioned. Told every five minutes, as the service does. Quotas are the defaults; what is provisioned is
// that of all tables and global indexes that exist.
// @see "DynamoDB metrics and dimensions",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html, read 2026-11-30
import { ACCOUNT_QUOTA_UNITS, TABLE_QUOTA_UNITS } from '../../dynamodb/limits.ts';
import type { AccountMetric, SettingsMetric } from './metric-list.ts';
import type { MinutePoint, MinuteRange } from './minute-series.ts';
import type { ResourceLife } from './resource-life.ts';

/** A quota, or the share of it that is provisioned: in all, or on the table or index that has most. */
interface AccountFacts {
  readonly quotaUnits: number;
  readonly provisioned?: { readonly metric: SettingsMetric; readonly taken: 'all' | 'most' };
}

const facts: Readonly<Record<AccountMetric, AccountFacts>> = {
  AccountMaxReads: { quotaUnits: ACCOUNT_QUOTA_UNITS },
  AccountMaxWrites: { quotaUnits: ACCOUNT_QUOTA_UNITS },
  AccountMaxTableLevelReads: { quotaUnits: TABLE_QUOTA_UNITS },
  AccountMaxTableLevelWrites: { quotaUnits: TABLE_QUOTA_UNITS },
  AccountProvisionedReadCapacityUtilization: provisioned('Read', 'all', ACCOUNT_QUOTA_UNITS),
  AccountProvisionedWriteCapacityUtilization: provisioned('Write', 'all', ACCOUNT_QUOTA_UNITS),
  MaxProvisionedTableReadCapacityUtilization: provisioned('Read', 'most', TABLE_QUOTA_UNITS),
  MaxProvisionedTableWriteCapacityUtilization: provisioned('Write', 'most', TABLE_QUOTA_UNITS),
};

function provisioned(side: 'Read' | 'Write', taken: 'all' | 'most', quotaUnits: number): AccountFacts {
  return { quotaUnits, provisioned: { metric: `Provisioned${side}CapacityUnits`, taken } };
}

/**
 * One point for every five minutes that begin in the range and in which anything existed: units a second for
 * a quota, percent for a utilization.
 * @param horizon  first minute that is not over; five minutes that reach beyond it have no point yet
 */
export function accountPoints(
  metricName: AccountMetric,
  lives: readonly ResourceLife[],
  range: MinuteRange,
  horizon: number,
): readonly MinutePoint[] {
  const { quotaUnits, provisioned } = facts[metricName];
  const periods = new Set(lives.flatMap((life) => life.periods(range, horizon)));
  if (provisioned === undefined)
    return [...periods].sort(byNumber).map((minute) => pointOf(minute, quotaUnits));
  const taken = new Map<number, number>();
  for (const life of lives)
    for (const { minute, point } of life.settings(provisioned.metric, range, horizon)) {
      const before = taken.get(minute) ?? 0;
      taken.set(minute, provisioned.taken === 'all' ? before + point.sum : Math.max(before, point.sum));
    }
  return [...periods]
    .sort(byNumber)
    .map((minute) => pointOf(minute, (100 * (taken.get(minute) ?? 0)) / quotaUnits));
}

function pointOf(minute: number, value: number): MinutePoint {
  return { minute, point: { sum: value, count: 1, min: value, max: value } };
}

function byNumber(left: number, right: number): number {
  return left - right;
}
