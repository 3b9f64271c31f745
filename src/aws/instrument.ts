// Clients of the AWS SDK that tell what they send: two steps are added to a client's middleware, one that
// reads each request and asks for accounting before it is signed, one around each attempt. To whom an attempt
// belongs is found by the asynchronous context that it was started in, else the client's own scope hears of
// it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { ReturnConsumedCapacity } from '../dynamodb/operation.ts';
import type { Outcome } from '../dynamodb/outcome.ts';
import type { RequestScope, SentRequest } from '../engine/target.ts';
import type { HttpAnswer } from '../http/attempt.ts';
import { isJsonObject } from './json-object.ts';
import {
  apiOf,
  classifySdkAnswer,
  classifySdkFailure,
  readSdkRequest,
  type SdkRequest,
  urlOfSdkRequest,
} from './sdk-request.ts';

/** How a client's requests are counted. */
export interface Instrumentation {
  /** Hears of what belongs to no operation. */
  readonly elsewhere: RequestScope;
  /** Asked for where the user asks for none. */
  readonly accounting: ReturnConsumedCapacity;
  /**
   * Asked before a request is counted, and again before each attempt, since steps that the user added may have
   * changed it or sent it elsewhere. `undefined` for a request that is none of DynamoDB's, or whose way is unknown.
   * @throws Error for requests that must not go out
   */
  check(request: SdkRequest | undefined, to: URL | undefined): void;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Runs code whose requests, and those of whatever it starts, belong to a scope. */
export function runInScope(scope: RequestScope, body: () => Promise<unknown>): Promise<unknown> {
  // Each request under way listens for the end; Node warns at the eleventh, which is no leak here.
  if (scope.signal) setMaxListeners(Number.POSITIVE_INFINITY, scope.signal);
  return scopes.run(scope, body);
}

/** The scope of the code that is running. */
export function currentScope(): RequestScope | undefined {
  return scopes.getStore();
}

/**
 * Set on the arguments that pass from step to step: they belong to one request, which a cached chain of steps
 * does not.
 */
const sentKey = Symbol('dyno-load.sent');

interface Arguments {
  readonly request?: unknown;
  readonly [sentKey]?: Sent;
}

interface Sent {
  readonly sdkRequest: SdkRequest;
  readonly sent: SentRequest;
}

type Step = (args: Arguments) => Promise<{ response?: unknown }>;

/** As much of a client's middleware as is needed; the same in every version 3 of the SDK. */
interface MiddlewareStack {
  add(middleware: (next: Step) => Step, options: { step: string; priority: string; name: string }): unknown;
}

/** By stack, which a client shares with its document clients. A client that several variants use tells the last. */
const instrumented = new WeakMap<MiddlewareStack, { current: Instrumentation }>();

/**
 * Makes a client of the AWS SDK v3, or a document client, tell what it sends.
 * @throws TypeError for anything else
 */
export function instrumentClient(client: unknown, instrumentation: Instrumentation): void {
  const stack = stackOf(client);
  const known = instrumented.get(stack);
  if (known) {
    known.current = instrumentation;
    return;
  }
  const holder = { current: instrumentation };
  instrumented.set(stack, holder);
  // After the request was made of whatever the user gave, and before its length is taken and it is signed.
  stack.add(readRequest(holder), { step: 'build', priority: 'high', name: 'dynoLoadRequest' });
  // Next to the network: inside of retries, so that each attempt is seen.
  stack.add(countAttempt(holder), { step: 'deserialize', priority: 'low', name: 'dynoLoadAttempt' });
}

function stackOf(client: unknown): MiddlewareStack {
  const stack =
    typeof client === 'object' && client !== null && 'middlewareStack' in client && client.middlewareStack;
  if (typeof stack === 'object' && stack !== null && 'add' in stack && typeof stack.add === 'function')
    return stack as MiddlewareStack; // By its name and its method, which no other thing has.
  throw new TypeError(
    'instrument takes a DynamoDBClient or DynamoDBDocumentClient of the AWS SDK v3, and this is neither',
  );
}

function readRequest(holder: { readonly current: Instrumentation }) {
  return (next: Step): Step =>
    async (args) => {
      const { accounting, elsewhere, check } = holder.current;
      const sdkRequest = readSdkRequest(args.request, accounting);
      check(sdkRequest, urlOfSdkRequest(args.request));
      if (sdkRequest === undefined || !isJsonObject(args.request)) return next(args);
      const { api, request, body } = sdkRequest;
      const sent = (currentScope() ?? elsewhere).begin(api, request);
      // In place: the request is of a class of the SDK, which later steps ask for.
      Object.assign(args.request, { body });
      return next({ ...args, [sentKey]: { sdkRequest, sent } });
    };
}

function countAttempt(holder: { readonly current: Instrumentation }) {
  return (next: Step): Step =>
    async (args) => {
      const { accounting, check } = holder.current;
      const known = args[sentKey];
      const now = isUnchanged(args.request, known)
        ? known.sdkRequest
        : readSdkRequest(args.request, accounting);
      check(now, urlOfSdkRequest(args.request));
      if (known === undefined) return next(args);
      // What was announced is what the table rules have seen; another body has not been seen by them.
      if (now !== known.sdkRequest) throw changed(known.sdkRequest);
      const ended = known.sent.attempt();
      if (ended === undefined) throw refusal(known.sdkRequest);
      const attempt = await carryOut(() => next(args), known.sdkRequest);
      ended(attempt.outcome);
      if (attempt.result === undefined) throw attempt.error;
      return attempt.result;
    };
}

function isUnchanged(request: unknown, known: Sent | undefined): known is Sent {
  if (known === undefined || !isJsonObject(request)) return false;
  return request['body'] === known.sdkRequest.body && apiOf(request['headers']) === known.sdkRequest.api;
}

type Attempt =
  | { readonly outcome: Outcome; readonly result: { response?: unknown } }
  | { readonly outcome: Outcome; readonly result: undefined; readonly error: unknown };

async function carryOut(
  send: () => Promise<{ response?: unknown }>,
  sdkRequest: SdkRequest,
): Promise<Attempt> {
  try {
    const result = await send();
    return { outcome: classifySdkAnswer(await readAnswer(result.response), sdkRequest), result };
  } catch (error) {
    return { outcome: classifySdkFailure(error), result: undefined, error };
  }
}

/** Reads an answer to its end, and leaves its bytes in place of the stream, which can be read only once. */
async function readAnswer(response: unknown): Promise<HttpAnswer> {
  if (!isJsonObject(response)) throw new TypeError('a handler of the SDK gives a response');
  const body = await bytesOf(response['body']);
  Object.assign(response, { body });
  const status = response['statusCode'];
  return { status: typeof status === 'number' ? status : 0, head: headOf(response['headers']), body };
}

async function bytesOf(body: unknown): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (typeof body === 'string') return Buffer.from(body);
  if (typeof body !== 'object' || body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  // Both streams of Node and of the web, which handlers give, are walked like this.
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Headers as they stood on the wire; see `headerValue`. */
function headOf(headers: unknown): string {
  if (!isJsonObject(headers)) return '';
  return `\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\r\n')}`;
}

function refusal({ api }: SdkRequest): Error {
  return new Error(`dyno-load does not send this ${api}: the table that it writes to is not one of this run`);
}

function changed({ api }: SdkRequest): Error {
  return new Error(`dyno-load does not send this ${api}: it was changed by a later step of the client`);
}
