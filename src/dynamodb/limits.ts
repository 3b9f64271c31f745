// Limits and figures of DynamoDB, each with its unit and its source; one that a single rule needs may stand beside
// that rule instead. The pages, all read 2026-11-30:
//   [quotas] "Quotas in Amazon DynamoDB",
//     https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
//   [units] "DynamoDB read and write operations",
//     https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
//   [burst] "Burst and adaptive capacity",
//     https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
//   [on demand] "On-demand capacity mode",
//     https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html

/** Bytes that one write unit writes; a started one counts. @see [units] */
export const WRITE_UNIT_BYTES = 1_024;
/** Bytes that one read unit reads with strong consistency; a started one counts. @see [units] */
export const READ_UNIT_BYTES = 4_096;

/** Bytes of an item, names and values together, by DynamoDB's own count (item-size.ts). @see [quotas] */
export const MAX_ITEM_BYTES = 409_600;
/** Bytes that one page of a Query or Scan evaluates, before its filter. @see [quotas] */
export const MAX_PAGE_BYTES = 1_048_576;
/** Bytes of the value of a partition key. @see [quotas] */
export const MAX_PARTITION_KEY_BYTES = 2_048;
/** Bytes of the value of a sort key. @see [quotas] */
export const MAX_SORT_KEY_BYTES = 1_024;
/** Puts and deletes of one BatchWriteItem. @see [quotas] */
export const MAX_BATCH_WRITE_ITEMS = 25;
/** Keys of one BatchGetItem. @see [quotas] */
export const MAX_BATCH_GET_ITEMS = 100;
/** Statements of one BatchExecuteStatement. @see [quotas] */
export const MAX_BATCH_STATEMENTS = 25;
/** Bytes of what a BatchWriteItem sends, and of what a BatchGetItem returns. @see [quotas] */
export const MAX_BATCH_BYTES = 16_777_216;
/** Actions of one transaction. @see [quotas] */
export const MAX_TRANSACTION_ITEMS = 100;
/** Bytes of all items of one transaction. @see [quotas] */
export const MAX_TRANSACTION_BYTES = 4_194_304;
/**
 * Levels of values within each other, an attribute's value being the first: 31 maps around a text are taken, 32
 * are not.
 * @see `paritysuite/dynamodb-conformance tests/tier3/limits/nestingDepth.test.ts` (captures of 2026-06), read
 *   2026-11-30
 */
export const MAX_NESTING_LEVELS = 32;
/** Global indexes of one table, by the default quota. @see [quotas] */
export const MAX_GLOBAL_INDEXES = 20;
/** Local indexes of one table. @see [quotas] */
export const MAX_LOCAL_INDEXES = 5;
/**
 * Segments of a parallel scan.
 * @see "Scan", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html, read 2026-11-30
 */
export const MAX_SCAN_SEGMENTS = 1_000_000;
/**
 * Bytes of the items of one partition key with their entries in local indexes, on tables that have any.
 * @see "Local Secondary Indexes", section "Item collections in Local Secondary Indexes",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html, read 2026-11-30
 */
export const MAX_ITEM_COLLECTION_BYTES = 10 * 1_024 ** 3;
/** Attributes that the indexes of one table may name in projections of the kind INCLUDE, together. @see [quotas] */
export const MAX_PROJECTED_ATTRIBUTES = 100;
/**
 * Attributes of the partition key of a global index, and as many of its sort key.
 * @see "Multi-attribute keys pattern",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html,
 *   read 2026-11-30
 */
export const MAX_KEY_ATTRIBUTES = 4;
/** Units per second of one table or one global index, reads and writes apart, by the default quota. @see [quotas] */
export const TABLE_QUOTA_UNITS = 40_000;
/**
 * Provisioned units per second of an account in one Region, reads and writes apart, by the default quota; on-demand
 * tables do not count. @see [quotas]
 */
export const ACCOUNT_QUOTA_UNITS = 80_000;

/** Write units per second that one partition serves at most. @see [burst] */
export const PARTITION_WRITE_UNITS = 1_000;
/** Read units per second that one partition serves at most, beside its writes. @see [burst] */
export const PARTITION_READ_UNITS = 3_000;
/** Bytes that one partition holds. @see [burst] */
export const MAX_PARTITION_BYTES = 10 * 1_024 ** 3;
/** Seconds of unused provisioned throughput that may be kept, by best effort. @see [burst] */
export const BURST_SECONDS = 300;

/**
 * Partitions of a new on-demand table. The page tells units, 4,000 writes and 12,000 reads a second at once; four
 * partitions at their ceilings are what gives both. @see [on demand]
 */
export const NEW_TABLE_PARTITIONS = 4;
