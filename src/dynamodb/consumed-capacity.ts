// Units that an operation spends on the table and on each index.

/** Read and write units; reads come in halves, writes are whole. */
export interface Units {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** What one request spent on one table: on the table itself, and on each index by name (absent: not charged). */
export interface ConsumedCapacity {
  readonly tableName: string;
  readonly table: Units;
  readonly localIndexes?: { readonly [indexName: string]: Units };
  readonly globalIndexes?: { readonly [indexName: string]: Units };
}
