// What the data-plane APIs answer, in DynamoDB's own names. What an answer means for an operation is
// outcome.ts.
// @see "Amazon DynamoDB API Reference", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/, read 2026-11-30
import type { AttributeMap } from './attribute-value.ts';
import type { KeysAndAttributes, WriteRequest } from './operation.ts';

/** What an API answers; the members present depend on the API. */
export interface ApiOutput {
  readonly Item?: AttributeMap;
  readonly Attributes?: AttributeMap;
  readonly Items?: readonly AttributeMap[];
  readonly Count?: number;
  readonly ScannedCount?: number;
  readonly LastEvaluatedKey?: AttributeMap;
  /** ExecuteStatement: what goes on where this page ended. */
  readonly NextToken?: string;
  /** BatchGetItem: items by table. The others: one entry per request, in order. */
  readonly Responses?: { readonly [tableName: string]: readonly AttributeMap[] } | readonly MemberResponse[];
  /** Of batches and transactions by table. */
  readonly ItemCollectionMetrics?:
    | ItemCollectionMetrics
    | { readonly [tableName: string]: readonly ItemCollectionMetrics[] };
  readonly UnprocessedItems?: { readonly [tableName: string]: readonly WriteRequest[] };
  readonly UnprocessedKeys?: { readonly [tableName: string]: KeysAndAttributes };
}

/** The answer to one member of a transaction of reads, or to one statement of a batch. */
export interface MemberResponse {
  readonly Item?: AttributeMap;
  /** BatchExecuteStatement: the table of a statement that is one. */
  readonly TableName?: string;
  /** BatchExecuteStatement: why a statement failed. */
  readonly Error?: { readonly Code: string; readonly Message?: string; readonly Item?: AttributeMap };
}

/** An item collection of a table with local indexes, and the whole gigabytes between which its size lies. */
export interface ItemCollectionMetrics {
  readonly ItemCollectionKey: AttributeMap;
  readonly SizeEstimateRangeGB: readonly [number, number];
}
