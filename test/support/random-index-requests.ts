// Random writes that bring index entries in, move them and take them away, singly, in batches and in
// transactions with tokens and repetitions, and the reads that show what became of them: a table with global and
// local indexes of every projection. A function of the seed alone.
import type { AttributeMap, AttributeValue } from '../../src/dynamodb/attribute-value.ts';
import type {
  QueryInput,
  Request,
  TransactWriteItem,
  TransactWriteItemsInput,
  WriteRequest,
} from '../../src/dynamodb/operation.ts';
import type { KeyAttribute, KeySchema, TableSpec } from '../../src/dynamodb/table-spec.ts';
import { CounterRandom, streamKey } from '../../src/prng.ts';

const onDemand = { mode: 'on-demand' } as const;
const warm = { kind: 'warm', warmReadUnits: 40_000, warmWriteUnits: 40_000 } as const;
const text = (name: string): KeyAttribute => ({ name, type: 'S' });
const numeric = (name: string): KeyAttribute => ({ name, type: 'N' });
const bought = { billing: onDemand, start: warm };

/** A table whose attributes a, b, c and x are keys of nearly every index. */
export function routedTable(suffix: string): TableSpec {
  const local = (name: string, sort: KeyAttribute) => ({ name, keys: { partition: text('p'), sort } });
  return {
    tableName: `routed-${suffix}`,
    logicalName: 'routed',
    keys: { partition: text('p'), sort: numeric('q') },
    ...bought,
    globalIndexes: [
      {
        ...bought,
        name: 'gAll',
        keys: { partition: text('a'), sort: numeric('b') },
        projection: { kind: 'ALL' },
      },
      {
        ...bought,
        name: 'gKeys',
        keys: { partition: text('a'), sort: text('c') },
        projection: { kind: 'KEYS_ONLY' },
      },
      {
        ...bought,
        name: 'gSome',
        keys: { partition: text('c') },
        projection: { kind: 'INCLUDE', attributes: ['x'] },
      },
      {
        ...bought,
        name: 'gBodies',
        keys: { partition: text('c'), sort: text('x') },
        projection: { kind: 'INCLUDE', attributes: ['b', 'body'] },
      },
    ],
    localIndexes: [
      { ...local('lAll', numeric('b')), projection: { kind: 'ALL' } },
      { ...local('lKeys', text('c')), projection: { kind: 'KEYS_ONLY' } },
      { ...local('lSome', text('x')), projection: { kind: 'INCLUDE', attributes: ['b'] } },
    ],
  };
}

const choices: Readonly<Record<string, readonly AttributeValue[]>> = {
  a: ['m', 'n'].map((S) => ({ S })),
  b: ['1', '2', '10', '-3', '2.50'].map((N) => ({ N })),
  c: ['u', 'v'].map((S) => ({ S })),
  x: ['k', 'ka', 'l', 'ü'].map((S) => ({ S })),
  body: [10, 900, 1_100, 3_000, 5_000].map((length) => ({ S: 'x'.repeat(length) })),
};

export class RandomIndexRequests {
  readonly #random: CounterRandom;
  readonly #table: TableSpec;
  readonly #tableName: string;
  #lastTransaction: TransactWriteItemsInput | undefined;
  #tokenCount = 0;

  constructor(seed: number, table: TableSpec) {
    this.#random = new CounterRandom(streamKey(seed, 'differential-indexes'));
    this.#table = table;
    this.#tableName = table.tableName;
  }

  next(): Request {
    const roll = this.#random.int(100);
    if (roll < 15) return { api: 'PutItem', input: { ...this.#put(), ...this.#reported() } };
    if (roll < 32) return { api: 'UpdateItem', input: { ...this.#update(), ...this.#reported() } };
    if (roll < 37) return { api: 'DeleteItem', input: { ...this.#remove(), ...this.#reported() } };
    if (roll < 42) return this.#batchWrite();
    if (roll < 60) return this.#transactWrite();
    if (roll < 67) return this.#transactGet();
    if (roll < 92) return this.#query();
    return this.#scan();
  }

  #chance(outOf100: number): boolean {
    return this.#random.int(100) < outOf100;
  }

  #accounted() {
    return { ReturnConsumedCapacity: this.#chance(85) ? ('INDEXES' as const) : ('TOTAL' as const) };
  }

  #reported() {
    return {
      ...this.#accounted(),
      ...(this.#chance(30) && { ReturnItemCollectionMetrics: 'SIZE' as const }),
    };
  }

  #key() {
    return {
      p: { S: this.#random.pick(['p', 'r']) },
      q: { N: this.#random.pick(['1', '2', '3', '4', '1.0']) },
    };
  }

  #value(name: string): AttributeValue {
    return this.#random.pick(choices[name] ?? []);
  }

  #item(): AttributeMap {
    const item: { [name: string]: AttributeValue } = { ...this.#key() };
    for (const name of ['a', 'b', 'c', 'x']) if (this.#chance(80)) item[name] = this.#value(name);
    if (this.#chance(60)) item.body = this.#value('body');
    // A key of a wrong type refuses the write.
    if (this.#chance(2)) item.b = { S: 'no number' };
    return item;
  }

  #condition(): string {
    return this.#random.pick([
      'attribute_exists(p)',
      'attribute_not_exists(p)',
      'attribute_exists(a)',
      'attribute_not_exists(x)',
      'a = c OR attribute_exists(b)',
    ]);
  }

  #conditional() {
    if (!this.#chance(25)) return {};
    return {
      ConditionExpression: this.#condition(),
      ...(this.#chance(50) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
    };
  }

  #put() {
    return { TableName: this.#tableName, Item: this.#item(), ...this.#conditional() };
  }

  #remove() {
    return { TableName: this.#tableName, Key: this.#key(), ...this.#conditional() };
  }

  #update() {
    const names = ['a', 'b', 'c', 'x', 'body'].filter(() => this.#chance(40));
    const set = names.length > 0 ? names : ['a'];
    const removed = ['a', 'b', 'c', 'x', 'body'].filter((name) => !set.includes(name) && this.#chance(15));
    const adds = !set.includes('b') && !removed.includes('b') && this.#chance(30);
    const values = Object.fromEntries(set.map((name) => [`:${name}`, this.#value(name)]));
    return {
      TableName: this.#tableName,
      Key: this.#key(),
      UpdateExpression: [
        `SET ${set.map((name) => `${name} = :${name}`).join(', ')}`,
        ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
        ...(adds ? ['ADD b :more'] : []),
      ].join(' '),
      ExpressionAttributeValues: { ...values, ...(adds && { ':more': { N: '1' } }) },
      ...this.#conditional(),
    };
  }

  #batchWrite(): Request {
    const items = distinctByKey(Array.from({ length: 2 + this.#random.int(4) }, () => this.#item()));
    const writes: WriteRequest[] = items.map((item) =>
      this.#chance(30)
        ? { DeleteRequest: { Key: { p: item.p ?? {}, q: item.q ?? {} } } }
        : { PutRequest: { Item: item } },
    );
    return {
      api: 'BatchWriteItem',
      input: { RequestItems: { [this.#tableName]: writes }, ...this.#reported() },
    };
  }

  /** Now and then the transaction before once more, or another under its token. */
  #transactWrite(): Request {
    const last = this.#lastTransaction;
    if (last?.ClientRequestToken !== undefined && this.#chance(30))
      return { api: 'TransactWriteItems', input: { ...last, ...this.#accounted() } };
    const actions = Array.from({ length: 1 + this.#random.int(5) }, () => this.#action());
    const isMismatch = last?.ClientRequestToken !== undefined && this.#chance(8);
    const token = isMismatch ? last.ClientRequestToken : `${this.#tableName}-${this.#tokenCount++}`;
    const input: TransactWriteItemsInput = {
      // Not both mistakes: which of the two is told first is nowhere documented.
      TransactItems: !isMismatch && this.#chance(4) ? actions : distinctActions(actions),
      ...(this.#chance(50) && { ClientRequestToken: token }),
      ...this.#reported(),
    };
    if (!isMismatch) this.#lastTransaction = input;
    return { api: 'TransactWriteItems', input };
  }

  #action(): TransactWriteItem {
    const roll = this.#random.int(10);
    if (roll < 3) return { Put: this.#put() };
    if (roll < 6) return { Update: this.#update() };
    if (roll < 8) return { Delete: this.#remove() };
    const ConditionExpression = this.#condition();
    return { ConditionCheck: { TableName: this.#tableName, Key: this.#key(), ConditionExpression } };
  }

  #transactGet(): Request {
    const keys = distinctByKey(Array.from({ length: 1 + this.#random.int(5) }, () => this.#key()));
    return {
      api: 'TransactGetItems',
      input: {
        TransactItems: keys.map((Key) => ({ Get: { TableName: this.#tableName, Key } })),
        ...this.#accounted(),
      },
    };
  }

  #source(): { readonly name: string | undefined; readonly keys: KeySchema; readonly isLocal: boolean } {
    const { globalIndexes, localIndexes, keys } = this.#table;
    return this.#random.pick([
      { name: undefined, keys, isLocal: true },
      ...globalIndexes.map((index) => ({ ...index, isLocal: false })),
      ...globalIndexes.map((index) => ({ ...index, isLocal: false })),
      ...localIndexes.map((index) => ({ ...index, isLocal: true })),
    ]);
  }

  #read(isLocal: boolean) {
    return {
      ...(this.#chance(40) && { Limit: 1 + this.#random.int(4) }),
      ...(isLocal && this.#chance(30) && { ConsistentRead: true }),
      ...(this.#chance(15) && { Select: 'COUNT' as const }),
      ...this.#accounted(),
    };
  }

  #query(): Request {
    const { name, keys, isLocal } = this.#source();
    const values: { [placeholder: string]: AttributeValue } = {};
    const bind = (attribute: string, suffix = '') => {
      values[`:${attribute}${suffix}`] =
        attribute === 'p' ? { S: 'p' } : attribute === 'q' ? { N: '2' } : this.#value(attribute);
      return `:${attribute}${suffix}`;
    };
    const terms = [`${keys.partition.name} = ${bind(keys.partition.name)}`];
    if (keys.sort !== undefined && this.#chance(60)) terms.push(this.#range(keys.sort, bind));
    // A condition on what is no key of the index.
    if (this.#chance(4)) terms.push(`${this.#random.pick(['a', 'x'])} = ${bind('a')}`);
    const expression = terms.join(' AND ');
    const input: QueryInput = {
      TableName: this.#tableName,
      ...(name && { IndexName: name }),
      KeyConditionExpression: expression,
      ExpressionAttributeValues: Object.fromEntries(
        Object.entries(values).filter(([placeholder]) => expression.split(/[ ,()]/).includes(placeholder)),
      ),
      ...(this.#chance(40) && { ScanIndexForward: false }),
      ...this.#read(isLocal),
    };
    return { api: 'Query', input };
  }

  #range({ name, type }: KeyAttribute, bind: (attribute: string, suffix?: string) => string): string {
    switch (this.#random.int(type === 'S' ? 3 : 2)) {
      case 0:
        return `${name} ${this.#random.pick(['=', '<', '<=', '>', '>='])} ${bind(name)}`;
      case 1:
        return `${name} BETWEEN ${bind(name, '1')} AND ${bind(name, '2')}`;
      default:
        return `begins_with(${name}, ${bind(name)})`;
    }
  }

  /** All of the table or of one index: what the writes have left there. */
  #scan(): Request {
    const { name, isLocal } = this.#source();
    const { Limit: _, ...read } = this.#read(isLocal);
    return { api: 'Scan', input: { TableName: this.#tableName, ...(name && { IndexName: name }), ...read } };
  }
}

function distinctByKey<I extends AttributeMap>(items: readonly I[]): I[] {
  const byKey = new Map(items.map((item) => [`${item.p?.S}/${Number(item.q?.N)}`, item]));
  return [...byKey.values()];
}

function distinctActions(actions: readonly TransactWriteItem[]): TransactWriteItem[] {
  const keyOf = ({ Put, Update, Delete, ConditionCheck }: TransactWriteItem) =>
    Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {};
  const kept = distinctByKey(actions.map(keyOf));
  return actions.filter((action) => kept.includes(keyOf(action)));
}
