// Conditions on a sort key, as a scenario writes them and as key conditions.
import type { AttributeValue } from '../../dynamodb/attribute-value.ts';
import { marshalValue } from '../../dynamodb/marshal.ts';
import { DynoLoadError } from '../../errors.ts';
import type { Value } from '../../workload/item.ts';

/** Exactly one comparison with the sort key. `between` includes both ends. */
export type SortCondition =
  | { readonly equals: Value }
  | { readonly beginsWith: string }
  | { readonly between: readonly [Value, Value] }
  | { readonly atLeast: Value }
  | { readonly atMost: Value }
  | { readonly above: Value }
  | { readonly below: Value };

/** Key conditions by comparison; the sort key's placeholders are `#dlSk`, `:dlSk` and `:dlSk2`. */
export const sortConditionTexts: Readonly<Record<string, string>> = {
  equals: '#dlSk = :dlSk',
  beginsWith: 'begins_with(#dlSk, :dlSk)',
  between: '#dlSk BETWEEN :dlSk AND :dlSk2',
  atLeast: '#dlSk >= :dlSk',
  atMost: '#dlSk <= :dlSk',
  above: '#dlSk > :dlSk',
  below: '#dlSk < :dlSk',
};

/** The part of a key condition that is about the sort key. */
export interface WireSortCondition {
  readonly text: string;
  /** By placeholder. */
  readonly values: { readonly [placeholder: string]: AttributeValue };
}

/** @throws DynoLoadError OPERATION_INVALID where it is no comparison or several */
export function wireSortCondition(condition: SortCondition): WireSortCondition {
  const [entry, ...more] = Object.entries(condition);
  const text = entry && sortConditionTexts[entry[0]];
  if (entry === undefined || text === undefined || more.length > 0) throw notOneComparison(condition);
  const operand: unknown = entry[1];
  if (entry[0] !== 'between') return { text, values: { ':dlSk': marshalValue(operand, 'sort') } };
  if (!Array.isArray(operand) || operand.length !== 2) throw notOneComparison(condition);
  return {
    text,
    values: { ':dlSk': marshalValue(operand[0], 'sort'), ':dlSk2': marshalValue(operand[1], 'sort') },
  };
}

function notOneComparison(condition: object): DynoLoadError {
  const found = Object.keys(condition).join(', ') || 'nothing';
  return new DynoLoadError('OPERATION_INVALID', {
    what: `the sort condition has ${found}`,
    why: 'DynamoDB takes one comparison with the sort key, and `between` takes two values',
    fix: `give exactly one of ${Object.keys(sortConditionTexts).join(', ')}`,
  });
}
