// What AWS would report of the simulated database, bound to a clock: the two doors through which a server
// asks.
import type { ServiceActivity } from '../simulator/metrics/service-activity.ts';
import { CloudWatchError } from './cloudwatch/cloudwatch-error.ts';
import type { CloudWatchProtocol, NextRequestId } from './cloudwatch/protocols/protocol.ts';
import { answerCloudWatch, type CloudWatchRequest } from './cloudwatch-api.ts';
import { contributorInsights, type ContributorInsightsOperation } from './contributor-insights-api.ts';
import type { HttpResponse } from './wire/http-response.ts';

/**
 * ms between the end of a minute and its publication, unless set. AWS publishes no figure; one to three
 * minutes are usual.
 */
const PUBLICATION_DELAY_MS = 60_000;

export interface ServiceReportSettings {
  readonly activity: ServiceActivity;
  /** Wall-clock ms since 1970. */
  readonly nowMs: () => number;
  /** ms between the end of a minute and its publication; default 60,000. */
  readonly publicationDelayMs?: number;
  readonly nextRequestId: NextRequestId;
}

export interface ServiceReports {
  /** Answers a request to CloudWatch; never throws for what a client sent. */
  handleCloudWatch(request: CloudWatchRequest): HttpResponse;
  /** The answer where a request to CloudWatch is not let in, or met an error of ours. */
  refuseCloudWatch(protocol: CloudWatchProtocol, error: unknown): HttpResponse;
  /**
   * Answers one of DynamoDB's operations on Contributor Insights.
   * @param body  the parsed body; may be changed
   * @throws ApiError ResourceNotFoundException, ValidationException, SerializationException
   */
  handleContributorInsights(operation: ContributorInsightsOperation, body: unknown): object;
}

/** Binds the reports to a clock. */
export function createServiceReports(settings: ServiceReportSettings): ServiceReports {
  const { activity, nowMs, publicationDelayMs = PUBLICATION_DELAY_MS, nextRequestId } = settings;
  return {
    handleCloudWatch: (request) =>
      answerCloudWatch({ activity, nowMs: nowMs(), publicationDelayMs, nextRequestId }, request),
    refuseCloudWatch: (protocol, error) => protocol.failure(CloudWatchError.of(error), nextRequestId),
    handleContributorInsights: (operation, body) =>
      contributorInsights(activity.insights, operation, body, nowMs()),
  };
}
