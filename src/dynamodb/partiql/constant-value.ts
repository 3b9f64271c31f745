// What a literal or a parameter stands for, as an attribute value.
import { validationError } from '../api-error.ts';
import { type AttributeMap, type AttributeValue, setAttribute } from '../attribute-value.ts';
import type { Constant, MapLiteral } from './syntax-tree.ts';

/** What the parameters of a request are bound to, in order. */
export type Parameters = readonly AttributeValue[];

/**
 * The value of a constant.
 * @throws ApiError ValidationException for a set of mixed types, or of a type that sets do not hold
 */
export function constantValue(constant: Constant, parameters: Parameters): AttributeValue {
  switch (constant.kind) {
    case 'value':
      return constant.value;
    case 'parameter':
      // The count of parameters is checked before anything is evaluated.
      return parameters[constant.index] as AttributeValue;
    case 'list':
      return { L: constant.elements.map((element) => constantValue(element, parameters)) };
    case 'map':
      return { M: mapValue(constant, parameters) };
    case 'set':
      return setValue(constant.elements.map((element) => constantValue(element, parameters)));
  }
}

/** The members of a map literal. @throws ApiError ValidationException */
export function mapValue({ members }: MapLiteral, parameters: Parameters): AttributeMap {
  const map: { [name: string]: AttributeValue } = {};
  for (const [name, value] of members) setAttribute(map, name, constantValue(value, parameters));
  return map;
}

function setValue(elements: readonly AttributeValue[]): AttributeValue {
  const strings = elements.flatMap(({ S }) => S ?? []);
  if (strings.length === elements.length) return { SS: strings };
  const numbers = elements.flatMap(({ N }) => N ?? []);
  if (numbers.length === elements.length) return { NS: numbers };
  const binaries = elements.flatMap(({ B }) => B ?? []);
  if (binaries.length === elements.length) return { BS: binaries };
  throw validationError('A set holds strings, numbers or binary values, all of one type');
}
