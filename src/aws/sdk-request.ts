// What an SDK client is about to send, read from its HTTP request, and what came back, as an outcome. The
// bytes are read and not the SDK's objects: they are the same whatever client, document client or library
// made them.
import type { Request, ReturnConsumedCapacity } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { HttpAnswer } from '../http/attempt.ts';
import { classifyAnswer } from './classify-answer.ts';
import { classifyError } from './classify-error.ts';
import { isJsonObject, type JsonObject, parseJsonObject, textMember } from './json-object.ts';
import { readCapacity } from './read-consumed-capacity.ts';
import { safeMessage } from './safe-message.ts';
import { troubleOfSdk } from './target-error.ts';
import { isDataApi, wireRequest } from './wire-request.ts';

/** A request of an SDK client to DynamoDB. */
export interface SdkRequest {
  /** For example `PutItem` or `DescribeTable`. */
  readonly api: string;
  /** undefined where it is none of the data APIs, or malformed. */
  readonly request: Request | undefined;
  /** Body with accounting asked for. */
  readonly body: string;
  /** It changes nothing, as far as its API and statement tell. */
  readonly isRead: boolean;
}

/** Where an HTTP request of the SDK goes; undefined where it does not say. */
export function urlOfSdkRequest(http: unknown): URL | undefined {
  if (!isJsonObject(http)) return undefined;
  const { protocol, hostname, port } = http;
  if (typeof protocol !== 'string' || typeof hostname !== 'string') return undefined;
  const text = `${protocol}//${hostname}${typeof port === 'number' ? `:${port}` : ''}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * Reads an HTTP request of the SDK.
 * @returns undefined where it is not one of DynamoDB's JSON protocol
 */
export function readSdkRequest(http: unknown, accounting: ReturnConsumedCapacity): SdkRequest | undefined {
  if (!isJsonObject(http)) return undefined;
  const api = apiOf(http['headers']);
  const text = bodyText(http['body']);
  const parsed = text === undefined ? undefined : parseJsonObject(text);
  if (api === undefined || text === undefined || parsed === undefined) return undefined;
  return {
    api,
    request: wireRequest(api, parsed),
    // The data APIs are those that report units.
    body: isDataApi(api) ? withAccounting(text, accounting) : text,
    isRead: isReadApi(api, parsed),
  };
}

/** The API that the headers of a request name; undefined where it is none of DynamoDB's. */
export function apiOf(headers: unknown): string | undefined {
  if (!isJsonObject(headers)) return undefined;
  const target = textMember(headers, 'x-amz-target') ?? textMember(headers, 'X-Amz-Target');
  return target === undefined ? undefined : /^DynamoDB_\d+\.(\w+)$/.exec(target)?.[1];
}

function bodyText(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array
    ? Buffer.from(body.buffer, body.byteOffset, body.length).toString()
    : undefined;
}

// A quote inside a JSON text is escaped, and neither an attribute value nor a name of an expression is
// followed by such a value: this is the member of the request and nothing else.
const noAccounting = '"ReturnConsumedCapacity":"NONE"';
const someAccounting = '"ReturnConsumedCapacity":"';

/** The same body, with accounting where the user asked for none; whatever else they asked for stays. */
function withAccounting(body: string, accounting: ReturnConsumedCapacity): string {
  const asked = `${someAccounting}${accounting}"`;
  if (body.includes(noAccounting)) return body.replace(noAccounting, asked);
  if (body.includes(someAccounting)) return body;
  return `{${asked}${/^\s*\{\s*\}\s*$/.test(body) ? '' : ','}${body.slice(body.indexOf('{') + 1)}`;
}

function isReadApi(api: string, body: JsonObject): boolean {
  if (/^(Get|BatchGet|TransactGet|Query|Scan|Describe|List)/.test(api)) return true;
  const statements = statementsOf(api, body);
  return statements.length > 0 && statements.every((statement) => /^\s*select\b/i.test(statement));
}

/** Statements of PartiQL, which three APIs carry in three ways. */
function statementsOf(api: string, body: JsonObject): readonly string[] {
  const list = {
    ExecuteStatement: [body],
    BatchExecuteStatement: body['Statements'],
    ExecuteTransaction: body['TransactStatements'],
  }[api];
  if (!Array.isArray(list)) return [];
  return list.map((one: unknown) => (isJsonObject(one) ? (textMember(one, 'Statement') ?? '') : ''));
}

/** What an answer means for the request that it answers; see classifyAnswer. */
export function classifySdkAnswer(answer: HttpAnswer, { request, isRead }: SdkRequest): Outcome {
  if (request) return classifyAnswer(answer, request);
  const body = parseJsonObject(answer.body.toString());
  if (answer.status !== 200 || body === undefined) return classifyError(answer, body);
  return {
    kind: 'ok',
    consumed: readCapacity(body['ConsumedCapacity'], { isRead, tableName: '' }),
    output: {},
  };
}

/** What it means that no answer came: given up by somebody, or lost with a code of the network. */
export function classifySdkFailure(error: unknown): Outcome {
  if (error instanceof Error && error.name === 'AbortError') return { kind: 'timedOut' };
  const { code, message } = troubleOfSdk(error);
  return { kind: 'failed', code, message: safeMessage(message) };
}
