// What dyno-load counted held against what the service counted, in the record of a run: one row per quantity, with
// the reading of each difference.
import * as z from 'zod';

const amount = z.number();

export const reconciliationRow = z.strictObject({
  quantity: z.enum(['readUnits', 'writeUnits', 'throttleEvents', 'throttledRequests', 'successfulRequests']),
  /** `tableName` or `tableName/indexName`. */
  resource: z.string(),
  /** Where the service counts by operation. */
  operation: z.string().nullable(),
  /** As CloudWatch names it. */
  metric: z.string(),
  /** As answers told it, over the whole variant. */
  client: amount,
  /** Charged and not reported in answers, by our own arithmetic. */
  estimated: amount,
  /** null: no data point at all. */
  service: amount.nullable(),
  /** Service less client. */
  difference: amount,
  /** `incomplete`: data of the service had not all come in. */
  status: z.enum(['agrees', 'explained', 'unexplained', 'incomplete']),
  /** Empty where both agree. */
  because: z.string(),
  /** The measured minutes alone: approximate, since an operation that was due in a stage may end after it. */
  measured: z.strictObject({ client: amount, service: amount }).nullable(),
});

export const reconciliationRecord = z.strictObject({
  /** Whether sums can be exact: a table of its own between idle minutes, and all data in. */
  isExact: z.boolean(),
  rows: z.array(reconciliationRow),
});

export type ReconciliationRow = z.infer<typeof reconciliationRow>;
export type ReconciliationRecord = z.infer<typeof reconciliationRecord>;
