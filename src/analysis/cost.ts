// What consumed units cost. Prices are a dated value that callers may replace: AWS changes them and they
// differ by region. Storage, streams, backups and data transfer are left out.
import type { Units } from '../dynamodb/consumed-capacity.ts';
import type { VariantResult } from './run-result.ts';

/** Prices of one region, USD, Standard table class, with where and when they were found. */
export interface Prices {
  readonly region: string;
  /** Day on which the source took them from AWS. */
  readonly asOf: string;
  readonly source: string;
  /** Per million request units on demand. */
  readonly onDemandWriteUsdPerMillion: number;
  readonly onDemandReadUsdPerMillion: number;
  /** Per provisioned unit (one per second) and hour. */
  readonly provisionedWriteUsdPerHour: number;
  readonly provisionedReadUsdPerHour: number;
}

/**
 * Prices of us-east-1 as of 2026-07-30.
 * @see "Amazon DynamoDB pricing for on-demand capacity", https://aws.amazon.com/dynamodb/pricing/on-demand/,
 *   read 2026-11-30; figures agree with a Price List Query API extract of 2026-07-30
 */
export const usEast1Prices: Prices = {
  region: 'us-east-1',
  asOf: '2026-07-30',
  source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  onDemandWriteUsdPerMillion: 0.625,
  onDemandReadUsdPerMillion: 0.125,
  provisionedWriteUsdPerHour: 0.00065,
  provisionedReadUsdPerHour: 0.00013,
};

/** An amount with what it was computed from. */
export interface PricedAmount {
  readonly usd: number;
  /** Prices, region and date, for print. */
  readonly basis: string;
}

/** Hours in a month, as AWS's own calculators count: 365 × 24 ÷ 12. */
const HOURS_PER_MONTH = 730;

const SECONDS_PER_HOUR = 3_600;

/** On-demand price of consumed units, in USD. */
function onDemandUsd(units: Units, prices: Prices = usEast1Prices): number {
  const writes = units.writeUnits * prices.onDemandWriteUsdPerMillion;
  const reads = units.readUnits * prices.onDemandReadUsdPerMillion;
  return (writes + reads) / 1_000_000;
}

/** On-demand price of consumed units with its basis. */
export function estimateCost(units: Units, prices: Prices = usEast1Prices): PricedAmount {
  return { usd: onDemandUsd(units, prices), basis: onDemandBasis(prices) };
}

/**
 * On-demand price per million operations.
 * @param operations  those that succeeded
 * @returns USD, or null where no operation succeeded
 */
export function costPerMillion(
  units: Units,
  operations: number,
  prices: Prices = usEast1Prices,
): number | null {
  return operations > 0 ? (onDemandUsd(units, prices) / operations) * 1_000_000 : null;
}

/**
 * What a variant costs on demand per million planned operations: the workloads' cost per million, weighted by
 * their planned rates.
 * @returns USD; null where a workload with load had no successful operation
 */
export function variantCostPerMillion(variant: Pick<VariantResult, 'workloads'>): number | null {
  let planned = 0;
  let weighted = 0;
  for (const { measured, metrics } of variant.workloads) {
    if (measured.planned === 0) continue;
    const cost = metrics.costPerMillion ?? null;
    if (cost === null) return null;
    planned += measured.planned;
    weighted += measured.planned * cost;
  }
  return planned === 0 ? null : weighted / planned;
}

/** A rate held during part of a month. */
export interface MonthlyDemand {
  readonly readUnitsPerSecond: number;
  readonly writeUnitsPerSecond: number;
  /** Share of the time during which the rate holds; 1 is around the clock. */
  readonly dutyRatio: number;
  /**
   * Share of the provisioned units that the rate uses while it holds; AWS's auto scaling aims at 0.7 by
   * default.
   */
  readonly provisionedUseRatio: number;
}

/**
 * Cost of a month by both ways to pay. Provisioned capacity is taken as bought for the rate and held all
 * month, without auto scaling. Provisioned wins from 28.9 % use on: 0.00065 USD ÷ 3,600 s against 0.625 USD ÷
 * 1,000,000.
 */
export function monthlyCost(
  demand: MonthlyDemand,
  prices: Prices = usEast1Prices,
): { onDemand: PricedAmount; provisioned: PricedAmount } {
  const busySeconds = HOURS_PER_MONTH * SECONDS_PER_HOUR * demand.dutyRatio;
  const units = {
    readUnits: demand.readUnitsPerSecond * busySeconds,
    writeUnits: demand.writeUnitsPerSecond * busySeconds,
  };
  const held = (unitsPerSecond: number): number => Math.ceil(unitsPerSecond / demand.provisionedUseRatio);
  const hourlyUsd =
    held(demand.writeUnitsPerSecond) * prices.provisionedWriteUsdPerHour +
    held(demand.readUnitsPerSecond) * prices.provisionedReadUsdPerHour;
  return {
    onDemand: estimateCost(units, prices),
    provisioned: { usd: hourlyUsd * HOURS_PER_MONTH, basis: provisionedBasis(prices) },
  };
}

function onDemandBasis(prices: Prices): string {
  return (
    `${prices.onDemandWriteUsdPerMillion} USD per million write units and ` +
    `${prices.onDemandReadUsdPerMillion} USD per million ` +
    `read units on demand, ${prices.region}, as of ${prices.asOf} (${prices.source})`
  );
}

function provisionedBasis(prices: Prices): string {
  return (
    `${prices.provisionedWriteUsdPerHour} USD per write unit and hour and ` +
    `${prices.provisionedReadUsdPerHour} USD per read unit ` +
    `and hour provisioned, ${prices.region}, as of ${prices.asOf} (${prices.source})`
  );
}
