// What the files of api/ work on: the tables and what requests share beyond them.
import { ApiError } from '../dynamodb/api-error.ts';
import type { AccessListener } from './access-listener.ts';
import { Admission } from './admission.ts';
import { Expirations, type ExpirySettings } from './expirations.ts';
import { ItemLocks } from './item-locks.ts';
import { ReplayTokens } from './replay-tokens.ts';
import type { SimulatedTable } from './simulated-table.ts';

/** The state of one simulated database. Whatever a request changes, it changes through this. */
export class DatabaseState {
  readonly tables = new Map<string, SimulatedTable>();
  readonly admission = new Admission();
  readonly locks = new ItemLocks();
  readonly replays = new ReplayTokens();
  readonly expirations: Expirations;
  /** Who is told of each access; most runs tell nobody. */
  readonly listener: AccessListener | undefined;

  constructor(listener: AccessListener | undefined, expiry: Omit<ExpirySettings, 'onDeleted'>) {
    this.listener = listener;
    this.expirations = new Expirations({
      ...expiry,
      onDeleted: (tableName, atUs) => listener?.onExpired?.(tableName, atUs),
    });
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
