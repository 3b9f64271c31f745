// How the throughput of a table or a global index is bought, as requests say it: billing mode and figures, maxima
// on demand, warm throughput at the start. Messages by captures of the service of October 2026 ("ack-api-quirks
// dynamodb", findings DDB-TABLE-128, 178 and 179), read 2026-11-30.
import type { ApiError } from '../../dynamodb/api-error.ts';
import { NEW_TABLE_PARTITIONS, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../../dynamodb/limits.ts';
import type { Billing, Start } from '../../dynamodb/table-spec.ts';
import { invalid } from './invalid.ts';
import type { BillingMode, ThroughputInput } from './table-input.ts';

/**
 * How throughput is bought.
 * @param indexName  names the index in errors; absent: the table
 * @throws ApiError ValidationException where mode and figures contradict each other
 */
export function billingOf(mode: BillingMode, input: ThroughputInput, indexName?: string): Billing {
  const { ProvisionedThroughput: provisioned, OnDemandThroughput: onDemand } = input;
  if (mode === 'PAY_PER_REQUEST') {
    if (provisioned !== undefined)
      throw invalid(
        indexName === undefined
          ? 'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST'
          : `ProvisionedThroughput should not be specified for index: ${indexName} when BillingMode is PAY_PER_REQUEST`,
      );
    return onDemandBilling(onDemand, indexName);
  }
  if (onDemand !== undefined) throw maximumOfProvisioned(onDemand, indexName);
  if (provisioned === undefined)
    throw invalid(
      indexName === undefined
        ? 'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED'
        : `ProvisionedThroughput is not specified for index: ${indexName}`,
    );
  const { ReadCapacityUnits: readUnits, WriteCapacityUnits: writeUnits } = provisioned;
  return { mode: 'provisioned', readUnits, writeUnits };
}

type Maxima = NonNullable<ThroughputInput['OnDemandThroughput']>;

const maximumNames = ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const;

/**
 * On demand, with the maxima that are set; −1 takes one away.
 * @throws ApiError ValidationException
 */
export function onDemandBilling(
  maxima: Maxima = {},
  indexName?: string,
): Extract<Billing, { mode: 'on-demand' }> {
  for (const name of maximumNames)
    if ((maxima[name] ?? 1) < 1 && maxima[name] !== -1) throw outOfRange(name, indexName);
  const { MaxReadRequestUnits: reads = -1, MaxWriteRequestUnits: writes = -1 } = maxima;
  return {
    mode: 'on-demand',
    ...(reads !== -1 && { maximumReadUnits: reads }),
    ...(writes !== -1 && { maximumWriteUnits: writes }),
  };
}

/**
 * What is made has no maximum that could be taken away.
 * @throws ApiError ValidationException
 */
export function checkRemovesNothing(
  { OnDemandThroughput: maxima = {}, BillingMode: mode }: ThroughputInput & { readonly BillingMode?: string },
  indexName?: string,
): void {
  if (mode === 'PROVISIONED') return;
  for (const name of maximumNames) if (maxima[name] === -1) throw outOfRange(name, indexName);
}

function outOfRange(name: string, indexName: string | undefined): ApiError {
  const where = indexName === undefined ? 'table' : `index : ${indexName}`;
  return invalid(`Requested ${name} for OnDemandThroughput for ${where} is outside of valid range`);
}

function maximumOfProvisioned(maxima: Maxima, indexName: string | undefined): ApiError {
  const name = maximumNames.find((one) => maxima[one] !== undefined) ?? 'MaxReadRequestUnits';
  const where = indexName === undefined ? '' : ` for index: ${indexName}`;
  return invalid(
    `${name} for OnDemandThroughput${where} cannot be specified when table BillingMode is PROVISIONED.`,
  );
}

/**
 * The start of a new table or index: warm where the request says so, and then with no less than it would have
 * by itself.
 * @throws ApiError ValidationException
 */
export function startOf(
  { WarmThroughput: warm, ProvisionedThroughput: provisioned }: ThroughputInput,
  mode: BillingMode,
  indexName?: string,
): Start {
  if (warm === undefined) return { kind: 'new' };
  const { ReadUnitsPerSecond: warmReadUnits, WriteUnitsPerSecond: warmWriteUnits } = warm;
  const { ReadCapacityUnits: reads = 0, WriteCapacityUnits: writes = 0 } = provisioned ?? {};
  const isOnDemand = mode === 'PAY_PER_REQUEST';
  checkWarm('Read', warmReadUnits, isOnDemand ? INITIAL_READ_UNITS : reads, isOnDemand, indexName);
  checkWarm('Write', warmWriteUnits, isOnDemand ? INITIAL_WRITE_UNITS : writes, isOnDemand, indexName);
  return { kind: 'warm', warmReadUnits: warmReadUnits ?? 0, warmWriteUnits: warmWriteUnits ?? 0 };
}

/** What a new on-demand table serves at once. */
const INITIAL_READ_UNITS = NEW_TABLE_PARTITIONS * PARTITION_READ_UNITS;
const INITIAL_WRITE_UNITS = NEW_TABLE_PARTITIONS * PARTITION_WRITE_UNITS;

function checkWarm(
  side: 'Read' | 'Write',
  units: number | undefined,
  least: number,
  isOnDemand: boolean,
  indexName: string | undefined,
): void {
  if (units === undefined || units >= least) return;
  const where = indexName === undefined ? 'table' : `index ${indexName}`;
  throw invalid(
    `Requested ${side}UnitsPerSecond for WarmThroughput for ${where} is lower than ${
      isOnDemand ? 'initial throughput for OnDemand.' : `${side}CapacityUnits of ProvisionedThroughput`
    }`,
  );
}
