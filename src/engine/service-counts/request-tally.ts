// Counts requests by operation and table, and units by table and index: what the client saw, to be held against
// what the service counts in the same terms.
import type { OperationCount } from '../../analysis/records/cloudwatch.ts';
import type { ConsumedCapacity } from '../../dynamodb/consumed-capacity.ts';
import type { DataApi, Request } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { tablesOfRequest, throttledTables } from '../../dynamodb/request-tables.ts';
import { resourceName, type TableSpec } from '../../dynamodb/table-spec.ts';
import type { Done, Target, TargetRequest } from '../target.ts';
import type { UsedOperation } from './metric-queries.ts';

type Ending = Exclude<keyof OperationCount, 'tableName' | 'operation' | 'sent' | 'unanswered'>;
type Counts = Record<Ending | 'sent', number>;

interface SeenUnits {
  readUnits: number;
  writeUnits: number;
}

const countNames = [
  'sent',
  'ok',
  'throttled',
  'partial',
  'conditionFailed',
  'conflict',
  'refused',
] as const satisfies readonly (keyof Counts)[];

/** What was counted, as plain data. */
export interface TallyRecord {
  readonly counts: readonly {
    readonly operation: DataApi;
    readonly tableName: string;
    readonly counts: Readonly<Counts>;
  }[];
  readonly units: readonly ({ readonly resource: string } & Readonly<SeenUnits>)[];
}

/** A target whose requests are counted. */
export class RequestTally implements Target {
  readonly #inner: Target;
  /** Operation, then table: no key is put together per request. */
  readonly #counts = new Map<DataApi, Map<string, Counts>>();
  readonly #units = new Map<string, SeenUnits>();
  readonly #globalIndexes: ReadonlySet<string>;

  constructor(inner: Target, tables: readonly TableSpec[]) {
    this.#inner = inner;
    this.#globalIndexes = new Set(
      tables.flatMap(({ tableName, globalIndexes }) =>
        globalIndexes.map(({ name }) => resourceName(tableName, name)),
      ),
    );
  }

  send(request: TargetRequest, startUs: number, done: Done): void {
    const { request: wanted } = request;
    const counts = tablesOfRequest(wanted).map((tableName) => this.#of(wanted.api, tableName));
    for (const one of counts) one.sent++;
    this.#inner.send(request, startUs, (outcome, endUs) => {
      const ending = endingOf(outcome);
      if (outcome.kind === 'throttled') this.#countThrottle(wanted, outcome);
      else if (ending !== undefined) for (const one of counts) one[ending]++;
      if (outcome.kind === 'ok' || outcome.kind === 'partial') this.#spend(outcome.consumed);
      done(outcome, endUs);
    });
  }

  /** Operations sent so far, and to which tables. */
  get operations(): readonly UsedOperation[] {
    return [...this.#counts].flatMap(([operation, tables]) =>
      [...tables.keys()].map((tableName) => ({ tableName, operation })),
    );
  }

  /** The counts as the record holds them. */
  rows(): OperationCount[] {
    return [...this.#counts].flatMap(([operation, tables]) =>
      [...tables].map(([tableName, counts]) => ({
        tableName,
        operation,
        ...counts,
        unanswered: unanswered(counts),
      })),
    );
  }

  /** Units that answers reported for a table (local indexes included) or a global index. */
  unitsOf(resource: string): Readonly<SeenUnits> {
    return this.#units.get(resource) ?? { readUnits: 0, writeUnits: 0 };
  }

  /** All counts, in a form that threads can carry and that adds up. */
  toRecord(): TallyRecord {
    return {
      counts: [...this.#counts].flatMap(([operation, tables]) =>
        [...tables].map(([tableName, counts]) => ({ operation, tableName, counts: { ...counts } })),
      ),
      units: [...this.#units].map(([resource, units]) => ({ resource, ...units })),
    };
  }

  /** Adds what another thread counted. */
  addRecord({ counts, units }: TallyRecord): void {
    for (const { operation, tableName, counts: more } of counts) {
      const sum = this.#of(operation, tableName);
      for (const name of countNames) sum[name] += more[name];
    }
    for (const { resource, ...more } of units) this.#add(resource, more);
  }

  /** A transaction counts as throttled where it was; on its other tables it is one that was refused. */
  #countThrottle(request: Request, outcome: Extract<Outcome, { kind: 'throttled' }>): void {
    const throttled = throttledTables(request, outcome);
    for (const tableName of tablesOfRequest(request))
      this.#of(request.api, tableName)[throttled.includes(tableName) ? 'throttled' : 'refused']++;
  }

  #of(api: DataApi, tableName: string): Counts {
    let tables = this.#counts.get(api);
    if (tables === undefined) {
      tables = new Map();
      this.#counts.set(api, tables);
    }
    let counts = tables.get(tableName);
    if (counts === undefined) {
      counts = { sent: 0, ok: 0, throttled: 0, partial: 0, conditionFailed: 0, conflict: 0, refused: 0 };
      tables.set(tableName, counts);
    }
    return counts;
  }

  #spend(consumed: readonly ConsumedCapacity[]): void {
    for (const { tableName, table, localIndexes, globalIndexes } of consumed) {
      this.#add(tableName, table);
      for (const units of Object.values(localIndexes ?? {})) this.#add(tableName, units);
      for (const [name, units] of Object.entries(globalIndexes ?? {})) {
        const resource = resourceName(tableName, name);
        this.#add(this.#globalIndexes.has(resource) ? resource : tableName, units);
      }
    }
  }

  #add(resource: string, { readUnits, writeUnits }: SeenUnits): void {
    const units = this.#units.get(resource);
    if (units === undefined) this.#units.set(resource, { readUnits, writeUnits });
    else {
      units.readUnits += readUnits;
      units.writeUnits += writeUnits;
    }
  }
}

/** undefined: no answer of DynamoDB, so that it may have counted the request or not. */
function endingOf(outcome: Outcome): Ending | undefined {
  switch (outcome.kind) {
    case 'ok':
    case 'throttled':
    case 'partial':
    case 'conditionFailed':
    case 'conflict':
      return outcome.kind;
    case 'failed':
      return outcome.httpStatus === undefined ? undefined : 'refused';
    default:
      return undefined;
  }
}

function unanswered({ sent, ok, throttled, partial, conditionFailed, conflict, refused }: Counts): number {
  return sent - ok - throttled - partial - conditionFailed - conflict - refused;
}
