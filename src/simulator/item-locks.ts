// Which items transactions in flight hold. A transaction holds its items from its start to its end; what
// overlaps on an item is in conflict. The window, the modelled service time, is a constant of the model and
// not AWS behaviour. What conflicts with what is in conflicts.ts.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { numberProblem } from '../dynamodb/number.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { KeyAttribute, TableSpec } from '../dynamodb/table-spec.ts';
import { isOfType, probeOf } from './table-key.ts';

/** The items of one database that are held, by lock key. */
export class ItemLocks {
  readonly #heldKeys = new Set<string>();
  readonly #keysByHolder = new Map<Request, readonly string[]>();

  /** True while no transaction is in flight; lets single writes pass without building a lock key. */
  get isEmpty(): boolean {
    return this.#heldKeys.size === 0;
  }

  isHeld(lockKey: string): boolean {
    return this.#heldKeys.has(lockKey);
  }

  /** Takes items that nobody holds. */
  hold(lockKeys: readonly string[], holder: Request): void {
    for (const lockKey of lockKeys) this.#heldKeys.add(lockKey);
    this.#keysByHolder.set(holder, lockKeys);
  }

  /** Lets go of whatever the request holds. */
  release(holder: Request): void {
    const lockKeys = this.#keysByHolder.get(holder);
    if (lockKeys === undefined) return;
    this.#keysByHolder.delete(holder);
    for (const lockKey of lockKeys) this.#heldKeys.delete(lockKey);
  }
}

/** Names one item of one table among the locks. */
export function lockKeyOf(
  tableName: string,
  key: { readonly partition: string; readonly sort: string },
): string {
  return `${tableName}/${key.partition.length}:${key.partition}${key.sort}`;
}

/**
 * The lock key of the item that a key or an item names; undefined where a key attribute is missing or of the
 * wrong type.
 */
export function lockKeyIfSound({ tableName, keys }: TableSpec, key: AttributeMap): string | undefined {
  if (!isSound(key, keys.partition)) return undefined;
  if (keys.sort !== undefined && !isSound(key, keys.sort)) return undefined;
  return lockKeyOf(tableName, probeOf(key, keys));
}

function isSound(key: AttributeMap, attribute: KeyAttribute): boolean {
  const value = key[attribute.name];
  if (!isOfType(value, attribute)) return false;
  return value?.N === undefined || numberProblem(value.N) === undefined;
}
