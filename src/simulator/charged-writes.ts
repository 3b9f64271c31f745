// What writes consumed on a table and its indexes, as values that equal writes share. Nearly all writes of a
// table cost the same, so that five objects need not be made for each, and who adds up units sees by one look
// that they are known.
import type { ConsumedCapacity, Units } from '../dynamodb/consumed-capacity.ts';
import type { Change } from './write-plan.ts';

/** More than the units of any one write: 400 KB, twice for a key that moves or a transaction. */
const UNITS_BASE = 1_024;
/** Numbers of so many digits of that base are exact. */
const MAX_KEPT_INDEXES = 4;
/** Different costs that are kept; beyond, values are made anew. */
const MAX_KEPT = 1_000;

/** The costs of one table with given indexes. */
export class ChargedWrites {
  readonly #tableName: string;
  readonly #indexes: readonly Change['index'][];
  readonly #kept = new Map<number, readonly ConsumedCapacity[]>();

  constructor(tableName: string, indexes: readonly Change['index'][]) {
    this.#tableName = tableName;
    this.#indexes = indexes;
  }

  /**
   * What a write consumed.
   * @param writeUnits  on the table alone
   * @param changes  of the indexes, in their order
   */
  of(writeUnits: number, changes: readonly Change[]): readonly ConsumedCapacity[] {
    if (this.#indexes.length > MAX_KEPT_INDEXES) return [this.#make(writeUnits, changes)];
    const key = this.#keyOf(writeUnits, changes);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const made = [this.#make(writeUnits, changes)];
    if (this.#kept.size < MAX_KEPT) this.#kept.set(key, made);
    return made;
  }

  /** The units of the table and of each index as one number. An index that is changed is charged at least one. */
  #keyOf(writeUnits: number, changes: readonly Change[]): number {
    let key = writeUnits;
    let next = 0;
    for (const index of this.#indexes) {
      const change = changes[next];
      key *= UNITS_BASE;
      if (change?.index !== index) continue;
      key += change.units;
      next++;
    }
    return key;
  }

  #make(writeUnits: number, changes: readonly Change[]): ConsumedCapacity {
    const localIndexes = armsOf(changes, false);
    const globalIndexes = armsOf(changes, true);
    return {
      tableName: this.#tableName,
      table: { readUnits: 0, writeUnits },
      ...(localIndexes && { localIndexes }),
      ...(globalIndexes && { globalIndexes }),
    };
  }
}

function armsOf(
  changes: readonly Change[],
  isGlobal: boolean,
): { readonly [indexName: string]: Units } | undefined {
  let arms: { [indexName: string]: Units } | undefined;
  for (const { index, units } of changes) {
    if (index.isGlobal !== isGlobal) continue;
    arms ??= {};
    arms[index.name] = { readUnits: 0, writeUnits: units };
  }
  return arms;
}
