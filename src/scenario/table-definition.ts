// Tables as a scenario describes them. Defaults are filled in and everything is checked by `table-plan.ts`.

/** Attribute names of a primary key. */
export interface Keys {
  readonly partition: string;
  readonly sort?: string;
}

/**
 * How throughput is bought: on demand (the default), on demand with a ceiling, or provisioned. Units per
 * second.
 */
export type BillingDefinition =
  | 'on-demand'
  | { readonly onDemand: { readonly maximumReadUnits?: number; readonly maximumWriteUnits?: number } }
  | { readonly provisioned: { readonly readUnits: number; readonly writeUnits: number } };

/** Partitions at the start: those of a new table, or as many as serve these units per second. */
export type Starts = 'new' | { readonly warmReadUnits: number; readonly warmWriteUnits: number };

/** What an index holds besides the keys; a list names further attributes (INCLUDE). */
export type ProjectionDefinition = 'ALL' | 'KEYS_ONLY' | readonly string[];

/**
 * A global secondary index. Projection defaults to ALL; billing and start are the table's unless it has its
 * own.
 */
export interface IndexDefinition extends Keys {
  readonly projection?: ProjectionDefinition;
  readonly billing?: BillingDefinition;
  readonly starts?: Starts;
}

/** A local secondary index: the table's partition key with another sort key. */
export interface LocalIndexDefinition {
  readonly sort: string;
  readonly projection?: ProjectionDefinition;
}

/** One table. Key attributes are strings unless `types` says otherwise. */
export interface TableDefinition {
  readonly keys: Keys;
  readonly types?: { readonly [attribute: string]: 'S' | 'N' | 'B' };
  readonly indexes?: { readonly [name: string]: IndexDefinition };
  readonly localIndexes?: { readonly [name: string]: LocalIndexDefinition };
  /** Attribute with the expiry time, seconds since 1970. */
  readonly timeToLive?: string;
  readonly billing?: BillingDefinition;
  readonly starts?: Starts;
}

/** The names of all indexes of one table or of several, for checking what workloads use. */
export type IndexOf<T> = T extends TableDefinition
  ? NamesOf<T['indexes']> | NamesOf<T['localIndexes']>
  : { [N in keyof T]: IndexOf<T[N]> }[keyof T];

type NamesOf<I> = I extends object ? keyof I & string : never;
