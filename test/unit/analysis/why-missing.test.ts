// Aim: a missing metric says what is missing and what would be enough. Method: one workload over 5 s,
// changed in one place per row.
import { expect, test } from 'vitest';
import { whyMissing } from '../../../src/analysis/why-missing.ts';
import type { StageTotals } from '../../../src/analysis/run-result.ts';
import { buildTotals, buildWorkload } from '../../support/run-result-builder.ts';

const SECONDS = 5;

function why(metric: string, measured: StageTotals, measuredSeconds = SECONDS): string {
  return whyMissing(
    { workload: 'placeOrder', metric },
    { workloads: [buildWorkload({ measured })], measuredSeconds },
  );
}

test.each<[string, string, StageTotals, string]>([
  [
    'ten samples for p99',
    'response.p99',
    buildTotals({ outcomes: { ok: 10 } }),
    '10 of the 100 samples that p99 needs; measure at least 50 s',
  ],
  [
    // 1,000 ÷ 300 × 5 s = 16.7 s
    '300 samples for p99.9',
    'service.p99.9',
    buildTotals({ outcomes: { ok: 300 } }),
    '300 of the 1,000 samples that p99.9 needs; measure at least 17 s',
  ],
  ['no sample', 'response.mean', buildTotals({ outcomes: { throttled: 10 } }), 'no operation succeeded'],
  ['no item', 'readUnitsPerReturnedItem', buildTotals({ outcomes: { ok: 9 } }), 'no item was returned'],
  ['no batch', 'unprocessedRatio', buildTotals({ outcomes: { ok: 9 } }), 'no item was sent in a batch'],
  ['no success', 'costPerMillion', buildTotals({ outcomes: { throttled: 9 } }), 'no operation succeeded'],
  [
    'no end',
    'requestsPerOperation',
    buildTotals({ outcomes: { ok: 0 }, started: 5, finished: 0 }),
    'no operation came to an end',
  ],
  ['nothing sent', 'throttledRatio', buildTotals({ outcomes: { skipped: 9 } }), 'no operation was sent'],
  ['nothing due', 'throttledRatio', buildTotals(), 'no operation was due'],
])('%s', (_, metric, measured, text) => {
  expect(why(metric, measured)).toBe(text);
});

test('a workload that the variant lacks is named', () => {
  const variant = { workloads: [], measuredSeconds: SECONDS };
  expect(whyMissing({ workload: 'ask', metric: 'throttledRatio' }, variant)).toBe(
    'this variant has no workload ask',
  );
});

test('a run that reached no measured stage says so', () => {
  expect(why('response.p99', buildTotals({ outcomes: { ok: 10 } }), 0)).toBe('no measured stage was reached');
});
