// Key conditions bound to the keys of a table or index: one partition, and at most one range of its sort key.
// Which conditions have terms that a key can answer at all is key-condition-terms.ts.
import { validationError } from '../../dynamodb/api-error.ts';
import { type AttributeValue, attributeTypeOf } from '../../dynamodb/attribute-value.ts';
import { compareScalar } from '../../dynamodb/key-text.ts';
import {
  type KeyAttribute,
  type KeySchema,
  partitionAttributes,
  sortAttributes,
} from '../../dynamodb/table-spec.ts';
import { areOrdered, boundValue, startsWith } from './condition-evaluator.ts';
import { resolveName } from './document-path.ts';
import { invalidKeyCondition } from './key-condition-terms.ts';
import type { Bindings, KeyConditionNode, KeyTerm } from './syntax-tree.ts';

/** One end of a range. */
export interface SortBound {
  readonly value: AttributeValue;
  readonly isInclusive: boolean;
}

/**
 * A range of sort keys; every member present must hold. Equality is a range with two equal inclusive ends.
 */
export interface SortRange {
  readonly lower?: SortBound;
  readonly upper?: SortBound;
  /** A string or binary prefix. */
  readonly beginsWith?: AttributeValue;
}

/** What a query reads. */
export interface KeyRange {
  readonly partition: AttributeValue;
  /** Values of further partition attributes, where the key has several. */
  readonly furtherPartition?: readonly AttributeValue[];
  /** Values of the sort attributes before the one that `sort` is about, where the key has several. */
  readonly sortPrefix?: readonly AttributeValue[];
  /** Absent: the whole partition key. */
  readonly sort?: SortRange;
}

/**
 * Binds a key condition to the keys of a table or index. Messages as captured by
 * `paritysuite/dynamodb-conformance tests/tier3/error-messages/queryKeyConditionOperands.test.ts`, read
 * 2026-11-30.
 * @throws ApiError ValidationException where the keys cannot answer it or a value has the wrong type
 */
export function bindKeyCondition(node: KeyConditionNode, schema: KeySchema, bindings: Bindings): KeyRange {
  if (schema.furtherPartition !== undefined || schema.furtherSort !== undefined)
    return bindSeveral(node, schema, bindings);
  const { partition, sort } = schema;
  const partitionTerm = termFor(partition.name, node.terms, bindings);
  if (partitionTerm === undefined) throw missed(partition);
  const sortTerm = sort && termFor(sort.name, node.terms, bindings);
  checkTermCount(node, sort === undefined ? 1 : 2);
  if (sort !== undefined && sortTerm === undefined && node.terms.length > 1) throw missed(sort);
  const partitionValue = partitionValueOf(partitionTerm, partition, bindings);
  if (sort === undefined || sortTerm === undefined) return { partition: partitionValue };
  return { partition: partitionValue, sort: rangeOf(sortTerm, sort, bindings) };
}

/**
 * Binds a key condition to a key of several attributes: all of the partition key are equal to something, and
 * so are those of the sort key from the left on; only the last that the condition names may have a range.
 * @see `paritysuite/dynamodb-conformance tests/tier1/query/multiAttributeGsiKey.test.ts` (captures of October
 *   2026), read 2026-11-30
 */
function bindSeveral(node: KeyConditionNode, schema: KeySchema, bindings: Bindings): KeyRange {
  const partitions = partitionAttributes(schema).map((attribute) => {
    const found = termFor(attribute.name, node.terms, bindings);
    if (found === undefined) throw missed(attribute);
    return { attribute, found };
  });
  const sorts = sortAttributes(schema);
  const terms = sorts.map(({ name }) => termFor(name, node.terms, bindings));
  checkTermCount(node, partitions.length + sorts.length);
  const sortCount = terms.filter((found) => found !== undefined).length;
  if (partitions.length + sortCount < node.terms.length) throw missed(sorts[sortCount] ?? schema.partition);
  const [partition, ...furtherPartition] = partitions.map(({ attribute, found }) =>
    partitionValueOf(found, attribute, bindings),
  );
  const last = terms.findLastIndex((found) => found !== undefined);
  checkPrefix(sorts, terms, last);
  const values = sorts.slice(0, Math.max(0, last)).map((attribute, index) =>
    // Casts: checkPrefix has seen that there is a term for each.
    keyValue(terms[index] as KeyTerm, 0, attribute, bindings),
  );
  return {
    partition: partition as AttributeValue,
    ...(furtherPartition.length > 0 && { furtherPartition }),
    ...(values.length > 0 && { sortPrefix: values }),
    ...(last >= 0 && { sort: rangeOf(terms[last] as KeyTerm, sorts[last] as KeyAttribute, bindings) }),
  };
}

function checkPrefix(
  sorts: readonly KeyAttribute[],
  terms: readonly (KeyTerm | undefined)[],
  last: number,
): void {
  const open = sorts.filter((_, index) => index < last && terms[index]?.operator !== '=');
  if (open.length === 0) return;
  throw validationError(
    `RANGE key attributes ${open.map(({ name }) => name).join(', ')} must have equality conditions specified in the query because a condition is present on key attribute ${sorts[last]?.name}`,
  );
}

function checkTermCount({ terms }: KeyConditionNode, keyCount: number): void {
  if (terms.length > keyCount)
    throw validationError(
      `The number of query conditions (${terms.length}) exceeds the number of key attributes defined in the schema (${keyCount})`,
    );
}

function partitionValueOf(found: KeyTerm, attribute: KeyAttribute, bindings: Bindings): AttributeValue {
  const value = keyValue(found, 0, attribute, bindings);
  if (found.operator !== '=') throw validationError('Query key condition not supported');
  return value;
}

/** Whether a sort key lies in a range; no range holds every key. */
export function isInSortRange(value: AttributeValue, range: SortRange | undefined): boolean {
  if (range === undefined) return true;
  const { lower, upper, beginsWith } = range;
  if (lower !== undefined && !isBeyond(value, lower, 1)) return false;
  if (upper !== undefined && !isBeyond(value, upper, -1)) return false;
  return beginsWith === undefined || startsWith(value, beginsWith);
}

function isBeyond(value: AttributeValue, bound: SortBound, direction: 1 | -1): boolean {
  if (!areOrdered(value, bound.value)) return false;
  const order = compareScalar(value, bound.value) * direction;
  return bound.isInclusive ? order >= 0 : order > 0;
}

function rangeOf(term: KeyTerm, sort: KeyAttribute, bindings: Bindings): SortRange {
  const value = keyValue(term, 0, sort, bindings);
  switch (term.operator) {
    case '=':
      return { lower: { value, isInclusive: true }, upper: { value, isInclusive: true } };
    case '<':
    case '<=':
      return { upper: { value, isInclusive: term.operator === '<=' } };
    case '>':
    case '>=':
      return { lower: { value, isInclusive: term.operator === '>=' } };
    case 'between':
      return {
        lower: { value, isInclusive: true },
        upper: { value: keyValue(term, 1, sort, bindings), isInclusive: true },
      };
    case 'begins_with':
      return { beginsWith: value };
  }
}

function keyValue(
  term: KeyTerm,
  index: number,
  { name, type }: KeyAttribute,
  bindings: Bindings,
): AttributeValue {
  const value = boundValue(term.values[index] as string, bindings); // Each operator has the values it needs.
  if (attributeTypeOf(value) !== type)
    throw validationError(
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    );
  if (value.fillerBytes !== undefined)
    throw validationError(`A filler has no content to look up; it cannot be bound to key attribute ${name}`);
  if (value.S === '' || value.B === '')
    throw validationError(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. Key: ${name}`,
    );
  return value;
}

function termFor(name: string, terms: readonly KeyTerm[], { names }: Bindings): KeyTerm | undefined {
  const found = terms.filter((term) => resolveName(term.attribute, names) === name);
  if (found.length > 1)
    throw invalidKeyCondition('KeyConditionExpressions must only contain one condition per key');
  return found[0];
}

function missed({ name }: KeyAttribute): Error {
  return validationError(`Query condition missed key schema element: ${name}`);
}
