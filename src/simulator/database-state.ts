// What the files of api/ work on: the tables and what requests share beyond them.
import { ApiError } from '../dynamodb/api-error.ts';
import type { AccessListener } from './access-listener.ts';
import { Admission } from './admission.ts';
import { ItemLocks } from './item-locks.ts';
import { ReplayTokens } from './replay-tokens.ts';
import type { SimulatedTable } from './simulated-table.ts';

export class DatabaseState {
  readonly tables = new Map<string, SimulatedTable>();
  readonly admission = new Admission();
  readonly locks = new ItemLocks();
  readonly replays = new ReplayTokens();
  /** Who is told of each access; most runs tell nobody. */
  readonly listener: AccessListener | undefined;

  constructor(listener: AccessListener | undefined) {
    this.listener = listener;
  }

  /**
   * The table of this name.
   * @throws ApiError ResourceNotFoundException
   */
  table(name: string): SimulatedTable {
    const table = this.tables.get(name);
    if (table === undefined) throw new ApiError('ResourceNotFoundException', 'Requested resource not found');
    return table;
  }
}
