// A sample of the items that one workload is going to put: how many by table, with which keys, how large, and
// what they cost where. Keys are made by the scenario's own functions, so that only making some operations
// tells.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { writeUnits } from '../dynamodb/consumed-capacity.ts';
import { itemSizeBytes } from '../dynamodb/item-size.ts';
import { primaryKeyText } from '../dynamodb/key-text.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { touchedKeys } from '../dynamodb/touched-keys.ts';
import { CounterRandom, streamKey } from '../prng.ts';
import type { OperationGenerator } from './run-plan.ts';

/** A write costs twice in a transaction. */
const TRANSACTION_FACTOR = 2;

/** Puts to one table. */
export interface PutTally {
  puts: number;
  /** Texts of the primary keys. */
  readonly keys: Set<string>;
  /** Sums: of the items as JSON, and of the texts of their keys. */
  itemTextBytes: number;
  keyTextBytes: number;
}

/** What falls on a table, or on one of its indexes. */
export interface TouchTally {
  writeUnits: number;
  /** Labels of the partition keys. */
  readonly keys: Set<string>;
}

/** Puts among requests. */
export class PutSample {
  readonly #specs: ReadonlyMap<string, TableSpec>;
  readonly byTable = new Map<string, PutTally>();
  /** By `table` or `table/index`. */
  readonly byResource = new Map<string, TouchTally>();
  /** Some of the requests delete items. */
  deletes = false;

  /** @param specs  tables by their name on the target */
  constructor(specs: ReadonlyMap<string, TableSpec>) {
    this.#specs = specs;
  }

  add(request: Request): void {
    if (request.api === 'PutItem') this.#put(request.input.TableName, request.input.Item);
    else if (request.api === 'BatchWriteItem')
      for (const [tableName, writes] of Object.entries(request.input.RequestItems))
        for (const { PutRequest } of writes) this.#put(tableName, PutRequest?.Item);
    else if (request.api === 'TransactWriteItems')
      for (const { Put, Delete } of request.input.TransactItems) {
        if (Put !== undefined) this.#put(Put.TableName, Put.Item, TRANSACTION_FACTOR);
        this.deletes ||= Delete !== undefined;
      }
  }

  /** @param item  undefined: it is deleted */
  #put(tableName: string, item: AttributeMap | undefined, factor = 1): void {
    const spec = this.#specs.get(tableName);
    if (item === undefined) this.deletes = true;
    if (spec === undefined || item === undefined) return;
    const key = primaryKeyText(item, spec.keys);
    const tally = this.#tableTally(tableName);
    tally.puts++;
    tally.keys.add(key);
    tally.itemTextBytes += JSON.stringify(item).length;
    tally.keyTextBytes += key.length;
    this.#touch(tableName, item, factor);
  }

  #touch(TableName: string, Item: AttributeMap, factor: number): void {
    const units = factor * writeUnits(itemSizeBytes(Item));
    for (const { resource, key } of touchedKeys(
      { api: 'PutItem', input: { TableName, Item } },
      this.#specs,
    )) {
      const known = this.byResource.get(resource) ?? { writeUnits: 0, keys: new Set<string>() };
      this.byResource.set(resource, known);
      known.writeUnits += units;
      known.keys.add(key);
    }
  }

  #tableTally(tableName: string): PutTally {
    const known = this.byTable.get(tableName);
    if (known !== undefined) return known;
    const fresh = { puts: 0, keys: new Set<string>(), itemTextBytes: 0, keyTextBytes: 0 };
    this.byTable.set(tableName, fresh);
    return fresh;
  }
}

/** Which operations of how many. */
interface Choice {
  readonly generator: OperationGenerator;
  readonly planned: number;
  readonly count: number;
}

/**
 * Samples one operation in each part of the load, anywhere in it: none twice, and in no step that keys could
 * keep to.
 */
export function sampleSpread(into: PutSample, { generator, planned, count }: Choice, seed: number): void {
  const random = new CounterRandom(streamKey(seed, 'memory'));
  for (let part = 0; part < count; part++) {
    const place = ((part + random.seek(part).float()) * planned) / count;
    addOperation(into, generator, Math.min(planned - 1, Math.floor(place)));
  }
}

/** Samples the first operations. */
export function sampleRow(into: PutSample, { generator, planned, count }: Choice): void {
  for (let sequence = 0; sequence < Math.min(planned, count); sequence++)
    addOperation(into, generator, sequence);
}

function addOperation(into: PutSample, generator: OperationGenerator, sequence: number): void {
  try {
    const operation = generator.next(sequence, 0);
    if (operation.kind === 'request') into.add(operation.request);
  } catch {
    // What is wrong with it is told, with its place, once load comes to it.
  }
}
