// Applies an update to an item. The item is never changed: what the update touches is copied, the rest is
// shared. Every value is computed from the item as it was; then SET, ADD and DELETE take place, and REMOVE
// last, so that list indexes mean what they say.
import { validationError } from '../../dynamodb/api-error.ts';
import {
  type AttributeMap,
  type AttributeValue,
  attributeOf,
  attributeTypeOf,
  setAttribute,
} from '../../dynamodb/attribute-value.ts';
import { compareBase64, compareUtf8 } from '../../dynamodb/key-text.ts';
import { addNumbers, canonicalNumber, compareNumbers, subtractNumbers } from '../../dynamodb/number.ts';
import { boundValue } from './condition-evaluator.ts';
import { resolveName, resolvePath, valueAt } from './document-path.ts';
import type { Bindings, DocumentPath, PathPart, SetValue, UpdateNode } from './syntax-tree.ts';

/** An item after an update. */
export interface UpdatedItem {
  readonly item: AttributeMap;
  /** Resolved paths of everything the update named, for UPDATED_OLD and UPDATED_NEW (see `pickPaths`). */
  readonly changedPaths: readonly (readonly PathPart[])[];
}

/**
 * The item that an update makes of another. Placeholders are taken as checked (`checkBindingsUsed`); key
 * attributes, sizes and index key types are the caller's to check.
 * @param item  the stored item, or the bare key where there is none
 * @throws ApiError ValidationException where a path leads nowhere or an operand has the wrong type
 */
export function applyUpdate(node: UpdateNode, item: AttributeMap, bindings: Bindings): UpdatedItem {
  const changes: Change[] = [];
  for (const { path, value } of node.sets)
    changes.push({ path: resolvePath(path, bindings.names), value: setValue(value, item, bindings) });
  for (const { path, placeholder } of node.adds)
    changes.push(amended(path, item, bindings, (old) => sum(old, boundValue(placeholder, bindings))));
  for (const { path, placeholder } of node.deletes)
    changes.push(amended(path, item, bindings, (old) => difference(old, boundValue(placeholder, bindings))));
  for (const path of node.removes)
    changes.push({ path: resolvePath(path, bindings.names), value: undefined });
  return { item: applyAll(item, changes), changedPaths: changes.map(({ path }) => path) };
}

/** The top-level attributes that an update names as targets, each once. */
export function updatedNames(node: UpdateNode, bindings: Bindings): readonly string[] {
  const paths = [...node.sets, ...node.adds, ...node.deletes].map(({ path }) => path).concat(node.removes);
  return [...new Set(paths.map((path) => resolveName(path.parts[0], bindings.names)))];
}

/** A new value for a place; undefined removes what is there. */
interface Change {
  readonly path: readonly PathPart[];
  readonly value: AttributeValue | undefined;
}

function setValue(value: SetValue, item: AttributeMap, bindings: Bindings): AttributeValue {
  switch (value.kind) {
    case 'value':
      return boundValue(value.placeholder, bindings);
    case 'path': {
      const found = valueAt(value, item, bindings);
      if (found !== undefined) return found;
      throw validationError('The provided expression refers to an attribute that does not exist in the item');
    }
    case 'if_not_exists':
      return valueAt(value.path, item, bindings) ?? setValue(value.fallback, item, bindings);
    case 'list_append': {
      const left = setValue(value.left, item, bindings).L;
      const right = setValue(value.right, item, bindings).L;
      if (left === undefined || right === undefined) throw wrongType();
      return { L: [...left, ...right] };
    }
    case '+':
    case '-': {
      const left = setValue(value.left, item, bindings).N;
      const right = setValue(value.right, item, bindings).N;
      if (left === undefined || right === undefined) throw wrongType();
      return { N: value.kind === '+' ? addNumbers(left, right) : subtractNumbers(left, right) };
    }
  }
}

function amended(
  path: DocumentPath,
  item: AttributeMap,
  bindings: Bindings,
  amend: (old: AttributeValue | undefined) => AttributeValue | undefined,
): Change {
  return { path: resolvePath(path, bindings.names), value: amend(valueAt(path, item, bindings)) };
}

/** ADD: a number grows, a set takes members in; nothing counts as zero or as an empty set. */
function sum(old: AttributeValue | undefined, added: AttributeValue): AttributeValue {
  if (old === undefined) return added.N === undefined ? added : { N: canonicalNumber(added.N) };
  if (attributeTypeOf(old) !== attributeTypeOf(added)) throw wrongType();
  if (old.N !== undefined && added.N !== undefined) return { N: addNumbers(old.N, added.N) };
  return mapSet(old, added, (members, more) => [...new Set([...members, ...more])]);
}

/** DELETE: a set loses members; a set that loses all is removed. */
function difference(old: AttributeValue | undefined, removed: AttributeValue): AttributeValue | undefined {
  if (old === undefined) return undefined;
  if (attributeTypeOf(old) !== attributeTypeOf(removed)) throw wrongType();
  const left = mapSet(old, removed, (members, less) => {
    const gone = new Set(less);
    return members.filter((one) => !gone.has(one));
  });
  return (left.SS ?? left.NS ?? left.BS)?.length === 0 ? undefined : left;
}

type Members = readonly string[];

/**
 * Combines two sets of one type. Members come out in DynamoDB's order: numbers by value, strings and binary
 * by bytes.
 */
function mapSet(
  one: AttributeValue,
  two: AttributeValue,
  combine: (one: Members, two: Members) => Members,
): AttributeValue {
  if (one.SS !== undefined && two.SS !== undefined)
    return { SS: sorted(combine(one.SS, two.SS), compareUtf8) };
  if (one.BS !== undefined && two.BS !== undefined)
    return { BS: sorted(combine(one.BS, two.BS), compareBase64) };
  if (one.NS === undefined || two.NS === undefined) throw wrongType();
  const members = combine(one.NS.map(canonicalNumber), two.NS.map(canonicalNumber));
  return { NS: sorted(members, compareNumbers) };
}

function sorted(members: Members, compare: (one: string, two: string) => number): Members {
  return [...members].sort(compare);
}

function applyAll(item: AttributeMap, changes: readonly Change[]): AttributeMap {
  const updated: { [name: string]: AttributeValue } = { ...item };
  const ordered = changes.some(({ path }) => path.length > 1) ? inOrder(changes) : changes;
  for (const { path, value } of ordered) change(updated, path, 0, value);
  return updated;
}

/**
 * Puts ascending before removals descending: elements set beyond a list's end line up in order, and no
 * removal moves one still to come.
 */
function inOrder(changes: readonly Change[]): readonly Change[] {
  const puts = changes.filter(({ value }) => value !== undefined);
  const removals = changes.filter(({ value }) => value === undefined);
  return [
    ...puts.sort((one, two) => comparePaths(one.path, two.path)),
    ...removals.sort((one, two) => comparePaths(two.path, one.path)),
  ];
}

/**
 * Any total order that puts indexes of one list in ascending order; paths of one expression are never equal.
 */
function comparePaths(one: readonly PathPart[], two: readonly PathPart[]): number {
  const at = one.findIndex((part, index) => part !== two[index]);
  const left = one[at] ?? '';
  const right = two[at] ?? '';
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left) < String(right) ? -1 : 1;
}

type MutableMap = { [name: string]: AttributeValue };

/** Changes a map that is already a copy. */
function change(
  map: MutableMap,
  path: readonly PathPart[],
  depth: number,
  value: AttributeValue | undefined,
): void {
  const name = path[depth];
  if (typeof name !== 'string') throw noPlace();
  if (depth < path.length - 1)
    setAttribute(map, name, changedInside(attributeOf(map, name), path, depth + 1, value));
  else if (value === undefined) delete map[name];
  else setAttribute(map, name, value);
}

function changedInside(
  container: AttributeValue | undefined,
  path: readonly PathPart[],
  depth: number,
  value: AttributeValue | undefined,
): AttributeValue {
  if (container?.M !== undefined) {
    const map = { ...container.M };
    change(map, path, depth, value);
    return { M: map };
  }
  if (container?.L !== undefined) return { L: changedList(container.L, path, depth, value) };
  throw noPlace();
}

function changedList(
  list: readonly AttributeValue[],
  path: readonly PathPart[],
  depth: number,
  value: AttributeValue | undefined,
): readonly AttributeValue[] {
  const index = path[depth];
  if (typeof index !== 'number') throw noPlace();
  const changed = [...list];
  if (depth < path.length - 1) changed[index] = changedInside(list[index], path, depth + 1, value);
  else if (value === undefined) changed.splice(index, 1);
  // An index beyond the end appends; lists have no gaps.
  else changed[Math.min(index, list.length)] = value;
  return changed;
}

function wrongType(): Error {
  return validationError('An operand in the update expression has an incorrect data type');
}

function noPlace(): Error {
  return validationError('The document path provided in the update expression is invalid for update');
}
