// What the throughput of one table or global index is made with.
import type { Billing, Start } from '../dynamodb/table-spec.ts';
import type { CapacityModel } from './capacity-model.ts';
import type { PlacementSalt } from './placement.ts';

/** A table or global index as its throughput sees it. */
export interface ResourceSettings {
  /** `tableName` or `tableName/indexName`. */
  readonly name: string;
  readonly arn: string;
  readonly resource: 'Table' | 'Index';
  readonly billing: Billing;
  readonly start: Start;
  /** Bytes stored before load. */
  readonly initialBytes: number;
  readonly model: CapacityModel;
  /** Where keys fall; use one salt for all variants, tables and indexes of a run. */
  readonly salt: PlacementSalt;
  /** Keys listed one by one at most; default 200,000. */
  readonly maxListedKeys?: number;
  /** When the table or index was made; default: time 0. */
  readonly createdAtUs?: number;
  /** Whether an item collection may lie on several partitions; default: no. */
  readonly mayCutCollections?: boolean;
}
