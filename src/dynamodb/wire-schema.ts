// Keys and projections of a table as CreateTable takes them and DescribeTable gives them, in DynamoDB's own names.
// What stands around them, throughput and states, differs between the two and is left to each.
// @see "CreateTable", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html,
//   read 2026-11-30
import type { KeyType } from './attribute-value.ts';
import {
  type KeySchema,
  keyAttributes,
  type Projection,
  partitionAttributes,
  sortAttributes,
  type TableSpec,
} from './table-spec.ts';

/** One attribute of a key; lists are not `readonly`, as the AWS SDK wants to own what it sends. */
interface KeyElement {
  AttributeName: string;
  KeyType: 'HASH' | 'RANGE';
}

/** The attributes of all keys of a table and its indexes, each once. */
export function wireAttributes(spec: TableSpec): { AttributeName: string; AttributeType: KeyType }[] {
  const types = new Map<string, KeyType>();
  for (const { keys } of [spec, ...spec.globalIndexes, ...spec.localIndexes])
    for (const { name, type } of keyAttributes(keys)) types.set(name, type);
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

/** The key of a table or an index. */
export function wireKeySchema(keys: KeySchema): KeyElement[] {
  return [
    ...partitionAttributes(keys).map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' as const })),
    ...sortAttributes(keys).map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' as const })),
  ];
}

/** What an index holds besides keys. */
export function wireProjection(projection: Projection): {
  ProjectionType: Projection['kind'];
  NonKeyAttributes?: string[];
} {
  if (projection.kind !== 'INCLUDE') return { ProjectionType: projection.kind };
  return { ProjectionType: projection.kind, NonKeyAttributes: [...projection.attributes] };
}
