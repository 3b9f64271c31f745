// Aim: what retries did is shown where they are on, and nowhere else. Method: records built by hand; the means
// are written out beside them.
import { expect, test } from 'vitest';
import type { RunResult, WorkloadResult } from '../../../src/analysis/run-result.ts';
import { retriesTable } from '../../../src/report/view-retries.ts';
import { buildTotals, buildVariant, buildWorkload } from '../../support/run-result-builder.ts';

const policy: WorkloadResult['policy'] = { maxInFlight: 9, timeoutUs: 1_000, retry: 'sdk', expect: [] };
// 200 operations: 1 ms late, 40 ms in retries, 5 ms of service each.
const retries = {
  attempts: [180, 16, 4],
  okLatenessUs: 200_000,
  okWaitUs: 8_000_000,
  okServiceUs: 1_000_000,
};

function tableOf(...workloads: readonly WorkloadResult[]) {
  const run: Pick<RunResult, 'variants'> = { variants: [buildVariant({ workloads: [...workloads] })] };
  // Variants are all that is read.
  return retriesTable(run as RunResult);
}

test('shares of requests by attempts, and the three parts of the mean response', () => {
  const outcomes = { ...buildTotals().outcomes, ok: 200 };
  const patient = buildWorkload({ policy, measured: buildTotals({ outcomes, retries }) });
  const table = tableOf(buildWorkload({ name: 'other' }), patient);
  expect(table?.rows.map((row) => row.slice(1).map(({ text }) => text))).toEqual([
    ['placeOrder', 'sdk', '90 %, 8 %, 2 %', '1.00', '40.0', '5.00'],
  ]);
});

test('nothing ended well: there is no mean', () => {
  const lost = buildWorkload({ policy, measured: buildTotals({ retries: { ...retries, attempts: [] } }) });
  expect(
    tableOf(lost)
      ?.rows[0]?.slice(3)
      .map(({ text }) => text),
  ).toEqual(['–', '–', '–', '–']);
});

test('no table where nothing is sent again', () => {
  expect(tableOf(buildWorkload())).toBeNull();
});
