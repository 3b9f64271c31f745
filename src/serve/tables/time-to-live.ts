// UpdateTimeToLive and DescribeTimeToLive: which attribute tells when an item expires. Expiry itself is not
// simulated.
// @see "Using time to live (TTL) in DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html, read 2026-11-30
import { validationError } from '../../dynamodb/api-error.ts';
import type { Administration } from './administration.ts';

interface UpdateTimeToLiveInput {
  readonly TableName: string;
  readonly TimeToLiveSpecification: { readonly AttributeName: string; readonly Enabled: boolean };
}

/** @throws ApiError ValidationException, ResourceNotFoundException */
export function updateTimeToLive(
  { tables, nowUs }: Administration,
  { TableName, TimeToLiveSpecification }: UpdateTimeToLiveInput,
): object {
  const { AttributeName: attribute, Enabled: isEnabled } = TimeToLiveSpecification;
  const table = tables.get(TableName, nowUs());
  const wasEnabled = table.timeToLive?.isEnabled === true;
  if (isEnabled && wasEnabled) throw validationError('TimeToLive is already enabled');
  if (!isEnabled && !wasEnabled) throw validationError('TimeToLive is already disabled');
  if (!isEnabled && table.timeToLive?.attribute !== attribute)
    throw validationError(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${table.timeToLive?.attribute ?? ''}`,
    );
  table.timeToLive = { attribute, isEnabled };
  return { TimeToLiveSpecification };
}

/** @throws ApiError ResourceNotFoundException */
export function describeTimeToLive(
  { tables, nowUs }: Administration,
  { TableName }: { readonly TableName: string },
): object {
  const { timeToLive } = tables.get(TableName, nowUs());
  return {
    TimeToLiveDescription:
      timeToLive?.isEnabled === true
        ? { TimeToLiveStatus: 'ENABLED', AttributeName: timeToLive.attribute }
        : { TimeToLiveStatus: 'DISABLED' },
  };
}
