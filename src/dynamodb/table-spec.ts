// A table as it will be created: every default resolved, every key attribute typed.
import type { KeyType } from './attribute-value.ts';

/** An attribute of a key; no other attribute of a table has a type. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

/**
 * The key of a table or an index. Keys of several attributes, which only global indexes have, keep the first
 * of each kind in `partition` and `sort` and what follows, in the order of the key schema, in the other two.
 * @see "Multi-attribute keys pattern",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html,
 *   read 2026-11-30
 */
export interface KeySchema {
  readonly partition: KeyAttribute;
  readonly sort?: KeyAttribute;
  /** Partition attributes after the first, up to three. */
  readonly furtherPartition?: readonly KeyAttribute[];
  /** Sort attributes after the first, up to three. */
  readonly furtherSort?: readonly KeyAttribute[];
}

/** All attributes of the partition key, in the order of the key schema. */
export function partitionAttributes({ partition, furtherPartition }: KeySchema): readonly KeyAttribute[] {
  return furtherPartition === undefined ? [partition] : [partition, ...furtherPartition];
}

/** All attributes of the sort key, in the order of the key schema; none where there is no sort key. */
export function sortAttributes({ sort, furtherSort }: KeySchema): readonly KeyAttribute[] {
  if (sort === undefined) return [];
  return furtherSort === undefined ? [sort] : [sort, ...furtherSort];
}

/** All attributes of a key: those of the partition key, then those of the sort key. */
export function keyAttributes(keys: KeySchema): readonly KeyAttribute[] {
  return [...partitionAttributes(keys), ...sortAttributes(keys)];
}

/** What an index holds besides its own key and the table's key. */
export type Projection =
  | { readonly kind: 'ALL' }
  | { readonly kind: 'KEYS_ONLY' }
  | { readonly kind: 'INCLUDE'; readonly attributes: readonly string[] };

/** How throughput is bought. Units per second; maxima are undefined where the user set none. */
export type Billing =
  | { readonly mode: 'on-demand'; readonly maximumReadUnits?: number; readonly maximumWriteUnits?: number }
  | { readonly mode: 'provisioned'; readonly readUnits: number; readonly writeUnits: number };

/**
 * How many partitions a table or index has at the start: a new one, or one warmed to serve these units per
 * second.
 */
export type Start =
  | { readonly kind: 'new' }
  | { readonly kind: 'warm'; readonly warmReadUnits: number; readonly warmWriteUnits: number };

/** A global index: partitions, throughput and keys of its own, filled from the table. */
export interface GlobalIndexSpec {
  readonly name: string;
  readonly keys: KeySchema;
  readonly projection: Projection;
  readonly billing: Billing;
  readonly start: Start;
}

/** A local index: the table's items in another order, on the table's own partitions and throughput. */
export interface LocalIndexSpec {
  readonly name: string;
  /** Same partition key as the table; `sort` is always present. */
  readonly keys: KeySchema & { readonly sort: KeyAttribute };
  readonly projection: Projection;
}

/** One table with its indexes, as a target creates it and as the simulator plays it. */
export interface TableSpec {
  /** The name on the target, for example `dyno-load-sharding-count-5-main`. */
  readonly tableName: string;
  /** The name in the scenario; `main` where the scenario has one table. */
  readonly logicalName: string;
  readonly keys: KeySchema;
  readonly globalIndexes: readonly GlobalIndexSpec[];
  readonly localIndexes: readonly LocalIndexSpec[];
  readonly billing: Billing;
  readonly start: Start;
  /** Attribute that holds the second since 1970 after which an item may be deleted. */
  readonly timeToLive?: string;
}

/** What ARNs need besides names. */
export interface ArnPlace {
  readonly region: string;
  readonly accountId: string;
}

/** The ARN of a table. */
export function tableArn(tableName: string, { region, accountId }: ArnPlace): string {
  return `arn:aws:dynamodb:${region}:${accountId}:table/${tableName}`;
}

/** The ARN of an index. */
export function indexArn(tableName: string, indexName: string, place: ArnPlace): string {
  return `${tableArn(tableName, place)}/index/${indexName}`;
}

/** How records and reports name a table (`table`) or an index (`table/index`). */
export function resourceName(tableName: string, indexName?: string): string {
  return indexName === undefined ? tableName : `${tableName}/${indexName}`;
}
