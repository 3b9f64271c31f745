// The retry policy of a workload, from what a scenario wrote to the rule of its plan.
import type { OwnRetryRule, RetryRule } from './run-plan.ts';
import { isFields, SpecReader } from './spec-reader.ts';

const named = ['none', 'sdk', 'sdk-before-2026'] as const;

/** More would be no policy but a loop. */
const MOST_ATTEMPTS = 100;

/** The SDK's own bound. */
const DEFAULT_MAX_MS = 20_000;

const retried = ['throttled', 'failed'] as const;

/** The rule; undefined, with an issue, where it is none, and without where nothing is said. */
export function readRetry(workload: SpecReader): RetryRule | undefined {
  const value = workload.fields['retry'];
  if (!isFields(value)) return workload.oneOf('retry', named);
  const rule = new SpecReader(value, workload.place('retry'), workload.issues);
  rule.allowOnly(['attempts', 'baseMs', 'maxMs', 'on']);
  rule.require('attempts', 'it bounds how often a request is sent', 'add attempts: 4');
  rule.require('baseMs', 'it bounds the wait before the second attempt', 'add baseMs: 50');
  const attempts = rule.wholeNumber('attempts', { least: 2, most: MOST_ATTEMPTS, unit: 'attempts' });
  const baseMs = rule.positive('baseMs', 'waits are above zero');
  const maxMs = rule.positive('maxMs', 'waits are above zero') ?? DEFAULT_MAX_MS;
  const on = readRetried(rule);
  return attempts === undefined || baseMs === undefined ? undefined : { attempts, baseMs, maxMs, on };
}

function readRetried(rule: SpecReader): OwnRetryRule['on'] {
  if (!rule.has('on')) return retried;
  const names = rule.names('on', 'outcomes that are tried again') ?? [];
  for (const name of names)
    if (!retried.some((known) => known === name))
      rule.problem(
        'on',
        `has "${name}"`,
        'throttled requests are tried again, and those that failed by a fault of server or network',
        "use 'throttled', 'failed' or both",
      );
  return retried.filter((known) => names.includes(known));
}

/** In words, for records and reports: `sdk`, or `4 attempts, 50 to 2000 ms, when throttled`. */
export function retryText(rule: RetryRule): string {
  if (typeof rule === 'string') return rule;
  const { attempts, baseMs, maxMs, on } = rule;
  return `${attempts} attempts, ${baseMs} to ${maxMs} ms, when ${on.join(' or ')}`;
}
