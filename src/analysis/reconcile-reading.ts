// How a difference between what the service counted and what the client counted is to be read: explained by
// what is known of it, or not.
import type { CloudWatchRecord, MetricSeries } from './records/cloudwatch.ts';
import type { ReconciliationRow } from './records/reconciliation.ts';
import type { ClientCounts, Silent } from './reconcile-counts.ts';
import { countOf, formatNumber } from './wording.ts';

/** One quantity as both counted it. */
export interface Pair {
  readonly quantity: ReconciliationRow['quantity'];
  readonly series: MetricSeries;
  readonly client: number;
  readonly estimated?: number;
  readonly measuredClient?: number;
  /** Requests that may stand for what the service counted and answers did not tell. */
  readonly silent: Silent;
}

type Reading = Pick<ReconciliationRow, 'status' | 'because'>;

/** Sums of halves and of averages are not exact in binary. */
function isNone(difference: number, size: number): boolean {
  return Math.abs(difference) <= 1e-6 * Math.max(1, Math.abs(size));
}

/** The reading of one pair. @param service  what the service counted */
export function explain(context: ClientCounts, pair: Pair, service: number): Reading {
  const { client, estimated = 0 } = pair;
  const difference = service - client;
  if (isNone(difference, service)) return { status: 'agrees', because: '' };
  if (difference < 0) return explainLess(context.cloudWatch, -difference);
  const reasons: string[] = [];
  let left = difference;
  if (estimated > 0) {
    const used = Math.min(estimated, left);
    reasons.push(
      `${formatNumber(used)} for failed conditions and cancelled transactions, which are charged and not reported`,
    );
    left -= used;
  }
  if (!isNone(left, service)) left = explainSilent(context, pair, left, reasons);
  if (isNone(left, service)) return { status: 'explained', because: `${reasons.join('; ')}.` };
  const rest = context.cloudWatch.isTableShared
    ? 'other clients may have used the table'
    : 'no other client of the table is known';
  reasons.push(`${formatNumber(left)} that nothing here explains; ${rest}`);
  return { status: 'unexplained', because: `${reasons.join('; ')}.` };
}

/** Requests without an answer explain as much as they could have done, and no more. */
function explainSilent(context: ClientCounts, { silent }: Pair, left: number, reasons: string[]): number {
  const causes = [
    [
      silent.unanswered * silent.each,
      `${countOf(silent.unanswered, 'request')} without an answer in time, carried out all the same`,
    ],
    [
      context.resentRequests * silent.each,
      `${countOf(context.resentRequests, 'request')} sent again over a new connection`,
    ],
    [
      silent.unprocessedItems,
      `${countOf(silent.unprocessedItems, 'item')} of batches that came back without a reason`,
    ],
    [silent.failed?.most ?? 0, silent.failed?.text ?? ''],
  ] as const;
  let rest = left;
  for (const [most, text] of causes) {
    const used = Math.min(most, rest);
    if (used <= 0) continue;
    reasons.push(`up to ${formatNumber(used)} for ${text}`);
    rest -= used;
  }
  return rest;
}

function explainLess({ isSettled, pulls }: CloudWatchRecord, missing: number): Reading {
  if (!isSettled)
    return {
      status: 'incomplete',
      because: `${formatNumber(missing)} less than answers told: data had not all come in after ${countOf(pulls, 'reading')}.`,
    };
  return {
    status: 'unexplained',
    because: `The service counted ${formatNumber(missing)} less than its own answers told.`,
  };
}
