// What AWS would report of the simulated database, bound to a clock: the two doors through which a server
// asks.
import type { ServiceActivity } from '../simulator/metrics/service-activity.ts';
import { answerCloudWatch, type CloudWatchAnswer } from './cloudwatch-api.ts';
import { contributorInsights, type ContributorInsightsOperation } from './contributor-insights-api.ts';

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
}

export interface ServiceReports {
  /**
   * Answers CloudWatch's operation; never throws for what a client sent.
   * @param bodyText  the body as it came
   */
  handleCloudWatch(operation: string, bodyText: string): CloudWatchAnswer;
  /**
   * Answers one of DynamoDB's operations on Contributor Insights.
   * @param body  the parsed body; may be changed
   * @throws ApiError ResourceNotFoundException, ValidationException, SerializationException
   */
  handleContributorInsights(operation: ContributorInsightsOperation, body: unknown): object;
}

/** Binds the reports to a clock. */
export function createServiceReports(settings: ServiceReportSettings): ServiceReports {
  const { activity, nowMs, publicationDelayMs = PUBLICATION_DELAY_MS } = settings;
  return {
    handleCloudWatch: (operation, bodyText) =>
      answerCloudWatch({ activity, nowMs: nowMs(), publicationDelayMs }, operation, bodyText),
    handleContributorInsights: (operation, body) =>
      contributorInsights(activity.insights, operation, body, nowMs()),
  };
}
