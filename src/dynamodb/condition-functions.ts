// The functions that conditions and filters may call, in expressions and in statements alike.

/**
 * How many operands each takes, by its name in small letters.
 * @see "Comparison operator and function reference",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html,
 *   read 2026-11-30
 */
export const conditionFunctions: ReadonlyMap<string, number> = new Map([
  ['attribute_exists', 1],
  ['attribute_not_exists', 1],
  ['attribute_type', 2],
  ['begins_with', 2],
  ['contains', 2],
  ['size', 1],
]);
