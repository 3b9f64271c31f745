// Retry policies as an experiment variable. `none` shows every throttle; the others repeat what the AWS SDK for
// JavaScript does, or what the user asks for, so that its effect can be measured: every attempt is recorded, none
// is hidden.
import type { Outcome } from '../dynamodb/outcome.ts';
import type { Random } from '../prng.ts';
import type { OwnRetryRule, RetryRule } from '../scenario/run-plan.ts';
import { US_PER_MS } from '../units.ts';

/** Decides after each attempt. One instance serves one workload, as one SDK client would. */
export interface RetryPolicy {
  /** Delay in µs before the next attempt, or undefined to give up. `attempt` counts from 1. */
  delayAfter(outcome: Outcome, attempt: number, random: Random): number | undefined;
  /** An operation that needed retries, or none, ended well. */
  succeeded(attempts: number): void;
}

/** One attempt and no more. */
const noRetry: RetryPolicy = {
  delayAfter: () => undefined,
  succeeded: () => undefined,
};

/** The policy that a workload's rule asks for, at its start. */
export function createRetryPolicy(rule: RetryRule): RetryPolicy {
  if (rule === 'none') return noRetry;
  if (rule === 'sdk') return new SdkRetry(sdkSince2026);
  return rule === 'sdk-before-2026' ? new SdkRetry(sdkBefore2026) : new OwnRetry(rule);
}

/** Figures of the AWS SDK for JavaScript's standard mode with DynamoDB. Costs are in tokens of its quota. */
interface SdkFigures {
  readonly maxAttempts: number;
  readonly transientBaseMs: number;
  readonly throttlingBaseMs: number;
  readonly transientCost: number;
}

/**
 * The default since 2026-11-10.
 * @see "Updated default retry behavior for AWS SDKs and tools",
 * https://aws.amazon.com/blogs/developer/updated-default-retry-behavior-for-aws-sdks-and-tools/, read 2026-11-30
 */
const sdkSince2026: SdkFigures = {
  maxAttempts: 4,
  transientBaseMs: 25,
  throttlingBaseMs: 1_000,
  transientCost: 14,
};

/**
 * The default before. The base delay of throttled requests is that of its code; the announcement's table says
 * 100 ms.
 * @see https://github.com/smithy-lang/smithy-typescript, packages/core/src/submodules/retry, read 2026-11-30
 */
const sdkBefore2026: SdkFigures = {
  maxAttempts: 3,
  transientBaseMs: 100,
  throttlingBaseMs: 500,
  transientCost: 10,
};

// The same before and after; from the same sources.
const MAX_DELAY_MS = 20_000;
const QUOTA_TOKENS = 500;
const THROTTLING_COST = 5;

/** The SDK's standard policy: full jitter and a quota of 500 tokens that retries drain. */
class SdkRetry implements RetryPolicy {
  readonly #figures: SdkFigures;
  #tokens = QUOTA_TOKENS;
  #spent = 0;

  constructor(figures: SdkFigures) {
    this.#figures = figures;
  }

  delayAfter(outcome: Outcome, attempt: number, random: Random): number | undefined {
    const { maxAttempts, transientBaseMs, throttlingBaseMs, transientCost } = this.#figures;
    const kind = retryKind(outcome);
    if (kind === undefined || attempt >= maxAttempts) return undefined;
    const cost = kind === 'throttling' ? THROTTLING_COST : transientCost;
    if (this.#tokens < cost) return undefined;
    this.#tokens -= cost;
    this.#spent = cost;
    const baseMs = kind === 'throttling' ? throttlingBaseMs : transientBaseMs;
    return jitteredUs(baseMs, attempt, MAX_DELAY_MS, random);
  }

  succeeded(attempts: number): void {
    this.#tokens = Math.min(QUOTA_TOKENS, this.#tokens + (attempts > 1 ? this.#spent : 1));
  }
}

/** A policy of the user's own figures: full jitter, no quota. */
class OwnRetry implements RetryPolicy {
  readonly #rule: OwnRetryRule;

  constructor(rule: OwnRetryRule) {
    this.#rule = rule;
  }

  delayAfter(outcome: Outcome, attempt: number, random: Random): number | undefined {
    const { attempts, baseMs, maxMs, on } = this.#rule;
    const kind = retryKind(outcome);
    if (kind === undefined || attempt >= attempts) return undefined;
    if (!on.includes(kind === 'throttling' ? 'throttled' : 'failed')) return undefined;
    return jitteredUs(baseMs, attempt, maxMs, random);
  }

  succeeded(): void {
    // Without a quota there is nothing to give back.
  }
}

/** Any whole ms below a bound that doubles with each attempt, up to `maxMs`; in µs. */
function jitteredUs(baseMs: number, attempt: number, maxMs: number, random: Random): number {
  return Math.floor(random.float() * Math.min(baseMs * 2 ** (attempt - 1), maxMs)) * US_PER_MS;
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
