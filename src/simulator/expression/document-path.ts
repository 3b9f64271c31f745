// Document paths in items: looking values up, and the rule that the paths of one expression must not touch
// each other.
import { validationError } from '../../dynamodb/api-error.ts';
import { type AttributeMap, type AttributeValue, attributeOf } from '../../dynamodb/attribute-value.ts';
import type { ExpressionNames } from '../../dynamodb/operation.ts';
import type { Bindings, DocumentPath, PathPart } from './syntax-tree.ts';

const HASH = 35;

/**
 * The attribute name behind a bare name or a `#placeholder`.
 * @throws ApiError ValidationException where the placeholder is not bound
 */
export function resolveName(part: string, names: ExpressionNames | undefined): string {
  if (part.charCodeAt(0) !== HASH) return part;
  const name = names?.[part];
  if (name !== undefined) return name;
  throw validationError(undefinedName(part));
}

/** What DynamoDB says of a `#placeholder` that is not bound. */
export function undefinedName(placeholder: string): string {
  return `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`;
}

/** What DynamoDB says of a `:placeholder` that is not bound. */
export function undefinedValue(placeholder: string): string {
  return `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`;
}

/** The value at a path; undefined where the item has none. */
export function valueAt(
  path: DocumentPath,
  item: AttributeMap,
  bindings: Bindings,
): AttributeValue | undefined {
  const { parts } = path;
  let value = attributeOf(item, resolveName(parts[0], bindings.names));
  for (let index = 1; index < parts.length && value !== undefined; index++)
    value = memberOf(value, parts[index] as PathPart, bindings.names);
  return value;
}

/** Parts of a path with every placeholder resolved. */
export function resolvePath(path: DocumentPath, names: ExpressionNames | undefined): readonly PathPart[] {
  return path.parts.map((part) => (typeof part === 'string' ? resolveName(part, names) : part));
}

/**
 * What is wrong with paths that overlap (one contains the other) or conflict (one takes a map where the other
 * takes a list).
 */
export function pathsProblem(paths: readonly (readonly PathPart[])[]): string | undefined {
  for (let second = 1; second < paths.length; second++)
    for (let first = 0; first < second; first++) {
      const problem = pairProblem(paths[first] as readonly PathPart[], paths[second] as readonly PathPart[]);
      if (problem !== undefined) return problem;
    }
  return undefined;
}

/** A path as DynamoDB prints it in messages, for example `[a, b, [3]]`. */
export function pathText(parts: readonly PathPart[]): string {
  return `[${parts.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
}

function memberOf(
  value: AttributeValue,
  part: PathPart,
  names: ExpressionNames | undefined,
): AttributeValue | undefined {
  if (typeof part === 'number') return value.L?.[part];
  return value.M === undefined ? undefined : attributeOf(value.M, resolveName(part, names));
}

function pairProblem(one: readonly PathPart[], two: readonly PathPart[]): string | undefined {
  const shared = Math.min(one.length, two.length);
  for (let index = 0; index < shared; index++) {
    if (typeof one[index] !== typeof two[index]) return twoPaths('conflict', one, two);
    if (one[index] !== two[index]) return undefined;
  }
  return twoPaths('overlap', one, two);
}

function twoPaths(verb: string, one: readonly PathPart[], two: readonly PathPart[]): string {
  const advice = 'must remove or rewrite one of these paths';
  return `Two document paths ${verb} with each other; ${advice}; path one: ${pathText(one)}, path two: ${pathText(two)}`;
}
