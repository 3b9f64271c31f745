// Contributor Insights names the key behind the throttles of a table or index: the service's own word, and not
// dyno-load's reckoning.
import type { InsightRule } from '../records/contributor-insights.ts';
import { resourceInWords } from '../resource-name.ts';
import type { VariantResult } from '../run-result.ts';
import { formatNumber, formatPercent } from '../wording.ts';
import type { Sighting } from './sighting.ts';

/** A key with this share of all throttles is the cause of them. */
const LEAST_RATIO = 0.2;

/**
 * The first key of each rule for throttled partition keys of one variant, where it has its share of what the
 * rule lists.
 */
export function findThrottledKeys(variant: VariantResult): Sighting[] {
  const rules = variant.contributorInsights?.rules ?? [];
  return rules.flatMap((rule) => sightingOf(rule, variant));
}

function sightingOf(rule: InsightRule, variant: VariantResult): Sighting[] {
  const top = rule.contributors[0];
  if (rule.counts !== 'throttled' || rule.by !== 'partitionKey' || top === undefined) return [];
  const all = rule.contributors.reduce((sum, { total }) => sum + total, 0);
  const ratio = all > 0 ? top.total / all : 0;
  if (ratio < LEAST_RATIO) return [];
  const resource = rule.indexName === null ? rule.tableName : `${rule.tableName}/${rule.indexName}`;
  const where = resourceInWords(resource, variant.tables);
  const key = top.keys[0] ?? '';
  return [
    {
      code: 'contributor-insights-throttled-key',
      cause: where,
      severity: top.total,
      confidence: 'high',
      seen: `Contributor Insights names ${key} for ${formatPercent(ratio)} of the throttled requests that it lists on ${where} (${formatNumber(top.total)})`,
      because:
        'one key lies on one partition until DynamoDB splits it, and a single item never passes 1,000 WCU/s or 3,000 RCU/s',
      advice: `spread ${key} over several keys, or lower what it is asked for`,
      evidence: { resource, key, throttledRequests: top.total, shareRatio: ratio },
    },
  ];
}
