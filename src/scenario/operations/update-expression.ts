// The update expression for `set`, `add` and `removeAttributes`. Its text and names depend on the attribute
// names alone and are built once for each set of names; the values are marshalled for each operation.
import type { AttributeMap, AttributeValue } from '../../dynamodb/attribute-value.ts';
import { marshalValue } from '../../dynamodb/marshal.ts';
import type { ExpressionNames } from '../../dynamodb/operation.ts';
import type { Item } from '../../workload/item.ts';
import type { WireExpression } from './expression.ts';

/** What an update changes. */
export interface Changes {
  readonly set?: Item | undefined;
  readonly add?: Item | undefined;
  readonly removeAttributes?: readonly string[] | undefined;
}

/**
 * `SET #dlS0 = :dlS0, … ADD #dlA0 :dlA0, … REMOVE #dlR0, …`; undefined attributes are left out; the text is
 * empty where nothing is changed.
 */
export function updateExpression({ set = {}, add = {}, removeAttributes = [] }: Changes): WireExpression {
  const setNames = definedNames(set);
  const addNames = definedNames(add);
  const { text, names } = textFor(setNames, addNames, removeAttributes);
  if (setNames.length + addNames.length === 0) return { text, names };
  return { text, names, values: valuesOf(set, setNames, add, addNames) };
}

function definedNames(item: Item): string[] {
  const names: string[] = [];
  for (const name in item) if (item[name] !== undefined) names.push(name);
  return names;
}

function valuesOf(
  set: Item,
  setNames: readonly string[],
  add: Item,
  addNames: readonly string[],
): AttributeMap {
  const values: { [placeholder: string]: AttributeValue } = {};
  for (let index = 0; index < setNames.length; index++) {
    const name = setNames[index] as string; // Within the list's length.
    values[`:dlS${index}`] = marshalValue(set[name], name);
  }
  for (let index = 0; index < addNames.length; index++) {
    const name = addNames[index] as string; // Within the list's length.
    values[`:dlA${index}`] = marshalValue(add[name], name);
  }
  return values;
}

interface UpdateText {
  readonly text: string;
  readonly names: ExpressionNames;
}

const kept = new Map<string, UpdateText>();
/** Attribute names are few; the bound guards against names made of data. */
const MAX_KEPT = 1_000;

function textFor(set: readonly string[], add: readonly string[], remove: readonly string[]): UpdateText {
  const key = `${set.join('\u0000')}\u0001${add.join('\u0000')}\u0001${remove.join('\u0000')}`;
  const known = kept.get(key);
  if (known) return known;
  const built = buildText(set, add, remove);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, built);
  return built;
}

function buildText(set: readonly string[], add: readonly string[], remove: readonly string[]): UpdateText {
  const names: { [placeholder: string]: string } = {};
  const clause = (
    verb: string,
    letter: string,
    attributes: readonly string[],
    part: (at: string) => string,
  ) => {
    if (attributes.length === 0) return '';
    for (const [index, name] of attributes.entries()) names[`#dl${letter}${index}`] = name;
    return `${verb} ${attributes.map((_, index) => part(`${letter}${index}`)).join(', ')}`;
  };
  const clauses = [
    clause('SET', 'S', set, (at) => `#dl${at} = :dl${at}`),
    clause('ADD', 'A', add, (at) => `#dl${at} :dl${at}`),
    clause('REMOVE', 'R', remove, (at) => `#dl${at}`),
  ];
  return { text: clauses.filter((text) => text !== '').join(' '), names };
}
