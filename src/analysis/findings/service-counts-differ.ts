// CloudWatch counted something that dyno-load did not see, and nothing explains it: then one of the two is not the
// whole truth of the table.
import { readableResource } from '../resource-name.ts';
import type { ReconciliationRow } from '../records/reconciliation.ts';
import type { VariantResult } from '../run-result.ts';
import { formatNumber } from '../wording.ts';
import type { Sighting } from './sighting.ts';

/**
 * At most one sighting for a variant: of the quantities whose difference nothing explains, the one that
 * differs most.
 */
export function findDifferingCounts(variant: VariantResult): Sighting[] {
  const differing = variant.reconciliation?.rows.filter(({ status }) => status === 'unexplained') ?? [];
  const worst = differing.toSorted((a, b) => relative(b) - relative(a))[0];
  if (worst === undefined) return [];
  const where = readableResource(worst.resource, variant.tables);
  const isShared = variant.cloudWatch?.isTableShared === true;
  return [
    {
      code: 'service-counts-differ',
      cause: worst.metric,
      severity: relative(worst),
      confidence: 'medium',
      seen: `${worst.metric} of ${where} is ${formatNumber(worst.service ?? 0)}, and dyno-load counted ${formatNumber(worst.client)}`,
      because: worst.because,
      advice: isShared
        ? 'run it on a table of its own to see whether other clients make the difference'
        : 'look who else uses the table, and whether requests are repeated below dyno-load; do not rely on figures that differ',
      evidence: { metric: worst.metric, client: worst.client, service: worst.service ?? 0 },
    },
  ];
}

function relative({ difference, service, client }: ReconciliationRow): number {
  return Math.abs(difference) / Math.max(1, service ?? 0, client);
}
