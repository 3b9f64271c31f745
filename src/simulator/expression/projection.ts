// Projections: which parts of an item a read gives back.
import {
  type AttributeMap,
  type AttributeValue,
  attributeOf,
  setAttribute,
} from '../../dynamodb/attribute-value.ts';
import { pathsProblem, resolveName, resolvePath } from './document-path.ts';
import { cachedByText } from '../../dynamodb/cached-by-text.ts';
import type { Bindings, DocumentPath, PathPart, ProjectionNode } from './syntax-tree.ts';
import { TokenReader } from './token-reader.ts';

/**
 * The parsed form of a projection, kept by its text.
 * @throws ApiError ValidationException
 */
export const parseProjection: (text: string) => ProjectionNode = cachedByText((text) => {
  const reader = new TokenReader(text, 'ProjectionExpression');
  const paths = [reader.path()];
  while (reader.takeSymbol(',')) paths.push(reader.path());
  reader.expectEnd();
  if (paths.length > 1)
    reader.check(({ names }) => pathsProblem(paths.map((path) => resolvePath(path, names))));
  return { ...reader.expression(), paths };
});

/**
 * The projected part of an item; what the item lacks is left out, and lists close up over elements that were
 * not asked for.
 */
export function project(node: ProjectionNode, item: AttributeMap, bindings: Bindings): AttributeMap {
  const { paths } = node;
  if (paths.some((path) => path.parts.length > 1))
    return pickPaths(
      item,
      paths.map((path) => resolvePath(path, bindings.names)),
    );
  const projected: { [name: string]: AttributeValue } = {};
  for (const { parts } of paths) {
    const name = resolveName(parts[0], bindings.names);
    const value = attributeOf(item, name);
    if (value !== undefined) setAttribute(projected, name, value);
  }
  return projected;
}

/** The top-level names that a projection touches. */
export function projectedNames(node: ProjectionNode, bindings: Bindings): readonly string[] {
  return [...new Set(node.paths.map((path: DocumentPath) => resolveName(path.parts[0], bindings.names)))];
}

/** The part of an item that lies under some resolved paths, none of which may lead into another. */
export function pickPaths(item: AttributeMap, paths: readonly (readonly PathPart[])[]): AttributeMap {
  const wanted: Wanted = new Map();
  for (const path of paths) {
    let node = wanted;
    path.forEach((part, index) => {
      const next = node.get(part) ?? new Map<PathPart, Wanted | 'all'>();
      node.set(part, index === path.length - 1 ? 'all' : next);
      if (next !== 'all') node = next;
    });
  }
  return pickMembers(item, wanted) ?? {};
}

/** What is wanted of a map or list, member by member. */
type Wanted = Map<PathPart, Wanted | 'all'>;

function pick(value: AttributeValue, wanted: Wanted | 'all'): AttributeValue | undefined {
  if (wanted === 'all') return value;
  if (value.M !== undefined) {
    const members = pickMembers(value.M, wanted);
    return members && { M: members };
  }
  const elements = value.L && pickElements(value.L, wanted);
  return elements && elements.length > 0 ? { L: elements } : undefined;
}

/** Undefined where nothing of what is wanted is there: an empty map would claim that one was found. */
function pickMembers(map: AttributeMap, wanted: Wanted): AttributeMap | undefined {
  const picked: { [name: string]: AttributeValue } = {};
  let isEmpty = true;
  for (const [part, rest] of wanted) {
    const member = typeof part === 'string' ? attributeOf(map, part) : undefined;
    const value = member && pick(member, rest);
    if (value === undefined) continue;
    setAttribute(picked, String(part), value);
    isEmpty = false;
  }
  return isEmpty ? undefined : picked;
}

function pickElements(list: readonly AttributeValue[], wanted: Wanted): AttributeValue[] {
  const parts = [...wanted.keys()].filter((part) => typeof part === 'number').sort((a, b) => a - b);
  return parts.flatMap((index) => {
    const element = list[index];
    const value = element && pick(element, wanted.get(index) ?? 'all');
    return value === undefined ? [] : [value];
  });
}
