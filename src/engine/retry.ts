// Retry policies as an experiment variable. `none` shows every throttle; `sdk` repeats what the AWS SDK for JavaScript does by default since
// 2026-11-10, so that its effect can be measured: every attempt is recorded, none is hidden.
import type { Outcome } from '../dynamodb/outcome.ts';
import type { Random } from '../prng.ts';

/** Decides after each attempt. One instance serves one workload, as one SDK client would. */
export interface RetryPolicy {
  /** Delay in µs before the next attempt, or undefined to give up. `attempt` counts from 1. */
  delayAfter(outcome: Outcome, attempt: number, random: Random): number | undefined;
  /** An operation that needed retries, or none, ended well. */
  succeeded(attempts: number): void;
}

/** One attempt and no more. */
export const noRetry: RetryPolicy = {
  delayAfter: () => undefined,
  succeeded: () => undefined,
};

// Figures of the SDK's standard mode for DynamoDB. @see "Updated default retry behavior for AWS SDKs and tools",
// https://aws.amazon.com/blogs/developer/updated-default-retry-behavior-for-aws-sdks-and-tools/, read 2026-11-30
const MAX_ATTEMPTS = 4;
const TRANSIENT_BASE_MS = 25;
const THROTTLING_BASE_MS = 1_000;
const MAX_DELAY_MS = 20_000;
const QUOTA_TOKENS = 500;
const THROTTLING_COST = 5;
const TRANSIENT_COST = 14;

/** The SDK's standard policy: full jitter, four attempts, a quota of 500 tokens that throttled retries drain. */
export class SdkRetry implements RetryPolicy {
  #tokens = QUOTA_TOKENS;
  #spent = 0;

  delayAfter(outcome: Outcome, attempt: number, random: Random): number | undefined {
    const kind = retryKind(outcome);
    if (kind === undefined || attempt >= MAX_ATTEMPTS) return undefined;
    const cost = kind === 'throttling' ? THROTTLING_COST : TRANSIENT_COST;
    if (this.#tokens < cost) return undefined;
    this.#tokens -= cost;
    this.#spent = cost;
    const baseMs = kind === 'throttling' ? THROTTLING_BASE_MS : TRANSIENT_BASE_MS;
    return Math.floor(random.float() * Math.min(baseMs * 2 ** (attempt - 1), MAX_DELAY_MS)) * 1_000;
  }

  succeeded(attempts: number): void {
    this.#tokens = Math.min(QUOTA_TOKENS, this.#tokens + (attempts > 1 ? this.#spent : 1));
  }
}

const transientCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ATTEMPT_TIMED_OUT',
]);

function retryKind(outcome: Outcome): 'throttling' | 'transient' | undefined {
  // A cancelled transaction is never retried by the SDK, even when a throttle was the cause.
  if (outcome.kind === 'throttled')
    return outcome.exception === 'TransactionCanceledException' ? undefined : 'throttling';
  if (outcome.kind !== 'failed') return undefined;
  if (outcome.code === 'TransactionInProgressException') return 'throttling';
  const isServerFault = outcome.httpStatus !== undefined && [500, 502, 503, 504].includes(outcome.httpStatus);
  return isServerFault || transientCodes.has(outcome.code) ? 'transient' : undefined;
}
