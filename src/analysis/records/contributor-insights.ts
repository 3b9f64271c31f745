// What Contributor Insights said of one variant, in the record of a run: the keys it names by rule, raw by minute.
// Values of `accessed` rules are 3 × write units + read units; those of `throttled` rules are throttled requests.
import * as z from 'zod';

const contributor = z.strictObject({
  /** Partition key, and sort key where the rule is by both; as texts, without their types. */
  keys: z.array(z.string()),
  total: z.number(),
  /** The highest of its minutes. */
  highestMinute: z.number(),
  /** Only minutes in which it was among the top; gaps are unknown, not 0. */
  minutes: z.array(z.strictObject({ at: z.string(), value: z.number() })),
});

const rule = z.strictObject({
  name: z.string(),
  tableName: z.string(),
  indexName: z.string().nullable(),
  counts: z.enum(['accessed', 'throttled']),
  by: z.enum(['partitionKey', 'partitionAndSortKey']),
  /** At most 25, the highest first; more are not told. */
  contributors: z.array(contributor),
  approximateKeyCount: z.number(),
});

export const contributorInsightsRecord = z.strictObject({
  mode: z.enum(['accessed', 'throttled']),
  from: z.string(),
  until: z.string(),
  isSettled: z.boolean(),
  rules: z.array(rule),
  notes: z.array(z.string()),
});

export type ContributorInsightsRecord = z.infer<typeof contributorInsightsRecord>;
export type InsightRule = ContributorInsightsRecord['rules'][number];
export type InsightContributor = InsightRule['contributors'][number];
