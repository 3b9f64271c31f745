// Aim: each policy waits as its source says, on what it says, and no more often. Method: random numbers that
// always give the same one, so that each wait is the share of its bound.
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { createRetryPolicy } from '../../../src/engine/retry.ts';
import type { Random } from '../../../src/prng.ts';
import type { RetryRule } from '../../../src/scenario/run-plan.ts';
import { okOutcome, throttledOutcome } from '../../support/scripted-target.ts';

const faultOutcome: Outcome = { kind: 'failed', code: 'InternalServerError', message: '', httpStatus: 500 };
const refusedOutcome: Outcome = { kind: 'failed', code: 'ValidationException', message: '', httpStatus: 400 };

const quotaOutcome: Outcome = { kind: 'throttled', exception: 'RequestLimitExceeded', reasons: [] };

const half: Random = { ...neverDrawn(), float: () => 0.5 };

function neverDrawn(): Random {
  const never = () => {
    throw new Error('only float() is drawn');
  };
  return { float: never, int: never, pick: never, uuid: never, id: never };
}

/** Waits in ms after each attempt of one request, until the policy gives up. */
function waitsMs(rule: RetryRule, outcome: Outcome): number[] {
  const policy = createRetryPolicy(rule);
  const waits: number[] = [];
  for (let attempt = 1; attempt < 50; attempt++) {
    const delayUs = policy.delayAfter(outcome, attempt, half);
    if (delayUs === undefined) break;
    waits.push(delayUs / 1_000);
  }
  return waits;
}

const own = (on: readonly ('throttled' | 'failed')[]) => ({ attempts: 6, baseMs: 100, maxMs: 300, on });

describe('half of each bound is waited', () => {
  test.each<{ name: string; rule: RetryRule; outcome: Outcome; waits: readonly number[] }>([
    { name: 'none: a throttle is final', rule: 'none', outcome: throttledOutcome, waits: [] },
    { name: 'sdk: throttles 1, 2, 4 s', rule: 'sdk', outcome: throttledOutcome, waits: [500, 1_000, 2_000] },
    { name: 'sdk: faults 25, 50, 100 ms', rule: 'sdk', outcome: faultOutcome, waits: [12, 25, 50] },
    {
      name: 'sdk: the quota of the account is a throttle',
      rule: 'sdk',
      outcome: quotaOutcome,
      waits: [500, 1_000, 2_000],
    },
    { name: 'sdk: a refusal is final', rule: 'sdk', outcome: refusedOutcome, waits: [] },
    {
      name: 'sdk-before-2026: throttles 0.5 and 1 s',
      rule: 'sdk-before-2026',
      outcome: throttledOutcome,
      waits: [250, 500],
    },
    {
      name: 'sdk-before-2026: faults 100 and 200 ms',
      rule: 'sdk-before-2026',
      outcome: faultOutcome,
      waits: [50, 100],
    },
    {
      name: 'own figures: doubled up to their bound',
      rule: own(['throttled', 'failed']),
      outcome: throttledOutcome,
      waits: [50, 100, 150, 150, 150],
    },
    { name: 'own figures: faults only', rule: own(['failed']), outcome: throttledOutcome, waits: [] },
    { name: 'own figures: throttles only', rule: own(['throttled']), outcome: faultOutcome, waits: [] },
    { name: 'own figures: a success is final', rule: own(['throttled']), outcome: okOutcome, waits: [] },
  ])('$name', ({ rule, outcome, waits }) => {
    expect(waitsMs(rule, outcome)).toEqual(waits);
  });
});

describe('the quota of 500 tokens', () => {
  test.each<{ rule: RetryRule; outcome: Outcome; retries: number }>([
    { rule: 'sdk', outcome: throttledOutcome, retries: 100 },
    { rule: 'sdk-before-2026', outcome: throttledOutcome, retries: 100 },
    // 35 × 14 = 490, 50 × 10 = 500
    { rule: 'sdk', outcome: faultOutcome, retries: 35 },
    { rule: 'sdk-before-2026', outcome: faultOutcome, retries: 50 },
  ])(
    'of $rule bears $retries retries that are not repaid after $outcome.kind',
    ({ rule, outcome, retries }) => {
      const policy = createRetryPolicy(rule);
      let granted = 0;
      while (granted < 1_000 && policy.delayAfter(outcome, 1, half) !== undefined) granted++;
      expect(granted).toBe(retries);
      policy.succeeded(2);
      expect(policy.delayAfter(outcome, 1, half)).toBeDefined();
    },
  );

  test('own figures have none', () => {
    const policy = createRetryPolicy(own(['throttled']));
    const granted = Array.from({ length: 5_000 }, () => policy.delayAfter(throttledOutcome, 1, half));
    expect(granted.every((delayUs) => delayUs === 50_000)).toBe(true);
  });
});
