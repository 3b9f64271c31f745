// DescribeLimits and DescribeEndpoints: the default quotas of an account, and this server's own address.
// @see "Quotas in Amazon DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30
import type { Administration } from './administration.ts';
import { quotasOf } from './quotas.ts';

const ENDPOINT_CACHE_MINUTES = 1_440;

/**
 * AWS says that more than one call a minute might be throttled; here none is: nobody can rely on the refusal,
 * and tools that look at a test server often would stumble.
 */
export function describeLimits(administration: Administration): object {
  const { tableUnits, accountUnits } = quotasOf(administration);
  return {
    AccountMaxReadCapacityUnits: Math.round(accountUnits),
    AccountMaxWriteCapacityUnits: Math.round(accountUnits),
    TableMaxReadCapacityUnits: Math.round(tableUnits),
    TableMaxWriteCapacityUnits: Math.round(tableUnits),
  };
}

/** @param address  host and port */
export function describeEndpoints(address: string): object {
  return { Endpoints: [{ Address: address, CachePeriodInMinutes: ENDPOINT_CACHE_MINUTES }] };
}
