// How many requests each table had and how many of them were throttled since the server started: for the live
// page, which looks at differences. What AWS would report by the minute is counted elsewhere.
import { tablesOfRequest } from '../../dynamodb/request-tables.ts';
import type { FinishedRequest } from '../finished-request.ts';

/** Of one table; counts since the server started. */
export interface TableTraffic {
  requests: number;
  throttles: number;
}

/** Tables that come and go under other names; what is beyond this is not counted. */
const MAX_TABLES = 10_000;

export class TrafficCounts {
  readonly #tables = new Map<string, TableTraffic>();
  requests = 0;
  throttles = 0;
  /** Requests that were refused by a rule or failed. */
  errors = 0;

  /** Counts a request when it has ended. */
  record({ request, outcome }: FinishedRequest): void {
    this.requests++;
    const isThrottled = outcome.kind === 'throttled' || outcome.kind === 'partial';
    if (isThrottled) this.throttles++;
    else if (outcome.kind !== 'ok') this.errors++;
    if (request === undefined) return;
    // Most requests are about one table, and this is on the path of each.
    if ('TableName' in request.input) this.#count(request.input.TableName, isThrottled);
    else for (const name of tablesOfRequest(request)) this.#count(name, isThrottled);
  }

  /** What a table had. */
  of(tableName: string): Readonly<TableTraffic> {
    return this.#tables.get(tableName) ?? { requests: 0, throttles: 0 };
  }

  /** Forgets tables that are gone. */
  keep(names: readonly string[]): void {
    const kept = new Set(names);
    for (const name of this.#tables.keys()) if (!kept.has(name)) this.#tables.delete(name);
  }

  #count(name: string, isThrottled: boolean): void {
    const traffic = this.#of(name);
    if (traffic === undefined) return;
    traffic.requests++;
    if (isThrottled) traffic.throttles++;
  }

  #of(name: string): TableTraffic | undefined {
    let traffic = this.#tables.get(name);
    if (traffic !== undefined) return traffic;
    if (this.#tables.size >= MAX_TABLES) return undefined;
    traffic = { requests: 0, throttles: 0 };
    this.#tables.set(name, traffic);
    return traffic;
  }
}
