// Units that requests consumed, summed by table and index. Additive, so that parts can be merged.
import type { ConsumedCapacity, Units } from '../dynamodb/consumed-capacity.ts';
import { resourceName } from '../dynamodb/table-spec.ts';

interface MutableUnits {
  readUnits: number;
  writeUnits: number;
}

/**
 * Units by table and index. Two levels of maps, since joining names to one key for every request would cost
 * more than the sums.
 */
export class UnitsByResource {
  readonly #tables = new Map<string, { table: MutableUnits; indexes: Map<string, MutableUnits> }>();
  #latest: readonly ConsumedCapacity[] | undefined = undefined;
  /** Sums to which each part of `#latest` is added; undefined until it comes a second time. */
  #sumsOfLatest: { readonly to: MutableUnits; readonly units: Units }[] | undefined = undefined;

  /**
   * Adds what a request consumed. The simulated table answers equal writes with the same value: then no name
   * is looked up.
   */
  add(consumed: readonly ConsumedCapacity[]): void {
    if (consumed !== this.#latest) {
      this.#latest = consumed;
      this.#sumsOfLatest = undefined;
      for (let index = 0; index < consumed.length; index++)
        this.#addTable(consumed[index] as ConsumedCapacity);
      return;
    }
    this.#sumsOfLatest ??= this.#sumsOf(consumed);
    for (const { to, units } of this.#sumsOfLatest) addUnits(to, units);
  }

  /** Rows sorted by resource name. */
  rows(): { resource: string; readUnits: number; writeUnits: number }[] {
    const rows: { resource: string; readUnits: number; writeUnits: number }[] = [];
    for (const [tableName, entry] of this.#tables) {
      rows.push({ resource: tableName, ...entry.table });
      for (const [indexName, units] of entry.indexes) {
        rows.push({ resource: resourceName(tableName, indexName), ...units });
      }
    }
    return rows.sort((a, b) => (a.resource < b.resource ? -1 : 1));
  }

  /** Adds a row as `rows` gives it. */
  addRow({
    resource,
    readUnits,
    writeUnits,
  }: {
    resource: string;
    readUnits: number;
    writeUnits: number;
  }): void {
    const slash = resource.indexOf('/');
    const entry = this.#entry(slash === -1 ? resource : resource.slice(0, slash));
    const units = slash === -1 ? entry.table : indexUnits(entry.indexes, resource.slice(slash + 1));
    addUnits(units, { readUnits, writeUnits });
  }

  mergeFrom(other: UnitsByResource): void {
    for (const [tableName, entry] of other.#tables) {
      const mine = this.#entry(tableName);
      addUnits(mine.table, entry.table);
      for (const [indexName, units] of entry.indexes) addUnits(indexUnits(mine.indexes, indexName), units);
    }
  }

  #addTable(consumed: ConsumedCapacity): void {
    const entry = this.#entry(consumed.tableName);
    addUnits(entry.table, consumed.table);
    if (consumed.globalIndexes) addIndexes(entry.indexes, consumed.globalIndexes);
    if (consumed.localIndexes) addIndexes(entry.indexes, consumed.localIndexes);
  }

  #sumsOf(consumed: readonly ConsumedCapacity[]): { to: MutableUnits; units: Units }[] {
    return consumed.flatMap(({ tableName, table, globalIndexes, localIndexes }) => {
      const entry = this.#entry(tableName);
      const arms = [...Object.entries(globalIndexes ?? {}), ...Object.entries(localIndexes ?? {})];
      return [
        { to: entry.table, units: table },
        ...arms.map(([name, units]) => ({ to: indexUnits(entry.indexes, name), units })),
      ];
    });
  }

  #entry(tableName: string): { table: MutableUnits; indexes: Map<string, MutableUnits> } {
    let entry = this.#tables.get(tableName);
    if (entry === undefined) {
      entry = { table: { readUnits: 0, writeUnits: 0 }, indexes: new Map() };
      this.#tables.set(tableName, entry);
    }
    return entry;
  }
}

function addIndexes(indexes: Map<string, MutableUnits>, consumed: { readonly [name: string]: Units }): void {
  for (const name in consumed) addUnits(indexUnits(indexes, name), consumed[name] as Units);
}

function indexUnits(indexes: Map<string, MutableUnits>, name: string): MutableUnits {
  let units = indexes.get(name);
  if (units === undefined) {
    units = { readUnits: 0, writeUnits: 0 };
    indexes.set(name, units);
  }
  return units;
}

function addUnits(to: MutableUnits, units: Units): void {
  to.readUnits += units.readUnits;
  to.writeUnits += units.writeUnits;
}

/** Units of all tables and indexes in one answer. */
export function totalUnits(consumed: readonly ConsumedCapacity[], into: MutableUnits): void {
  for (const one of consumed) {
    addUnits(into, one.table);
    for (const indexes of [one.globalIndexes, one.localIndexes]) {
      for (const name in indexes) addUnits(into, indexes[name] as Units);
    }
  }
}
