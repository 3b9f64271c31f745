// The key of a table or index as a scenario names it: a partition attribute, perhaps a sort attribute, and the
// type of each. Tables are table-plan.ts, indexes index-plan.ts.
import type { KeyType } from '../dynamodb/attribute-value.ts';
import type { KeyAttribute, KeySchema } from '../dynamodb/table-spec.ts';
import type { SpecReader } from './spec-reader.ts';

/** Types of key attributes by name; an attribute that is absent is a string. */
export type KeyTypes = ReadonlyMap<string, KeyType>;

/**
 * Reads `partition` and `sort`, and notes what is wrong with them.
 * @returns undefined where there is no usable key
 */
export function readKeyNames(keys: SpecReader, types: KeyTypes): KeySchema | undefined {
  keys.require('partition', 'every key starts with a partition key', "add partition: 'PK'");
  const partition = keys.text('partition', 'the partition key attribute');
  const sort = keys.text('sort', 'the sort key attribute');
  if (partition !== undefined && partition === sort)
    return keys.problem(
      'sort',
      `is "${sort}", which is the partition key too`,
      'partition and sort key are two attributes',
      'name another attribute, or leave sort out',
    );
  if (partition === undefined) return undefined;
  return {
    partition: keyAttribute(partition, types),
    ...(sort !== undefined && { sort: keyAttribute(sort, types) }),
  };
}

/** A key attribute with its type. */
export function keyAttribute(name: string, types: KeyTypes): KeyAttribute {
  return { name, type: types.get(name) ?? 'S' };
}
