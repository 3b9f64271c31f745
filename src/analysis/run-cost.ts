// What a run on AWS will cost, before it starts: units of load and preload, hours of provisioned capacity, and the
// observation that was asked for. What has no known price is named as such and left out of the sum.
import type { Units } from '../dynamodb/consumed-capacity.ts';
import { estimateCost, monthlyCost, type Prices, usEast1Prices } from './cost.ts';

/** What is planned for all variants together. */
export interface PlannedSpend {
  readonly load: Units;
  readonly preload: Units;
  /** Units per second held by provisioned tables, the most that exist at one time, and hours begun. */
  readonly provisioned: Units & { readonly hours: number };
  /** Whether load may consume more than the estimate. */
  readonly isLowerBound: boolean;
  /** Tables and indexes that start warm; raising warm throughput has a price that is not published here. */
  readonly warmedResources: number;
  readonly insights: {
    readonly events: number;
    readonly rules: number;
    readonly onlyThrottled: boolean;
  } | null;
  /** Metrics asked for, over all pulls. */
  readonly cloudWatchMetrics: number;
}

/** One thing that is paid for. */
export interface CostPart {
  readonly what: string;
  /** USD; null where no price is known. */
  readonly usd: number | null;
}

/** What a run costs, as far as prices are known. */
export interface RunCost {
  /** USD of all parts that have a price. */
  readonly usd: number;
  readonly isLowerBound: boolean;
  readonly parts: readonly CostPart[];
  /** Prices, region and date. */
  readonly basis: string;
}

/**
 * Prices of observation, USD.
 * @see "Amazon DynamoDB pricing", https://aws.amazon.com/dynamodb/pricing/on-demand/, read 2026-11-30; the price of
 *   GetMetricData and GetInsightRuleReport is long-standing and was not confirmed on that day
 */
const observationPrices = {
  insightsUsdPerMillionEvents: 0.03,
  insightsUsdPerRuleMonth: 0.5,
  metricsUsdPerThousand: 0.01,
} as const;

const HOURS_PER_MONTH = 730;

/** The price of a planned run. */
export function priceRun(planned: PlannedSpend, prices: Prices = usEast1Prices): RunCost {
  const load = estimateCost(planned.load, prices);
  const parts: CostPart[] = [
    { what: 'load', usd: load.usd },
    ...(isNone(planned.preload) ? [] : [{ what: 'preload', usd: estimateCost(planned.preload, prices).usd }]),
    ...provisionedPart(planned, prices),
    ...observationParts(planned),
    ...(planned.warmedResources === 0 ? [] : [warmPart(planned.warmedResources)]),
  ];
  return {
    usd: parts.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
    isLowerBound: planned.isLowerBound || parts.some(({ usd }) => usd === null),
    parts,
    basis: load.basis,
  };
}

function isNone({ readUnits, writeUnits }: Units): boolean {
  return readUnits + writeUnits === 0;
}

function provisionedPart({ provisioned }: PlannedSpend, prices: Prices): CostPart[] {
  if (isNone(provisioned)) return [];
  const month = monthlyCost(
    {
      readUnitsPerSecond: provisioned.readUnits,
      writeUnitsPerSecond: provisioned.writeUnits,
      dutyRatio: 1,
      provisionedUseRatio: 1,
    },
    prices,
  );
  const what = `provisioned capacity, ${provisioned.hours} h begun`;
  return [{ what, usd: (month.provisioned.usd / HOURS_PER_MONTH) * provisioned.hours }];
}

function observationParts({ insights, cloudWatchMetrics }: PlannedSpend): CostPart[] {
  const parts: CostPart[] = [];
  if (cloudWatchMetrics > 0) {
    const usd = (cloudWatchMetrics / 1_000) * observationPrices.metricsUsdPerThousand;
    parts.push({ what: 'CloudWatch GetMetricData (price not confirmed)', usd });
  }
  if (insights === null) return parts;
  const events = (insights.events / 1_000_000) * observationPrices.insightsUsdPerMillionEvents;
  // Rules are billed by the month; one that lasts for the run costs a fraction, and an hour is taken as the least.
  const rules = (insights.rules * observationPrices.insightsUsdPerRuleMonth) / HOURS_PER_MONTH;
  const bound = insights.onlyThrottled ? ', at most' : '';
  parts.push({
    what: `Contributor Insights, ${insights.rules} rules and their events${bound}`,
    usd: events + rules,
  });
  return parts;
}

function warmPart(count: number): CostPart {
  return {
    what: `warm throughput of ${count} ${count === 1 ? 'table or index' : 'tables and indexes'}`,
    usd: null,
  };
}
