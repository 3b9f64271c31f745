// Finds out what a request asks for and passes it on: data plane, table administration, metrics. Whatever
// goes wrong in here is answered like an error of the service, so that one request never takes the server
// down.
import { controlApis, countRefusal, handleControl, refusedAdministration } from './control-plane.ts';
import { jsonProtocol } from './cloudwatch/protocols/json-protocol.ts';
import { type AskedProtocol, protocolOf } from './cloudwatch/protocols/protocol-of.ts';
import {
  type ContributorInsightsOperation,
  contributorInsightsOperations,
} from './contributor-insights-api.ts';
import { DataPlane } from './data-plane.ts';
import type { ControlApi } from './input/control-shapes.ts';
import { parseBody } from './input/parse-body.ts';
import type { BrowserDoor } from './page/browser-door.ts';
import type { ServiceReports } from './service-reports.ts';
import type { SignatureCheck } from './signature/signature-check.ts';
import { SignatureError } from './signature/signature-error.ts';
import type { Administration } from './tables/administration.ts';
import type { HttpResponse } from './wire/http-response.ts';
import type { HttpRequest, RefusalReason } from './wire/server-connection.ts';
import { errorAnswer, internalError, success } from './wire-answer.ts';

type Respond = (response: HttpResponse) => void;
type Operation = (body: Buffer, respond: Respond) => void;

const DYNAMODB_TARGET = 'DynamoDB_20120810';
const CLOUDWATCH_TARGET = 'GraniteServiceVersion20100801.';
const JSON_1_0 = 'application/x-amz-json-1.0';
/** What else passes for JSON; with parameters behind a semicolon or without. */
const otherJson = /^application\/(?:x-amz-json-1\.[01]|json)\s*(?:;|$)/i;

export interface ServiceParts {
  readonly administration: Administration;
  readonly dataPlane: DataPlane;
  readonly reports: ServiceReports;
  readonly browsers: BrowserDoor;
  /** Checks signatures; absent: nobody's are. */
  readonly signatures: SignatureCheck | undefined;
  /** Is told of errors that are ours. */
  readonly onBug: (error: unknown) => void;
}

export class Service {
  /** By the whole value of `x-amz-target`. */
  readonly #operations = new Map<string, Operation>();
  readonly #administration: Administration;
  readonly #reports: ServiceReports;
  readonly #browsers: BrowserDoor;
  readonly #signatures: SignatureCheck | undefined;
  readonly #onBug: (error: unknown) => void;

  constructor({ administration, dataPlane, reports, browsers, signatures, onBug }: ServiceParts) {
    this.#browsers = browsers;
    this.#signatures = signatures;
    this.#administration = administration;
    this.#reports = reports;
    this.#onBug = onBug;
    for (const api of DataPlane.apis) this.#add(api, (body, respond) => dataPlane.handle(api, body, respond));
    for (const api of controlApis) this.#add(api, controlOperation(api, administration));
    for (const operation of contributorInsightsOperations)
      this.#add(operation, (body, respond) => respond(this.#answerInsights(operation, body)));
  }

  /** Answers one request; `respond` is called once, perhaps later. */
  handle(request: HttpRequest, respond: Respond): void {
    try {
      const { method, origin, target = '' } = request.head;
      const operation = this.#operations.get(target);
      const refusal = origin === undefined ? undefined : this.#browsers.refuse(request);
      if (refusal !== undefined) respond(refusal);
      else if (operation !== undefined && method === 'POST' && isJson(request)) {
        this.#signatures?.check(request, 'dynamodb');
        operation(request.body, respond);
      } else respond(this.#answerOther(request, target));
    } catch (error) {
      if (error instanceof SignatureError) {
        respond(this.#answerUnsigned(error));
        return;
      }
      this.#onBug(error);
      respond(internalError);
    }
  }

  /** The answer to what is no request. */
  static refuse(reason: RefusalReason, problem: string): HttpResponse {
    switch (reason) {
      case 'unmeetable':
        return errorAnswer('SerializationException', problem, {}, 417);
      case 'invalid':
        return errorAnswer('SerializationException', `The request is not HTTP as it should be: ${problem}`);
      case 'tooLarge':
        return errorAnswer('RequestEntityTooLargeException', 'The request is larger than 16 MB', {}, 413);
      case 'timeout':
        return errorAnswer('RequestTimeoutException', problem, {}, 408);
    }
  }

  #add(operation: string, run: Operation): void {
    this.#operations.set(`${DYNAMODB_TARGET}.${operation}`, run);
  }

  #answerOther(request: HttpRequest, target: string): HttpResponse {
    const { method, contentType } = request.head;
    if (method === 'GET' && target === '') return this.#browsers.get(request);
    if (method !== 'POST') return notRouted(`Requests are sent with POST; this one came with ${method}`);
    const asked = target === '' ? protocolOf(request.head) : undefined;
    if (asked !== undefined) return this.#answerCloudWatch(request, asked);
    if (!isJson(request)) return notRouted(wrongContentType(contentType));
    if (!target.startsWith(CLOUDWATCH_TARGET)) return this.#answerUnknown(target);
    const operation = target.slice(CLOUDWATCH_TARGET.length);
    return this.#answerCloudWatch(request, { protocol: jsonProtocol, operation });
  }

  #answerUnsigned({ type, message }: SignatureError): HttpResponse {
    const answer = errorAnswer(type, message);
    countRefusal(this.#administration, answer.status);
    return answer;
  }

  #answerUnknown(target: string): HttpResponse {
    const answer = unknownOperation(target);
    if (target.startsWith(`${DYNAMODB_TARGET}.`)) countRefusal(this.#administration, answer.status);
    return answer;
  }

  /** All errors are answered in the client's protocol; none of them counts as a mistake in the use of DynamoDB. */
  #answerCloudWatch(request: HttpRequest, { protocol, operation }: AskedProtocol): HttpResponse {
    try {
      this.#signatures?.check(request, 'monitoring');
      const { database, nowUs } = this.#administration;
      database.expire(nowUs());
      return this.#reports.handleCloudWatch({ protocol, operation, body: request.body });
    } catch (error) {
      if (!(error instanceof SignatureError)) this.#onBug(error);
      return this.#reports.refuseCloudWatch(protocol, error);
    }
  }

  #answerInsights(operation: ContributorInsightsOperation, body: Buffer): HttpResponse {
    try {
      return success(this.#reports.handleContributorInsights(operation, parseBody(body)));
    } catch (error) {
      return refusedAdministration(error, this.#administration);
    }
  }
}

/** Whether a request says that its body is JSON; one without a body need not say anything. */
function isJson({ head: { contentType = '' }, body }: HttpRequest): boolean {
  if (contentType === JSON_1_0) return true;
  return (contentType === '' && body.length === 0) || otherJson.test(contentType);
}

function controlOperation(api: ControlApi, administration: Administration): Operation {
  return (body, respond) => respond(handleControl(api, body, administration));
}

function wrongContentType(contentType: string | undefined): string {
  const found = contentType === undefined ? 'there is none' : `it is ${contentType.slice(0, 100)}`;
  return `The Content-Type of a request has to be ${JSON_1_0}; ${found}`;
}

/**
 * The answer to what DynamoDB's front end does not take for a request to an operation: status 404. The
 * service sends XML there; JSON is what its clients can read.
 * @see `architect/dynalite test/connection.js` (run against the service), read 2026-11-30
 */
function notRouted(message: string): HttpResponse {
  return errorAnswer('UnknownOperationException', message, {}, 404);
}

function unknownOperation(target: string): HttpResponse {
  const name = /^DynamoDB_20120810\.(\w{1,60})$/.exec(target)?.[1];
  return errorAnswer(
    'UnknownOperationException',
    name === undefined ? '' : `dyno-load does not simulate the operation ${name}`,
  );
}
