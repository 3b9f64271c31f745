// An HTTP answer of a DynamoDB endpoint → `Outcome`. Exception names end here: nothing above looks at them.
import type { ApiOutput } from '../dynamodb/api-output.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { HttpAnswer } from '../http/attempt.ts';
import { classifyError } from './classify-error.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from './json-object.ts';
import { readConsumedCapacity } from './read-consumed-capacity.ts';

/**
 * What an answer means for the request that it answers.
 *
 * @returns `ok`, `partial`, `throttled`, `conditionFailed`, `conflict`, or `failed` with DynamoDB's exception name,
 *   `HTTP_<status>` where the server gave no name, or `BAD_JSON` where a success is not JSON
 */
export function classifyAnswer(answer: HttpAnswer, request: Request): Outcome {
  const body = parseJsonObject(answer.body.toString());
  if (answer.status !== 200 || body === undefined) return classifyError(answer, body);
  const consumed = readConsumedCapacity(body['ConsumedCapacity'], request);
  // The server's word for it: every member of ApiOutput is optional, so nothing is claimed that must hold.
  const output = body as ApiOutput;
  if (!isBatch(request)) return { kind: 'ok', consumed, output };
  const unprocessedItems =
    request.api === 'BatchExecuteStatement' ? countErrors(body) : countUnprocessed(body);
  if (unprocessedItems === 0) return { kind: 'ok', consumed, output };
  return { kind: 'partial', sentItems: countSent(request), unprocessedItems, consumed, output };
}

type Batch = Extract<Request, { api: 'BatchWriteItem' | 'BatchGetItem' | 'BatchExecuteStatement' }>;

function isBatch(request: Request): request is Batch {
  return request.api.startsWith('Batch');
}

/** Statements of a batch fail one by one, in an answer that is a success. */
function countErrors(body: JsonObject): number {
  const responses = body['Responses'];
  if (!Array.isArray(responses)) return 0;
  return responses.filter((one) => isJsonObject(one) && isJsonObject(one['Error'])).length;
}

function countSent(request: Batch): number {
  if (request.api === 'BatchExecuteStatement') return request.input.Statements.length;
  let count = 0;
  if (request.api === 'BatchWriteItem')
    for (const writes of Object.values(request.input.RequestItems)) count += writes.length;
  else for (const keys of Object.values(request.input.RequestItems)) count += keys.Keys.length;
  return count;
}

/** Writes come back as a list per table, reads as an object with `Keys`. */
function countUnprocessed(body: JsonObject): number {
  const unprocessed = body['UnprocessedItems'] ?? body['UnprocessedKeys'];
  if (!isJsonObject(unprocessed)) return 0;
  let count = 0;
  for (const left of Object.values(unprocessed)) {
    const list = isJsonObject(left) ? left['Keys'] : left;
    if (Array.isArray(list)) count += list.length;
  }
  return count;
}
