// Preloaded items as a plan has them: in wire form, with the name of their table, checked as they are made.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { marshalItem } from '../dynamodb/marshal.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { assert } from '../errors.ts';
import type { Item } from '../workload/item.ts';
import type { Preload } from '../workload/preload.ts';
import { checkItem } from './check-item.ts';
import { notPromised } from './operations/of.ts';
import type { PlannedPreload } from './run-plan.ts';
import { PlacedError, placedError } from './user-function.ts';
import type { VariantInstance } from './variant-instance.ts';

/** The preloads of one variant. @param file  the scenario file, for errors */
export function planPreloads(
  instance: VariantInstance,
  tables: readonly TableSpec[],
  file: string,
): readonly PlannedPreload[] {
  return [...instance.preloads].map(([name, preload]) => {
    const table = tables.find(({ logicalName }) => logicalName === preload.table) ?? tables[0];
    assert(table, 'a scenario that was found valid has a table');
    return {
      name,
      tableName: table.tableName,
      count: preload.count,
      itemAt: (index) => preloadedItem(preload, index, { name, table, file }),
    };
  });
}

interface PreloadPlace {
  readonly name: string;
  readonly table: TableSpec;
  readonly file: string;
}

/**
 * One preloaded item in wire form, sound for its table: checks before load see a thousand of them, so that any
 * other one may still be the first that throws or has a wrong key.
 * @throws DynoLoadError SCENARIO_FUNCTION_THREW, OPERATION_INVALID or ITEM_TOO_LARGE naming entry and index
 */
function preloadedItem(
  preload: Preload<Item>,
  index: number,
  { name, table, file }: PreloadPlace,
): AttributeMap {
  const place = { which: `item ${index}`, of: `data.${name}`, file };
  try {
    const item = marshalItem(notPromised(preload.at(index)));
    checkItem(item, table, ({ code, ...fault }) => {
      throw new PlacedError(code, { ...place, ...fault });
    });
    return item;
  } catch (error) {
    throw error instanceof PlacedError ? error : placedError(error, place);
  }
}
