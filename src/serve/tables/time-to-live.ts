// UpdateTimeToLive and DescribeTimeToLive: which attribute tells when an item expires. The deletions are the
// simulated database's.
// @see "UpdateTimeToLive",
//   https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html, read 2026-11-30;
//   messages and their order by captures of October 2026 ("ack-api-quirks dynamodb", findings DDB-TABLE-115 and
//   143 to 147), read 2026-11-30
import { ApiError, validationError } from '../../dynamodb/api-error.ts';
import type { Administration } from './administration.ts';
import type { TimeToLive } from './served-table.ts';

interface UpdateTimeToLiveInput {
  readonly TableName: string;
  readonly TimeToLiveSpecification: { readonly AttributeName: string; readonly Enabled: boolean };
}

/** A change may take an hour, in which the table takes no other; the captures saw 31 minutes. */
const CHANGE_INTERVAL_MS = 3_600_000;

/** @throws ApiError ValidationException, ResourceNotFoundException */
export function updateTimeToLive(
  administration: Administration,
  { TableName, TimeToLiveSpecification }: UpdateTimeToLiveInput,
): object {
  const { database, tables, transitionUs } = administration;
  const { AttributeName: attribute, Enabled: isEnabled } = TimeToLiveSpecification;
  const nowUs = administration.nowUs();
  const wallMs = administration.wallMs();
  const table = tables.get(TableName, nowUs);
  const status = table.status(nowUs);
  if (status === 'CREATING' || status === 'DELETING')
    throw new ApiError(
      'ResourceInUseException',
      `Attempt to change a resource which is still in use: Table ${TableName} is being ${status === 'CREATING' ? 'created' : 'deleted'}`,
    );
  checkChange(table.timeToLive, { attribute, isEnabled }, wallMs);
  table.timeToLive = { attribute, isEnabled, changedAtMs: wallMs, doneAtUs: nowUs + transitionUs };
  database.setTimeToLive(table.name, isEnabled ? attribute : undefined, nowUs);
  return { TimeToLiveSpecification };
}

function checkChange(
  before: TimeToLive | undefined,
  { attribute, isEnabled }: Pick<TimeToLive, 'attribute' | 'isEnabled'>,
  wallMs: number,
): void {
  const wasEnabled = before?.isEnabled === true;
  if (wasEnabled && before.attribute !== attribute)
    throw validationError(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${before.attribute}`,
    );
  if (isEnabled && wasEnabled) throw validationError('TimeToLive is already enabled');
  if (!isEnabled && !wasEnabled) throw validationError('TimeToLive is already disabled');
  if (before !== undefined && wallMs - before.changedAtMs < CHANGE_INTERVAL_MS)
    throw validationError('Time to live has been modified multiple times within a fixed interval');
}

/** @throws ApiError ResourceNotFoundException */
export function describeTimeToLive(
  { tables, nowUs }: Administration,
  { TableName }: { readonly TableName: string },
): object {
  const atUs = nowUs();
  const table = tables.get(TableName, atUs);
  const status = table.status(atUs);
  if (status === 'CREATING' || status === 'DELETING')
    throw validationError(
      `Cannot describe time to live while table is in ${status} state: Current table state is ${status}`,
    );
  const { timeToLive } = table;
  if (timeToLive === undefined) return { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } };
  const { attribute, isEnabled, doneAtUs } = timeToLive;
  const isDone = atUs >= doneAtUs;
  if (!isEnabled && isDone) return { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } };
  const TimeToLiveStatus = isEnabled ? (isDone ? 'ENABLED' : 'ENABLING') : 'DISABLING';
  return { TimeToLiveDescription: { TimeToLiveStatus, AttributeName: attribute } };
}
