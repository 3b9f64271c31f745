// What SELECT gives back of an item: each path becomes an attribute under the last name in it.
import { type AttributeMap, type AttributeValue, setAttribute } from '../../dynamodb/attribute-value.ts';
import type { Projected } from '../../dynamodb/partiql/statement-plan.ts';
import type { PartiqlPath } from '../../dynamodb/partiql/syntax-tree.ts';
import { valueAt } from '../expression/document-path.ts';

/** The selected part of an item; what the item lacks is left out. */
export function projectPaths(paths: Projected, item: AttributeMap): AttributeMap {
  if (paths === 'all') return item;
  const projected: { [name: string]: AttributeValue } = {};
  for (const path of paths) {
    const value = valueAt(path, item, { names: namesOf(path) });
    if (value !== undefined) setAttribute(projected, leafName(path), value);
  }
  return projected;
}

/** `a.b[0]` is given back as `b[0]`. */
function leafName({ parts }: PartiqlPath): string {
  const last = parts.findLastIndex((part) => typeof part === 'string');
  const indexes = parts.slice(last + 1).map((part) => `[${part}]`);
  return String(parts[last]) + indexes.join('');
}

/** A name may begin with `#`, which in expressions is a placeholder's sign: such a name stands for itself. */
function namesOf({ parts }: PartiqlPath): { readonly [placeholder: string]: string } | undefined {
  const hashed = parts.filter((part) => typeof part === 'string' && part.startsWith('#'));
  return hashed.length === 0
    ? undefined
    : Object.fromEntries(hashed.map((part) => [String(part), String(part)]));
}
