// Finds out what a request asks for and passes it on: data plane, table administration, metrics. Whatever
// goes wrong in here is answered like an error of the service, so that one request never takes the server
// down.
import { ApiError } from '../dynamodb/api-error.ts';
import { controlApis, handleControl } from './control-plane.ts';
import { refuseOtherProtocol } from './cloudwatch/other-protocols.ts';
import { CLOUDWATCH_TARGET } from './cloudwatch-api.ts';
import {
  type ContributorInsightsOperation,
  contributorInsightsOperations,
} from './contributor-insights-api.ts';
import { DataPlane } from './data-plane.ts';
import type { ControlApi } from './input/control-shapes.ts';
import { parseBody } from './input/parse-body.ts';
import type { ServiceReports } from './service-reports.ts';
import type { Administration } from './tables/administration.ts';
import type { HttpResponse } from './wire/http-response.ts';
import type { HttpRequest, RefusalReason } from './wire/server-connection.ts';
import { apiErrorAnswer, errorAnswer, internalError, success } from './wire-answer.ts';

type Respond = (response: HttpResponse) => void;
type Operation = (body: Buffer, respond: Respond) => void;

const DYNAMODB_TARGET = 'DynamoDB_20120810';

export interface ServiceParts {
  readonly administration: Administration;
  readonly dataPlane: DataPlane;
  readonly reports: ServiceReports;
  /** Is told of errors that are ours. */
  readonly onBug: (error: unknown) => void;
}

export class Service {
  /** By the whole value of `x-amz-target`. */
  readonly #operations = new Map<string, Operation>();
  readonly #reports: ServiceReports;
  readonly #onBug: (error: unknown) => void;

  constructor({ administration, dataPlane, reports, onBug }: ServiceParts) {
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
      const { target = '' } = request.head;
      const operation = this.#operations.get(target);
      if (operation !== undefined && request.head.method === 'POST') operation(request.body, respond);
      else respond(this.#answerOther(request, target));
    } catch (error) {
      this.#onBug(error);
      respond(internalError);
    }
  }

  /** The answer to what is no request. */
  static refuse(reason: RefusalReason, problem: string): HttpResponse {
    switch (reason) {
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

  #answerOther({ head, body }: HttpRequest, target: string): HttpResponse {
    const { method, path, contentType } = head;
    if (method === 'GET' && target === '')
      return { status: 200, body: 'healthy: dyno-load serve\n', headers: { 'content-type': 'text/plain' } };
    if (method === 'POST' && target.startsWith(`${CLOUDWATCH_TARGET}.`))
      return this.#reports.handleCloudWatch(target.slice(CLOUDWATCH_TARGET.length + 1), body.toString());
    return (
      refuseOtherProtocol({ path, headers: { 'content-type': contentType } }) ?? unknownOperation(target)
    );
  }

  #answerInsights(operation: ContributorInsightsOperation, body: Buffer): HttpResponse {
    try {
      return success(this.#reports.handleContributorInsights(operation, parseBody(body)));
    } catch (error) {
      if (error instanceof ApiError) return apiErrorAnswer(error);
      throw error;
    }
  }
}

function controlOperation(api: ControlApi, administration: Administration): Operation {
  return (body, respond) => respond(handleControl(api, body, administration));
}

function unknownOperation(target: string): HttpResponse {
  const name = /^DynamoDB_20120810\.(\w{1,60})$/.exec(target)?.[1];
  return errorAnswer(
    'UnknownOperationException',
    name === undefined ? '' : `dyno-load does not simulate the operation ${name}`,
  );
}
