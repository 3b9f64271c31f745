// The tables that the server has, by name. A table that is being deleted is still here, and no longer usable.
import { ApiError } from '../../dynamodb/api-error.ts';
import { resourceOfArn } from '../../dynamodb/throttling-reason.ts';
import type { ServedTable } from './served-table.ts';

export class TableRegistry {
  readonly #tables = new Map<string, ServedTable>();

  /** Names in the order of their code units. */
  names(nowUs: number): readonly string[] {
    this.#dropGone(nowUs);
    return [...this.#tables.keys()].sort();
  }

  find(name: string, nowUs: number): ServedTable | undefined {
    const table = this.#tables.get(name);
    if (table?.isGone(nowUs) !== true) return table;
    this.#tables.delete(name);
    return undefined;
  }

  /**
   * The table of this name, whatever its state.
   * @throws ApiError ResourceNotFoundException
   */
  get(name: string, nowUs: number): ServedTable {
    const table = this.find(name, nowUs);
    if (table !== undefined) return table;
    throw new ApiError('ResourceNotFoundException', `Requested resource not found: Table: ${name} not found`);
  }

  /**
   * The table that an ARN names, whatever its region and account: clients build ARNs from settings of their
   * own, and there is one set of tables for all of them.
   * @throws ApiError ResourceNotFoundException
   */
  getByArn(arn: string, nowUs: number): ServedTable {
    const table = this.find(resourceOfArn(arn)?.tableName ?? '', nowUs);
    if (table !== undefined) return table;
    throw new ApiError(
      'ResourceNotFoundException',
      `Requested resource not found: ResourceArn: ${arn} not found`,
    );
  }

  add(table: ServedTable): void {
    this.#tables.set(table.name, table);
  }

  all(nowUs: number): Iterable<ServedTable> {
    this.#dropGone(nowUs);
    return this.#tables.values();
  }

  #dropGone(nowUs: number): void {
    for (const [name, table] of this.#tables) if (table.isGone(nowUs)) this.#tables.delete(name);
  }
}
