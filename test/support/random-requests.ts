// Random requests over the tables below: few keys, so that they meet; all ten APIs; every kind of expression;
// and now and then a mistake. A function of the seed alone.
import type { AttributeMap, AttributeValue } from '../../src/dynamodb/attribute-value.ts';
import type { Request, TransactWriteItem, WriteRequest } from '../../src/dynamodb/operation.ts';
import type { TableSpec } from '../../src/dynamodb/table-spec.ts';
import { CounterRandom, streamKey } from '../../src/prng.ts';

const onDemand = { mode: 'on-demand' } as const;
const warm = { kind: 'warm', warmReadUnits: 40_000, warmWriteUnits: 40_000 } as const;

/** A table with indexes of all kinds, and one with nothing but a numeric key. */
export function differentialTables(suffix: string): readonly [TableSpec, TableSpec] {
  const gsi = { billing: onDemand, start: warm };
  return [
    {
      tableName: `indexed-${suffix}`,
      logicalName: 'indexed',
      keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'SK', type: 'S' } },
      billing: onDemand,
      start: warm,
      globalIndexes: [
        {
          ...gsi,
          name: 'all',
          keys: { partition: { name: 'G1', type: 'S' }, sort: { name: 'score', type: 'N' } },
          projection: { kind: 'ALL' },
        },
        {
          ...gsi,
          name: 'keys',
          keys: { partition: { name: 'phase', type: 'S' } },
          projection: { kind: 'KEYS_ONLY' },
        },
        {
          ...gsi,
          name: 'some',
          keys: { partition: { name: 'phase', type: 'S' }, sort: { name: 'SK', type: 'S' } },
          projection: { kind: 'INCLUDE', attributes: ['note', 'tags'] },
        },
      ],
      localIndexes: [
        {
          name: 'byScore',
          keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'score', type: 'N' } },
          projection: { kind: 'KEYS_ONLY' },
        },
        {
          name: 'byNote',
          keys: { partition: { name: 'PK', type: 'S' }, sort: { name: 'note', type: 'S' } },
          projection: { kind: 'ALL' },
        },
      ],
    },
    {
      tableName: `plain-${suffix}`,
      logicalName: 'plain',
      keys: { partition: { name: 'id', type: 'N' } },
      billing: onDemand,
      start: warm,
      globalIndexes: [],
      localIndexes: [],
    },
  ];
}

type Names = { [placeholder: string]: string };
type Values = { [placeholder: string]: AttributeValue };

/** An expression with what it binds. */
interface Fragment {
  readonly text: string;
  readonly names: Names;
  readonly values: Values;
}

/** A place that an update may change. */
interface Target {
  readonly attribute: string;
  readonly path: string;
}

export class RandomRequests {
  readonly #random: CounterRandom;
  readonly #indexed: string;
  readonly #plain: string;
  #placeholder = 0;

  constructor(seed: number, [indexed, plain]: readonly [TableSpec, TableSpec]) {
    this.#random = new CounterRandom(streamKey(seed, 'differential'));
    this.#indexed = indexed.tableName;
    this.#plain = plain.tableName;
  }

  next(): Request {
    this.#placeholder = 0;
    const roll = this.#random.int(100);
    if (roll < 22)
      return { api: 'PutItem', input: { ...this.#put(), ...this.#returnOld(), ...this.#accounted() } };
    if (roll < 42)
      return { api: 'UpdateItem', input: { ...this.#update(), ...this.#returnAny(), ...this.#accounted() } };
    if (roll < 48)
      return { api: 'DeleteItem', input: { ...this.#remove(), ...this.#returnOld(), ...this.#accounted() } };
    if (roll < 55)
      return { api: 'GetItem', input: { ...this.#get(), ...this.#consistent(), ...this.#accounted() } };
    if (roll < 75) return this.#query();
    if (roll < 81) return this.#scan();
    if (roll < 86) return this.#batchGet();
    if (roll < 91) return this.#batchWrite();
    if (roll < 94) return this.#transactGet();
    return this.#transactWrite();
  }

  #chance(outOf100: number): boolean {
    return this.#random.int(100) < outOf100;
  }

  #accounted() {
    return { ReturnConsumedCapacity: this.#random.pick(['INDEXES', 'INDEXES', 'INDEXES', 'TOTAL'] as const) };
  }

  #consistent() {
    return this.#chance(30) ? { ConsistentRead: true } : {};
  }

  #returnOld() {
    return this.#chance(40) ? { ReturnValues: 'ALL_OLD' as const } : {};
  }

  #returnAny() {
    return {
      ReturnValues: this.#random.pick(['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW'] as const),
    };
  }

  #table(): string {
    if (this.#chance(1)) return 'no-such-table';
    return this.#chance(75) ? this.#indexed : this.#plain;
  }

  #number(): string {
    return this.#random.pick([
      '0',
      '1',
      '2',
      '3',
      '7',
      '10',
      '12',
      '-4',
      '1.5',
      '2.50',
      '1e2',
      '120',
      '0.015',
      '99999999999999999999',
      '-0',
    ]);
  }

  #word(): string {
    return this.#random.pick(['a', 'b', 'ab', 'abc', 'b#1', 'b#2', 'ü', 'Z', '￿', '😀']);
  }

  #key(table: string): { [name: string]: AttributeValue } {
    const key: { [name: string]: AttributeValue } =
      table === this.#plain
        ? { id: { N: this.#random.pick(['1', '2', '3', '4', '5', '6.0']) } }
        : { PK: { S: this.#random.pick(['p', 'q', 'r']) }, SK: { S: this.#word() } };
    if (!this.#chance(3)) return key;
    return this.#random.pick<{ [name: string]: AttributeValue }>([
      { PK: { S: 'p' } },
      { ...key, PK: { S: '' } },
      { ...key, SK: { N: '1' } },
      { ...key, other: { S: 'x' } },
      { id: { S: 'x' } },
      {},
    ]);
  }

  #value(depth = 0): AttributeValue {
    const roll = this.#random.int(depth < 2 ? 13 : 9);
    if (roll < 2) return { S: this.#word() };
    if (roll < 4) return { N: this.#number() };
    if (roll < 5) return { BOOL: this.#chance(50) };
    if (roll < 6) return { NULL: true };
    if (roll < 7) return { B: this.#random.pick(['AQ==', 'AQI=', 'AQID', '/w==']) };
    if (roll < 8) return { SS: this.#some(['a', 'b', 'c', 'ü']) };
    if (roll < 9)
      return this.#chance(50) ? { NS: this.#some(['1', '2', '3.5']) } : { BS: this.#some(['AQ==', 'Ag==']) };
    if (roll < 11) return { L: Array.from({ length: this.#random.int(4) }, () => this.#value(depth + 1)) };
    const names = this.#some(['x', 'y', 'z']);
    return { M: Object.fromEntries(names.map((name) => [name, this.#value(depth + 1)])) };
  }

  #some<V>(from: readonly V[]): V[] {
    const chosen = from.filter(() => this.#chance(50));
    return chosen.length > 0 ? chosen : [from[0] as V];
  }

  #item(table: string): AttributeMap {
    const item: { [name: string]: AttributeValue } = { ...this.#key(table) };
    if (this.#chance(60)) item.G1 = { S: this.#random.pick(['g', 'h']) };
    if (this.#chance(60)) item.score = { N: this.#number() };
    if (this.#chance(60)) item.phase = { S: this.#random.pick(['open', 'done']) };
    if (this.#chance(50)) item.note = { S: this.#word() };
    if (this.#chance(40)) item.tags = { SS: this.#some(['a', 'b', 'c', 'ü']) };
    if (this.#chance(40)) item.steps = { L: [this.#value(1), { N: this.#number() }] };
    if (this.#chance(40)) item.doc = { M: { x: this.#value(1), y: { N: this.#number() } } };
    if (this.#chance(50)) item.body = { S: 'x'.repeat(this.#random.pick([10, 700, 1_500, 5_000, 9_000])) };
    if (this.#chance(30)) item.extra = this.#value();
    if (this.#chance(2)) item.score = { S: 'not a number' };
    if (this.#chance(1)) item.body = { S: 'x'.repeat(409_600) };
    if (this.#chance(1))
      item.extra = this.#random.pick<AttributeValue>([{ SS: [] }, { N: 'abc' }, {}, { SS: ['a', 'a'] }]);
    return item;
  }

  #name(attribute: string, names: Names): string {
    if (this.#chance(60)) return attribute;
    const placeholder = `#n${this.#placeholder++}`;
    names[placeholder] = attribute;
    return placeholder;
  }

  #bind(value: AttributeValue, values: Values): string {
    const placeholder = `:v${this.#placeholder++}`;
    values[placeholder] = value;
    return placeholder;
  }

  #path(names: Names): string {
    const path = this.#random.pick([
      'note',
      'score',
      'G1',
      'note',
      'tags',
      'extra',
      'body',
      'steps',
      'steps[0]',
      'steps[1]',
      'doc.x',
      'doc.y',
      'missing',
    ]);
    return this.#pathTo(path, names);
  }

  /** A document path with its first name, now and then, behind a placeholder. */
  #pathTo(path: string, names: Names): string {
    const [first = '', ...rest] = path.split(/(?=[.[])/);
    return this.#name(first, names) + rest.join('');
  }

  #predicate(names: Names, values: Values): string {
    const path = this.#path(names);
    const bind = (value: AttributeValue) => this.#bind(value, values);
    switch (this.#random.int(11)) {
      case 0:
        return `attribute_exists(${path})`;
      case 1:
        return `attribute_not_exists(${path})`;
      case 2:
        return `attribute_type(${path}, ${bind({ S: this.#random.pick(['S', 'N', 'L', 'M', 'SS', 'BOOL']) })})`;
      case 3:
        return `begins_with(${path}, ${bind({ S: this.#word() })})`;
      case 4:
        return `contains(${path}, ${bind(this.#random.pick<AttributeValue>([{ S: 'a' }, { N: '1' }, { S: 'ü' }]))})`;
      case 5:
        return `size(${path}) ${this.#random.pick(['<', '>', '=', '>='])} ${bind({ N: this.#random.pick(['1', '2', '3', '10']) })}`;
      case 6:
        return `${path} BETWEEN ${bind({ N: '1' })} AND ${bind({ N: '10' })}`;
      case 7:
        return `${path} IN (${bind({ S: 'a' })}, ${bind({ N: '2.5' })}, ${bind({ S: 'b' })})`;
      case 8:
        return `${path} <> ${bind(this.#value(1))}`;
      case 9:
        return `${path} ${this.#random.pick(['<', '<=', '>', '>='])} ${bind(this.#random.pick<AttributeValue>([{ S: this.#word() }, { N: this.#number() }]))}`;
      default:
        return `${path} = ${bind(this.#value(1))}`;
    }
  }

  #condition(): Fragment {
    const names: Names = {};
    const values: Values = {};
    let text = this.#predicate(names, values);
    if (this.#chance(30))
      text = `${text} ${this.#random.pick(['AND', 'OR'])} ${this.#predicate(names, values)}`;
    if (this.#chance(15)) text = `NOT (${text})`;
    if (this.#chance(10)) text = `(${text}) OR ${this.#predicate(names, values)}`;
    if (this.#chance(2))
      text = this.#random.pick([
        `${text} AND`,
        'size(note)',
        `${text} = :unbound`,
        'note == score',
        'status = note',
        '',
      ]);
    if (this.#chance(1)) values[':unused'] = { S: 'x' };
    return { text, names, values };
  }

  #bound(names: Names, values: Values) {
    return {
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    };
  }

  #conditional(chance = 35) {
    if (!this.#chance(chance)) return {};
    const { text, names, values } = this.#condition();
    const returns = this.#chance(50) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } : {};
    return { ConditionExpression: text, ...returns, ...this.#bound(names, values) };
  }

  #put() {
    const table = this.#table();
    return { TableName: table, Item: this.#item(table), ...this.#conditional() };
  }

  #remove() {
    const table = this.#table();
    return { TableName: table, Key: this.#key(table), ...this.#conditional() };
  }

  #get() {
    const table = this.#table();
    return { TableName: table, Key: this.#key(table), ...this.#projected() };
  }

  #projected() {
    if (!this.#chance(30)) return {};
    const names: Names = {};
    const paths = Array.from({ length: 1 + this.#random.int(3) }, () => this.#path(names));
    return { ProjectionExpression: paths.join(', '), ...this.#bound(names, {}) };
  }

  #update(isTransacted = false) {
    const table = this.#table();
    const names: Names = {};
    const values: Values = {};
    const sections: string[] = [];
    const bind = (value: AttributeValue) => this.#bind(value, values);
    const free = [
      'note',
      'score',
      'G1',
      'phase',
      'tags',
      'extra',
      'body',
      'steps[0]',
      'steps[1]',
      'doc.x',
      'doc.y',
      'fresh',
    ];
    const take = (): Target => {
      const attribute = free.splice(this.#random.int(free.length), 1)[0] ?? 'last';
      return { attribute, path: this.#pathTo(attribute, names) };
    };
    if (isTransacted || this.#chance(70)) sections.push(`SET ${this.#sets(take, bind).join(', ')}`);
    if (this.#chance(25)) sections.push(`REMOVE ${take().path}`);
    if (this.#chance(20))
      sections.push(
        `ADD ${take().path} ${bind(this.#random.pick<AttributeValue>([{ N: '1' }, { N: '-2.5' }, { SS: ['a', 'd'] }, { NS: ['1'] }]))}`,
      );
    if (this.#chance(10)) sections.push(`DELETE tags ${bind({ SS: ['a', 'b'] })}`);
    const isBroken = !isTransacted && this.#chance(2);
    if (isBroken) sections.push(this.#random.pick(['SET PK = :x', 'SET', 'FOO bar', 'REMOVE SK']));
    // Not both: which of two mistakes is told first is nowhere documented.
    const condition = !isBroken && this.#chance(30) ? this.#condition() : undefined;
    return {
      TableName: table,
      Key: this.#key(table),
      ...(sections.length > 0 && { UpdateExpression: sections.join(' ') }),
      ...(condition && { ConditionExpression: condition.text }),
      ...(condition && this.#chance(50) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
      ...this.#bound({ ...names, ...condition?.names }, { ...values, ...condition?.values }),
    };
  }

  #sets(take: () => Target, bind: (value: AttributeValue) => string): string[] {
    return Array.from({ length: 1 + this.#random.int(2) }, () => {
      const { path, attribute } = take();
      switch (this.#random.int(6)) {
        case 0:
          return `${path} = if_not_exists(${this.#random.pick(['score', 'note', 'absent'])}, ${bind(this.#plainValueFor(attribute))})`;
        case 1:
          return `${path} = score ${this.#random.pick(['+', '-'])} ${bind({ N: this.#number() })}`;
        case 2:
          return `${path} = list_append(steps, ${bind({ L: [{ S: 'more' }] })})`;
        case 3:
          return `${path} = ${this.#random.pick(['note', 'score', 'steps[0]', 'absent'])}`;
        default:
          return `${path} = ${bind(this.#plainValueFor(attribute))}`;
      }
    });
  }

  /** A value that mostly suits an attribute which is an index key. */
  #plainValueFor(attribute: string): AttributeValue {
    if (this.#chance(5)) return this.#value();
    if (attribute === 'score') return { N: this.#number() };
    if (attribute === 'phase') return { S: this.#random.pick(['open', 'done']) };
    if (attribute === 'G1') return { S: this.#random.pick(['g', 'h']) };
    if (attribute === 'note') return { S: this.#word() };
    if (attribute === 'body') return { S: 'y'.repeat(this.#random.pick([10, 1_500, 5_000])) };
    return this.#value();
  }

  #query(): Request {
    const names: Names = {};
    const values: Values = {};
    const index = this.#random.pick([undefined, undefined, 'all', 'keys', 'some', 'byScore', 'byNote']);
    const isPlain = index === undefined && this.#chance(15);
    const [partition, sort] = this.#keyTerms(index, isPlain, names, values);
    const filter = this.#chance(30) ? this.#condition() : undefined;
    const projected = this.#projectedForRead(names);
    const isGlobal = index === 'all' || index === 'keys' || index === 'some';
    return {
      api: 'Query',
      input: {
        TableName: isPlain ? this.#plain : this.#indexed,
        ...(index && { IndexName: this.#chance(1) ? 'nope' : index }),
        KeyConditionExpression: sort === undefined ? partition : `${partition} AND ${sort}`,
        ...(filter && { FilterExpression: filter.text }),
        ...projected,
        ...(this.#chance(40) && { Limit: 1 + this.#random.int(4) }),
        ...(this.#chance(40) && { ScanIndexForward: this.#chance(30) }),
        ...((!isGlobal || this.#chance(3)) && this.#consistent()),
        ...this.#bound({ ...names, ...filter?.names }, { ...values, ...filter?.values }),
        ...this.#accounted(),
      },
    };
  }

  #projectedForRead(names: Names) {
    if (this.#chance(20)) {
      const paths = [...new Set(Array.from({ length: 1 + this.#random.int(2) }, () => this.#path(names)))];
      return { ProjectionExpression: paths.join(', ') };
    }
    if (!this.#chance(25)) return {};
    return {
      Select: this.#random.pick(['COUNT', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'] as const),
    };
  }

  #keyTerms(
    index: string | undefined,
    isPlain: boolean,
    names: Names,
    values: Values,
  ): readonly [string, string | undefined] {
    const bind = (value: AttributeValue) => this.#bind(value, values);
    if (isPlain) return [`id = ${bind({ N: this.#random.pick(['1', '2', '9']) })}`, undefined];
    const partitionName = index === 'all' ? 'G1' : index === 'keys' || index === 'some' ? 'phase' : 'PK';
    const partitionValue = { G1: ['g', 'h'], phase: ['open', 'done'], PK: ['p', 'q', 'r'] }[partitionName];
    const partition = `${this.#name(partitionName, names)} = ${bind({ S: this.#random.pick(partitionValue) })}`;
    if (index === 'keys' || !this.#chance(60)) return [partition, undefined];
    const sortName = index === 'all' || index === 'byScore' ? 'score' : index === 'byNote' ? 'note' : 'SK';
    const value = (): AttributeValue => (sortName === 'score' ? { N: this.#number() } : { S: this.#word() });
    const path = this.#name(sortName, names);
    switch (this.#random.int(sortName === 'score' ? 3 : 4)) {
      case 0:
        return [partition, `${path} ${this.#random.pick(['=', '<', '<=', '>', '>='])} ${bind(value())}`];
      case 1:
      case 2:
        return [partition, `${path} BETWEEN ${bind(value())} AND ${bind(value())}`];
      default:
        return [partition, `begins_with(${path}, ${bind({ S: this.#random.pick(['a', 'b#', 'b']) })})`];
    }
  }

  #scan(): Request {
    const names: Names = {};
    const isPlain = this.#chance(20);
    const filter = this.#chance(40) ? this.#condition() : undefined;
    const projected = this.#projectedForRead(names);
    return {
      api: 'Scan',
      input: {
        TableName: isPlain ? this.#plain : this.#indexed,
        ...(!isPlain &&
          this.#chance(40) && { IndexName: this.#random.pick(['all', 'keys', 'some', 'byScore']) }),
        ...(filter && { FilterExpression: filter.text }),
        ...projected,
        ...this.#bound({ ...names, ...filter?.names }, filter?.values ?? {}),
        ...this.#accounted(),
      },
    };
  }

  #batchGet(): Request {
    const table = this.#table();
    const keys = Array.from({ length: 1 + this.#random.int(4) }, () => this.#key(table));
    const distinct = this.#chance(5) ? keys : distinctBy(keys);
    return {
      api: 'BatchGetItem',
      input: {
        RequestItems: { [table]: { Keys: distinct, ...this.#consistent(), ...this.#projected() } },
        ...this.#accounted(),
      },
    };
  }

  #batchWrite(): Request {
    const table = this.#table();
    const keyNames = table === this.#plain ? ['id'] : ['PK', 'SK'];
    const items = Array.from({ length: 1 + this.#random.int(4) }, () => this.#item(table));
    const keyOf = (item: AttributeMap) =>
      Object.fromEntries(keyNames.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
    const distinct = this.#chance(5) ? items : distinctBy(items, keyOf);
    const writes: WriteRequest[] = distinct.map((item) =>
      this.#chance(30) ? { DeleteRequest: { Key: keyOf(item) } } : { PutRequest: { Item: item } },
    );
    return { api: 'BatchWriteItem', input: { RequestItems: { [table]: writes }, ...this.#accounted() } };
  }

  #transactGet(): Request {
    const gets = Array.from({ length: 1 + this.#random.int(3) }, () => ({ Get: this.#get() }));
    return { api: 'TransactGetItems', input: { TransactItems: gets, ...this.#accounted() } };
  }

  #transactWrite(): Request {
    const actions: TransactWriteItem[] = Array.from({ length: 1 + this.#random.int(3) }, () => {
      const roll = this.#random.int(4);
      if (roll === 0) return { Put: this.#put() };
      if (roll === 1) {
        const update = this.#update(true);
        return { Update: { UpdateExpression: 'REMOVE gone', ...update } };
      }
      if (roll === 2) return { Delete: this.#remove() };
      const { TableName, Key } = this.#remove();
      const { text, names, values } = this.#condition();
      return { ConditionCheck: { TableName, Key, ConditionExpression: text, ...this.#bound(names, values) } };
    });
    return { api: 'TransactWriteItems', input: { TransactItems: actions, ...this.#accounted() } };
  }
}

function distinctBy<V>(values: readonly V[], keyOf: (value: V) => unknown = (value) => value): V[] {
  const byKey = new Map(values.map((value) => [JSON.stringify(keyOf(value)), value]));
  return [...byKey.values()];
}
