// A simulated table of orders with one index of each kind, and requests to it: what tests of the simulator
// share.
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { AttributeMap, AttributeValue } from '../../src/dynamodb/attribute-value.ts';
import type { ApiInput, DataApi, Request } from '../../src/dynamodb/operation.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import type { GlobalIndexSpec, TableSpec } from '../../src/dynamodb/table-spec.ts';
import { type DatabaseSettings, SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../src/units.ts';
import { onDemand, warmFor } from './throughput.ts';

const gsi = { billing: onDemand, start: warmFor(20) };

export const statusIndex: GlobalIndexSpec = {
  ...gsi,
  name: 'GSI1',
  keys: { partition: { name: 'status', type: 'S' }, sort: { name: 'date', type: 'S' } },
  projection: { kind: 'ALL' },
};

/** Orders by customer and number: a wide and a narrow global index, and a local one. */
export const ordersTable: TableSpec = {
  tableName: 'orders',
  logicalName: 'main',
  keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'SK', type: 'N' } },
  billing: onDemand,
  start: warmFor(20),
  globalIndexes: [
    statusIndex,
    {
      ...gsi,
      name: 'byCity',
      keys: { partition: { name: 'city', type: 'S' } },
      projection: { kind: 'INCLUDE', attributes: ['note'] },
    },
  ],
  localIndexes: [
    {
      name: 'byTotal',
      keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'total', type: 'N' } },
      projection: { kind: 'KEYS_ONLY' },
    },
  ],
};

/** A table with nothing but a partition key. */
export const plainOrders: TableSpec = {
  ...ordersTable,
  tableName: 'plain',
  keys: { partition: { name: 'PK', type: 'S' } },
  globalIndexes: [],
  localIndexes: [],
};

/** Text of a type letter and a value as an attribute: numbers become N, strings S. */
export function attributes(native: { readonly [name: string]: string | number }): AttributeMap {
  return Object.fromEntries(
    Object.entries(native).map(([name, value]): [string, AttributeValue] => [
      name,
      typeof value === 'number' ? { N: String(value) } : { S: value },
    ]),
  );
}

export class OrdersDatabase {
  readonly database: SimulatedDatabase;
  /** Moment of the next request; far enough apart by default that nothing throttles. */
  atUs = 0;
  readonly #stepUs: number;

  constructor(
    settings: {
      tables?: readonly TableSpec[];
      stepUs?: number;
    } & Partial<DatabaseSettings> = {},
  ) {
    const { tables = [ordersTable, plainOrders], stepUs, ...rest } = settings;
    this.#stepUs = stepUs ?? 60 * US_PER_SECOND;
    this.database = new SimulatedDatabase({ model: capacityModels.default, seed: 1, ...rest });
    for (const table of tables) this.database.createTable(table);
  }

  send<A extends DataApi>(
    api: A,
    input: Omit<ApiInput[A], 'TableName'> & { readonly TableName?: string },
  ): Outcome {
    const named =
      api.startsWith('Batch') || api.startsWith('Transact') ? input : { TableName: 'orders', ...input };
    const request = { api, input: named } as Request; // The same API with its own input.
    this.atUs += this.#stepUs;
    return this.database.handle(request, this.atUs);
  }

  /** Sends and expects success. */
  ok<A extends DataApi>(
    api: A,
    input: Omit<ApiInput[A], 'TableName'> & { readonly TableName?: string },
  ): Extract<Outcome, { kind: 'ok' }> {
    const outcome = this.send(api, input);
    if (outcome.kind !== 'ok') throw new Error(`${api} ended ${JSON.stringify(outcome)}`);
    return outcome;
  }

  put(native: { readonly [name: string]: string | number }, extra: AttributeMap = {}): Outcome {
    return this.send('PutItem', { Item: { ...attributes(native), ...extra } });
  }

  get(native: { readonly [name: string]: string | number }): AttributeMap | undefined {
    return this.ok('GetItem', { Key: attributes(native) }).output.Item;
  }

  /** The table's item, and entries that its indexes show, read by scans. */
  scanned(indexName?: string): readonly AttributeMap[] {
    return this.ok('Scan', indexName === undefined ? {} : { IndexName: indexName }).output.Items ?? [];
  }
}

/** Units of a successful or failed write, arm by arm: `[table, arms by index]`. */
export function unitsOf(outcome: Outcome): readonly [number, { readonly [indexName: string]: number }] {
  const consumed =
    outcome.kind === 'ok' || outcome.kind === 'partial'
      ? outcome.consumed
      : outcome.kind === 'conditionFailed'
        ? (outcome.estimated ?? [])
        : [];
  const [one] = consumed;
  if (one === undefined) throw new Error(`nothing consumed: ${JSON.stringify(outcome)}`);
  const arms = { ...one.localIndexes, ...one.globalIndexes };
  return [
    one.table.writeUnits + one.table.readUnits,
    Object.fromEntries(
      Object.entries(arms).map(([name, units]) => [name, units.writeUnits + units.readUnits]),
    ),
  ];
}

/** The code and message of a failed request. */
export function failureOf(outcome: Outcome): string {
  return outcome.kind === 'failed' ? `${outcome.code}: ${outcome.message}` : outcome.kind;
}
