// Every limit and figure of DynamoDB that dyno-load relies on, each with its source and the date it was read.

/** Bytes of a write unit and of a read unit. @see "DynamoDB read and write operations", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html, read 2026-11-30 */
export const WRITE_UNIT_BYTES = 1_024;
export const READ_UNIT_BYTES = 4_096;

/** @see "Quotas in Amazon DynamoDB", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30 */
export const MAX_ITEM_BYTES = 409_600;
export const MAX_PAGE_BYTES = 1_048_576;
export const MAX_PARTITION_KEY_BYTES = 2_048;
export const MAX_SORT_KEY_BYTES = 1_024;
export const MAX_BATCH_WRITE_ITEMS = 25;
export const MAX_BATCH_GET_ITEMS = 100;
export const MAX_BATCH_STATEMENTS = 25;
export const MAX_BATCH_BYTES = 16_777_216;
export const MAX_TRANSACTION_ITEMS = 100;
export const MAX_TRANSACTION_BYTES = 4_194_304;
/**
 * Levels of values within each other, an attribute's value being the first: 31 maps around a text are taken, 32
 * are not, by `paritysuite/dynamodb-conformance tests/tier3/limits/nestingDepth.test.ts` (captures of 2026-06).
 */
export const MAX_NESTING_LEVELS = 32;
export const MAX_GLOBAL_INDEXES = 20;
export const MAX_LOCAL_INDEXES = 5;
/** @see "Scan", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html, read 2026-11-30 */
export const MAX_SCAN_SEGMENTS = 1_000_000;
/** Items of one partition key with their entries in local indexes, on tables that have any. */
export const MAX_ITEM_COLLECTION_BYTES = 10 * 1_024 ** 3;
/** Attributes that the indexes of one table may name in projections of the kind INCLUDE, together. */
export const MAX_PROJECTED_ATTRIBUTES = 100;
/** Attributes of the partition key, and of the sort key, of a global index. */
export const MAX_KEY_ATTRIBUTES = 4;
/** Default quota of one table or one index, units per second. */
export const TABLE_QUOTA_UNITS = 40_000;
/** Default quota of an account in one Region, provisioned units per second. */
export const ACCOUNT_QUOTA_UNITS = 80_000;

/** Ceilings of one partition, units per second, reads and writes apart. @see "Burst and adaptive capacity", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html, read 2026-11-30 */
export const PARTITION_WRITE_UNITS = 1_000;
export const PARTITION_READ_UNITS = 3_000;
export const MAX_PARTITION_BYTES = 10 * 1_024 ** 3;
/** Seconds of unused provisioned throughput that may be kept. */
export const BURST_SECONDS = 300;

/** What a new on-demand table serves at once, units per second: four partitions' worth. @see "On-demand capacity mode", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html, read 2026-11-30 */
export const NEW_TABLE_PARTITIONS = 4;
