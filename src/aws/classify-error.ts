// What DynamoDB says when it refuses: throttles with their reasons, failed conditions, conflicts, cancelled
// transactions, and the rest.
// @see "Error handling with DynamoDB", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html,
// read 2026-11-30
import { type Outcome, outcomeSeverity } from '../dynamodb/outcome.ts';
import { parseThrottlingReason, type ThrottlingReason } from '../dynamodb/throttling-reason.ts';
import { headerValue, type HttpAnswer } from '../http/attempt.ts';
import { isJsonObject, type JsonObject, textMember } from './json-object.ts';
import { safeMessage } from './safe-message.ts';

/** DynamoDB throttles with the first three, always as HTTP 400; emulators and gateways use the others. */
const throttlingTypes: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'Throttling',
  'ThrottledException',
  'RequestThrottled',
  'RequestThrottledException',
  'TooManyRequestsException',
]);

const conflictTypes: ReadonlySet<string> = new Set([
  'TransactionConflictException',
  // Global tables with strong consistency: another Region writes the same item.
  'ReplicatedWriteConflictException',
]);

type Throttled = Extract<Outcome, { kind: 'throttled' }>;

/** The outcome of an answer that is no success. `body` is undefined where it is not a JSON object. */
export function classifyError(answer: HttpAnswer, body: JsonObject | undefined): Outcome {
  const type = errorType(answer, body);
  if (throttlingTypes.has(type) || answer.status === 429) return throttled(type, body);
  // What an INSERT asks is that the item is new.
  if (type === 'ConditionalCheckFailedException' || type === 'DuplicateItemException')
    return { kind: 'conditionFailed' };
  if (conflictTypes.has(type)) return { kind: 'conflict' };
  if (type === 'TransactionCanceledException') return classifyCancellation(answer, type, body);
  return failed(answer, type, body);
}

/** The exception's short name; `__type` may carry a namespace before `#`, the header an address behind `:`. */
export function errorType(answer: HttpAnswer, body: JsonObject | undefined): string {
  const named =
    textMember(body, '__type') ?? textMember(body, 'code') ?? headerValue(answer.head, 'x-amzn-errortype');
  if (named !== undefined) return named.slice(named.lastIndexOf('#') + 1).replace(/:.*$/, '');
  return answer.status === 200 ? 'BAD_JSON' : `HTTP_${answer.status}`;
}

function throttled(exception: string, body: JsonObject | undefined): Throttled {
  // One exception spells the member with a small t. Emulators, batches and old endpoints give none.
  const wire = body?.['ThrottlingReasons'] ?? body?.['throttlingReasons'];
  const reasons = Array.isArray(wire) ? wire.filter(isJsonObject).map(readReason) : [];
  return {
    kind: 'throttled',
    exception,
    reasons: reasons.length > 0 ? reasons : [parseThrottlingReason('')],
  };
}

function readReason(wire: JsonObject): ThrottlingReason {
  return parseThrottlingReason(textMember(wire, 'reason') ?? '', textMember(wire, 'resource'));
}

const causes: Readonly<Record<string, 'throttled' | 'conditionFailed' | 'conflict'>> = {
  ProvisionedThroughputExceeded: 'throttled',
  ThrottlingError: 'throttled',
  RequestLimitExceeded: 'throttled',
  ConditionalCheckFailed: 'conditionFailed',
  DuplicateItem: 'conditionFailed',
  TransactionConflict: 'conflict',
};

/** A transaction is cancelled as a whole; the worst reason of its members decides what that was. */
function classifyCancellation(answer: HttpAnswer, type: string, body: JsonObject | undefined): Outcome {
  const codes = cancellationCodes(body);
  const members = codes.filter((code) => code !== 'None');
  let worst: 'throttled' | 'conditionFailed' | 'conflict' | 'failed' | undefined;
  let worstCode = type;
  for (const code of members) {
    const kind = causes[code] ?? 'failed';
    if (worst !== undefined && outcomeSeverity(kind) <= outcomeSeverity(worst)) continue;
    worst = kind;
    worstCode = code;
  }
  if (worst === 'throttled')
    return { ...throttled(type, body), cancellationReasons: codes.map((Code) => ({ Code })) };
  if (worst === 'conditionFailed' || worst === 'conflict') return { kind: worst };
  return failed(answer, worstCode, body);
}

/** Codes in request order; older servers tell them in the message only: `… [None, ThrottlingError]`. */
function cancellationCodes(body: JsonObject | undefined): readonly string[] {
  const reasons = body?.['CancellationReasons'];
  if (Array.isArray(reasons))
    return reasons.filter(isJsonObject).map((reason) => textMember(reason, 'Code') ?? 'None');
  const listed = /\[([A-Za-z, ]+)\]/.exec(messageOf(body) ?? '')?.[1];
  return listed === undefined ? [] : listed.split(/, */);
}

function failed(answer: HttpAnswer, code: string, body: JsonObject | undefined): Outcome {
  const requestId = headerValue(answer.head, 'x-amzn-requestid');
  return {
    kind: 'failed',
    code,
    message: safeMessage(messageOf(body) ?? (body ? 'no message' : answer.body.toString('utf8', 0, 1_000))),
    httpStatus: answer.status,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function messageOf(body: JsonObject | undefined): string | undefined {
  return textMember(body, 'message') ?? textMember(body, 'Message');
}
