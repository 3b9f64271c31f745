// `replaced-puts`: puts hit keys that were taken, so items were lost and the load was not the one intended:
// an index entry that is replaced costs other units than a new one, and the table stays smaller.
// @see "PutItem", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html, read
//   2026-11-30
import type { VariantResult } from '../run-result.ts';
import { formatNumber, formatPercent } from '../wording.ts';
import type { Sighting } from './sighting.ts';

/** Share of puts that may replace an item before it counts. */
const MOST_REPLACED_RATIO = 0.001;

const puttingKinds: ReadonlySet<string> = new Set(['put', 'batchWrite', 'transactWrite', 'flow']);

/** Tables of one variant whose items were replaced by puts. */
export function findReplacedPuts(variant: VariantResult): Sighting[] {
  const putters = variant.workloads.filter((workload) => puttingKinds.has(workload.kind));
  const puts = putters
    .flatMap((workload) => workload.stages)
    .reduce((sum, stage) => sum + stage.totals.outcomes.ok, 0);
  return variant.tables.flatMap(({ logicalName, replacedPuts }) => {
    const replaced = replacedPuts ?? 0;
    if (replaced === 0 || replaced <= MOST_REPLACED_RATIO * puts) return [];
    // A batch or transaction puts several items, so the share of operations is an upper bound of the share of
    // puts.
    const ratio = puts > 0 ? Math.min(1, replaced / puts) : 1;
    const names = putters.map((workload) => workload.name).join(', ');
    return [
      {
        code: 'replaced-puts',
        cause: logicalName,
        severity: replaced,
        confidence: 'high' as const,
        seen:
          `${formatNumber(replaced)} puts on table ${logicalName} replaced an item that was there` +
          (puts > 0
            ? ` (${formatPercent(ratio)} of ${formatNumber(puts)} successful operations of ${names})`
            : ''),
        because:
          'PutItem replaces without a word: different items were given the same primary key, and ' +
          'the earlier ones are gone',
        advice:
          'give each item a key of its own, for example ORDER#${seq} as the sort key; or refuse ' +
          'replacement with ' +
          'attribute_not_exists on the partition key',
        evidence: { table: logicalName, replacedPuts: replaced, successfulOperations: puts },
      },
    ];
  });
}
