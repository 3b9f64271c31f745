// Aim: a retry policy is planned as it was written, with its defaults, and each mistake is told with its place.
// Method: a reader over one workload's fields.
import { expect, test } from 'vitest';
import { formatError } from '../../../src/errors.ts';
import { IssueList } from '../../../src/scenario/issues.ts';
import { readRetry, retryText } from '../../../src/scenario/read-retry.ts';
import { SpecReader } from '../../../src/scenario/spec-reader.ts';

function read(retry: unknown) {
  const issues = new IssueList('own.ts');
  const rule = readRetry(new SpecReader({ retry }, 'workloads.w', issues));
  return { rule, text: issues.count === 0 ? '' : formatError(issues.toError()) };
}

test.each([
  { retry: undefined, rule: undefined },
  { retry: 'sdk', rule: 'sdk' },
  { retry: 'sdk-before-2026', rule: 'sdk-before-2026' },
  {
    retry: { attempts: 3, baseMs: 20 },
    rule: { attempts: 3, baseMs: 20, maxMs: 20_000, on: ['throttled', 'failed'] },
  },
  {
    retry: { attempts: 9, baseMs: 0.5, maxMs: 80, on: ['failed'] },
    rule: { attempts: 9, baseMs: 0.5, maxMs: 80, on: ['failed'] },
  },
])('$retry', ({ retry, rule }) => {
  expect(read(retry)).toEqual({ rule, text: '' });
});

test.each([
  { retry: 'SDK', texts: ['workloads.w.retry', 'is "SDK"', 'did you mean "sdk"?'] },
  { retry: 3, texts: ['workloads.w.retry', 'is 3', 'sdk-before-2026'] },
  { retry: {}, texts: ['retry.attempts', 'retry.baseMs', 'is missing'] },
  { retry: { attempts: 1, baseMs: 5 }, texts: ['retry.attempts', 'is 1', '2 to 100'] },
  { retry: { attempts: 3, baseMs: 0 }, texts: ['retry.baseMs', 'is 0'] },
  { retry: { attempts: 3, baseMs: 5, maxMs: -1 }, texts: ['retry.maxMs', 'is -1'] },
  { retry: { attempts: 3, baseMs: 5, on: ['partial'] }, texts: ['retry.on', 'has "partial"'] },
  { retry: { attempts: 3, baseMs: 5, on: [] }, texts: ['retry.on', 'are a list of texts'] },
  { retry: { attempts: 3, baseMs: 5, jitter: true }, texts: ['retry.jitter', 'is not known'] },
])('refused: $retry', ({ retry, texts }) => {
  const { text } = read(retry);
  for (const part of texts) expect(text).toContain(part);
});

test.each([
  { rule: 'sdk' as const, text: 'sdk' },
  {
    rule: { attempts: 4, baseMs: 50, maxMs: 2_000, on: ['throttled', 'failed'] as const },
    text: '4 attempts, 50 to 2000 ms, when throttled or failed',
  },
])('$text', ({ rule, text }) => {
  expect(retryText(rule)).toBe(text);
});
