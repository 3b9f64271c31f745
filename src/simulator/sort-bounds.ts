// What a query reads of a collection, as bounds on sort texts: the range of a key condition, behind what it says
// of earlier attributes where the sort key has several.
import type { AttributeValue } from '../dynamodb/attribute-value.ts';
import type { KeySchema } from '../dynamodb/table-spec.ts';
import type { KeyRange, SortRange } from './expression/key-condition.ts';
import type { SortBounds } from './item-collection.ts';
import { afterPrefix, beginningOfSortText, joinedSortText, sortText } from './sort-text.ts';

/** The bounds of a range in a key of this schema; undefined where the whole partition key is read. */
export function sortBounds(
  { sort, sortPrefix = [] }: KeyRange,
  { furtherSort }: KeySchema,
): SortBounds | undefined {
  if (sort === undefined) return undefined;
  return furtherSort === undefined ? boundsOfOne(sort) : boundsOfSeveral(sort, joinedSortText(sortPrefix));
}

function boundsOfOne({ lower, upper, beginsWith }: SortRange): SortBounds {
  if (beginsWith !== undefined) return within(sortText(beginsWith));
  return {
    ...(lower && { low: sortText(lower.value), isLowExcluded: !lower.isInclusive }),
    ...(upper && { high: sortText(upper.value), isHighExcluded: !upper.isInclusive }),
  };
}

/**
 * @param before  the joined text of the attributes before; every key that is read begins with it
 */
function boundsOfSeveral({ lower, upper, beginsWith }: SortRange, before: string): SortBounds {
  if (beginsWith !== undefined) return within(before + beginningOfSortText(sortText(beginsWith)));
  const all = within(before);
  const textOf = (value: AttributeValue) => before + joinedSortText([value]);
  // A value stands for all keys that go on behind it: above it is what stands after the last of them.
  const low = lower && (lower.isInclusive ? textOf(lower.value) : afterPrefix(textOf(lower.value)));
  const high = upper && (upper.isInclusive ? afterPrefix(textOf(upper.value)) : textOf(upper.value));
  return {
    ...all,
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high, isHighExcluded: true }),
  };
}

/** All texts that begin with this one. */
function within(prefix: string): SortBounds {
  const high = afterPrefix(prefix);
  return high === undefined ? { low: prefix } : { low: prefix, high, isHighExcluded: true };
}
