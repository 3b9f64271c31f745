// What retries did: how often requests were sent, and where the response time of successful operations went.
import type { RunResult, StageTotals, WorkloadResult } from '../analysis/run-result.ts';
import { MISSING, millisecondsCell, percentCell } from './number-format.ts';
import { cell, left, right, type TableSection } from './section.ts';
import { variantCell } from './variant-cell.ts';

/** One row per variant and workload whose requests are sent again; null where there is none. */
export function retriesTable({ variants }: RunResult): TableSection | null {
  const rows = variants.flatMap((variant) =>
    variant.workloads
      .filter(({ measured }) => measured.retries !== undefined)
      .map((workload, index) => [
        variantCell(variant, index),
        cell(workload.name),
        cell(workload.policy.retry),
        ...splitCells(workload),
      ]),
  );
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    isGrouped: true,
    title: 'Retries (mean response time of successful operations in its three parts)',
    columns: [
      left('variant'),
      left('workload'),
      left('policy', { yields: 'wrap' }),
      left('requests sent 1×, 2×, …', { yields: 'wrap' }),
      right('late ms'),
      right('retrying ms'),
      right('service ms'),
    ],
    rows,
  };
}

function splitCells({ measured }: WorkloadResult) {
  const { retries, outcomes } = measured;
  const mean = (sumUs: number | undefined) =>
    sumUs === undefined || outcomes.ok === 0 ? null : sumUs / outcomes.ok;
  return [
    cell(attemptsText(retries)),
    cell(millisecondsCell(mean(retries?.okLatenessUs))),
    cell(millisecondsCell(mean(retries?.okWaitUs))),
    cell(millisecondsCell(mean(retries?.okServiceUs))),
  ];
}

/** Shares by number of attempts, for example `90 %, 8 %, 2 %`. */
function attemptsText(retries: StageTotals['retries']): string {
  const requests = retries?.attempts.reduce((sum, count) => sum + count, 0) ?? 0;
  if (retries === undefined || requests === 0) return MISSING;
  return retries.attempts.map((count) => percentCell(count / requests)).join(', ');
}
