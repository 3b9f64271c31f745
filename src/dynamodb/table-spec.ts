// A table as it will be created: every default resolved, every key attribute typed.
import type { KeyType } from './attribute-value.ts';

export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

export interface KeySchema {
  readonly partition: KeyAttribute;
  readonly sort?: KeyAttribute;
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

export interface GlobalIndexSpec {
  readonly name: string;
  readonly keys: KeySchema;
  readonly projection: Projection;
  readonly billing: Billing;
  readonly start: Start;
}

export interface LocalIndexSpec {
  readonly name: string;
  /** Same partition key as the table; `sort` is always present. */
  readonly keys: Required<KeySchema>;
  readonly projection: Projection;
}

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
  /** Attribute that holds the expiry time; stored, and expiry itself is not modelled yet. */
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
