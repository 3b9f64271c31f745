// Random requests of PartiQL over the tables of random-requests.ts: few keys, so that they meet; all three
// APIs; literals and parameters; and now and then a mistake. A function of the seed alone.
import type { AttributeValue } from '../../src/dynamodb/attribute-value.ts';
import type {
  ExecuteStatementInput,
  ParameterizedStatement,
  PartiqlRequest,
} from '../../src/dynamodb/operation.ts';
import type { TableSpec } from '../../src/dynamodb/table-spec.ts';
import { CounterRandom, streamKey } from '../../src/prng.ts';

const accounted = { ReturnConsumedCapacity: 'INDEXES' } as const;

/** A key of the table with indexes, as conditions on it. */
interface Key {
  readonly partition: string;
  readonly sort: string;
}

export class RandomStatements {
  readonly #random: CounterRandom;
  readonly #indexed: string;
  readonly #plain: string;
  readonly #seed: number;
  #parameters: AttributeValue[] = [];
  #token = 0;
  #repeatable: PartiqlRequest | undefined;

  constructor(seed: number, [indexed, plain]: readonly [TableSpec, TableSpec]) {
    this.#seed = seed;
    this.#random = new CounterRandom(streamKey(seed, 'differential-partiql'));
    this.#indexed = `"${indexed.tableName}"`;
    this.#plain = `"${plain.tableName}"`;
  }

  next(): PartiqlRequest {
    const roll = this.#random.int(100);
    if (roll < 20) return this.#single(() => this.#insert());
    if (roll < 38) return this.#single(() => this.#update(this.#key(), true));
    if (roll < 46) return this.#single(() => this.#delete(this.#key(), true));
    if (roll < 74) return this.#single(() => this.#select(), this.#readOptions());
    if (roll < 78) return this.#single(() => this.#mistake());
    if (roll < 83) return this.#batchOf((key) => this.#selectItem(key));
    if (roll < 90) return this.#batchOf((key) => this.#write(key, true));
    return this.#transaction();
  }

  #chance(outOf100: number): boolean {
    return this.#random.int(100) < outOf100;
  }

  /** A statement with the parameters that it has come to hold. */
  #stated(text: () => string): ParameterizedStatement {
    this.#parameters = [];
    const Statement = text();
    return { Statement, ...(this.#parameters.length > 0 && { Parameters: this.#parameters }) };
  }

  #single(text: () => string, options: Partial<ExecuteStatementInput> = {}): PartiqlRequest {
    return { api: 'ExecuteStatement', input: { ...this.#stated(text), ...options, ...accounted } };
  }

  #readOptions() {
    return {
      ...(this.#chance(30) && { ConsistentRead: true }),
      ...(this.#chance(40) && { Limit: 1 + this.#random.int(3) }),
    };
  }

  #keys(): readonly Key[] {
    const wanted = 1 + this.#random.int(4);
    const keys = Array.from({ length: wanted }, () => this.#key());
    if (this.#chance(5)) return keys; // Perhaps with repetitions.
    return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  }

  #batchOf(text: (key: Key) => string): PartiqlRequest {
    const Statements = this.#keys().map((key) => ({
      ...this.#stated(() => text(key)),
      ...(this.#chance(20) && { ConsistentRead: true }),
    }));
    if (this.#chance(5)) Statements.push(this.#stated(() => `INSERT INTO "no-such-table" VALUE {'PK': 'p'}`));
    return { api: 'BatchExecuteStatement', input: { Statements, ...accounted } };
  }

  /** Now and then the last one with a token once more. */
  #transaction(): PartiqlRequest {
    if (this.#repeatable !== undefined && this.#chance(40)) return this.#repeatable;
    const isRead = this.#chance(35);
    const TransactStatements = this.#keys().map((key) =>
      this.#stated(() => (isRead ? this.#selectItem(key) : this.#write(key, false))),
    );
    const input = { TransactStatements, ...accounted };
    if (isRead || this.#chance(60)) return { api: 'ExecuteTransaction', input };
    const ClientRequestToken = `token-${this.#seed}-${this.#token++}`;
    this.#repeatable = { api: 'ExecuteTransaction', input: { ...input, ClientRequestToken } };
    return this.#repeatable;
  }

  #write(key: Key, mayReturn: boolean): string {
    const roll = this.#random.int(10);
    if (roll < 4) return this.#insert(key);
    return roll < 8 ? this.#update(key, mayReturn) : this.#delete(key, mayReturn);
  }

  #key(): Key {
    return {
      partition: this.#random.pick(['p', 'q', 'r']),
      sort: this.#random.pick(['a', 'b', 'ab', "it's", 'ü']),
    };
  }

  #number(): string {
    return this.#random.pick(['0', '1', '2', '3', '-4', '1.5', '2.50', '100', '120']);
  }

  /** A value as a literal, or behind a parameter. */
  #value(value: AttributeValue): string {
    if (this.#chance(50)) return literal(value);
    this.#parameters.push(value);
    return '?';
  }

  #scalar(): AttributeValue {
    return this.#random.pick<AttributeValue>([
      { S: this.#random.pick(['a', 'b', "it's", '']) },
      { N: this.#number() },
      { BOOL: this.#chance(50) },
      { NULL: true },
    ]);
  }

  #members(key: Key): readonly (readonly [string, AttributeValue])[] {
    const members: [string, AttributeValue][] = [
      ['PK', { S: key.partition }],
      ['SK', { S: key.sort }],
    ];
    const maybe = (chance: number, name: string, value: AttributeValue) => {
      if (this.#chance(chance)) members.push([name, value]);
    };
    maybe(60, 'G1', { S: this.#random.pick(['g', 'h']) });
    maybe(60, 'score', { N: this.#number() });
    maybe(60, 'phase', { S: this.#random.pick(['open', 'done']) });
    maybe(50, 'note', { S: this.#random.pick(['n', 'nn', "n's"]) });
    maybe(40, 'tags', { SS: this.#random.pick([['a'], ['a', 'b'], ['c', 'd']]) });
    maybe(40, 'steps', { L: [this.#scalar(), { N: this.#number() }] });
    maybe(40, 'doc', { M: { x: this.#scalar(), y: { N: this.#number() } } });
    maybe(50, 'body', { S: 'x'.repeat(this.#random.pick([10, 700, 1_500, 5_000])) });
    return members;
  }

  #insert(key = this.#key()): string {
    if (this.#chance(15)) {
      const id = this.#random.pick(['1', '2', '3']);
      return `INSERT INTO ${this.#plain} VALUE {'id': ${this.#value({ N: id })}, 'note': ${this.#value(this.#scalar())}}`;
    }
    // Long texts as parameters: a statement has 8,192 characters.
    const members = this.#members(key).map(([name, value]) => `'${name}': ${this.#member(name, value)}`);
    return `INSERT INTO ${this.#indexed} VALUE {${members.join(', ')}}`;
  }

  #member(name: string, value: AttributeValue): string {
    if (name !== 'body') return this.#value(value);
    this.#parameters.push(value);
    return '?';
  }

  #keyTerms({ partition, sort }: Key): string {
    return `PK = ${this.#value({ S: partition })} AND SK = ${this.#value({ S: sort })}`;
  }

  #condition(): string {
    const one = this.#predicate();
    if (!this.#chance(25)) return this.#chance(15) ? `NOT (${one})` : one;
    return this.#chance(50) ? `(${one} OR ${this.#predicate()})` : `${one} AND ${this.#predicate()}`;
  }

  #predicate(): string {
    const path = this.#random.pick(['note', 'score', 'phase', 'doc.x', 'doc.y', 'absent']);
    const value = () => this.#value({ N: this.#number() });
    switch (this.#random.int(9)) {
      case 0:
        return `${path} IS MISSING`;
      case 1:
        return `${path} IS NOT MISSING`;
      case 2:
        return `begins_with(note, ${this.#value({ S: 'n' })})`;
      case 3:
        return `score BETWEEN -5 AND ${value()}`;
      case 4:
        return `score IN [${value()}, ${value()}]`;
      case 5:
        return `contains(tags, ${this.#value({ S: 'a' })})`;
      case 6:
        // Of what is missing the two say different things, and no capture decides.
        return `${path} <> ${value()} AND ${path} IS NOT MISSING`;
      default:
        return `${path} ${this.#random.pick(['=', '<', '<=', '>', '>='])} ${value()}`;
    }
  }

  #update(key: Key, mayReturn: boolean): string {
    const { text, needs } = this.#change();
    const needed = needs === undefined ? '' : ` AND ${needs} IS NOT MISSING`;
    const keyed = this.#keyTerms(key);
    const where = keyed + needed + (this.#chance(30) ? ` AND ${this.#condition()}` : '');
    const returning =
      mayReturn && this.#chance(50)
        ? ` RETURNING ${this.#random.pick(['ALL', 'MODIFIED'])} ${this.#random.pick(['OLD', 'NEW'])} *`
        : '';
    return `UPDATE ${this.#indexed} ${text} WHERE ${where}${returning}`;
  }

  /** A clause, and the attribute without which it would be a mistake. */
  #change(): { readonly text: string; readonly needs?: string } {
    switch (this.#random.int(9)) {
      case 0:
        return {
          text: `SET score = score ${this.#random.pick(['+', '-'])} ${this.#value({ N: this.#number() })}`,
          needs: 'score',
        };
      case 1:
        return {
          text: `SET steps = list_append(steps, ${this.#value({ L: [{ S: 'more' }] })})`,
          needs: 'steps',
        };
      case 2:
        return { text: `SET doc.y = ${this.#value({ N: this.#number() })}`, needs: 'doc' };
      case 3:
        return { text: `REMOVE ${this.#random.pick(['note', 'G1', 'body', 'phase'])}` };
      case 4: {
        const phase = this.#value({ S: this.#random.pick(['open', 'done']) });
        return { text: `SET phase = ${phase}, fresh = ${this.#value(this.#scalar())}` };
      }
      case 5:
        return { text: `SET score = ${this.#value({ N: this.#number() })}` };
      case 6:
        this.#parameters.push({ S: 'y'.repeat(this.#random.pick([10, 1_500, 5_000])) });
        return { text: 'SET body = ?' };
      default:
        return { text: `SET note = ${this.#value({ S: this.#random.pick(['n', 'm', "n's"]) })}` };
    }
  }

  #delete(key: Key, mayReturn: boolean): string {
    const where = this.#keyTerms(key) + (this.#chance(40) ? ` AND ${this.#condition()}` : '');
    return `DELETE FROM ${this.#indexed} WHERE ${where}${mayReturn && this.#chance(50) ? ' RETURNING ALL OLD *' : ''}`;
  }

  #paths(): string {
    if (this.#chance(50)) return '*';
    const some = ['PK', 'SK', 'score', 'note', 'doc.x', 'steps[0]', 'absent'].filter(() => this.#chance(40));
    return some.length === 0 ? 'SK' : some.join(', ');
  }

  #selectItem(key: Key): string {
    return `SELECT ${this.#paths()} FROM ${this.#indexed} WHERE ${this.#keyTerms(key)}`;
  }

  #select(): string {
    if (this.#chance(20)) {
      const item = this.#selectItem(this.#key());
      return this.#chance(30) ? `${item} AND ${this.#condition()}` : item;
    }
    if (this.#chance(25)) {
      const where = this.#chance(60) ? ` WHERE ${this.#condition()}` : '';
      return `SELECT ${this.#paths()} FROM ${this.#random.pick([this.#indexed, this.#indexed, this.#plain])}${where}`;
    }
    return this.#query();
  }

  #query(): string {
    const index = this.#random.pick([undefined, undefined, 'all', 'keys', 'some', 'byScore', 'byNote']);
    const [name, values] =
      index === 'all'
        ? (['G1', ['g', 'h']] as const)
        : index === 'keys' || index === 'some'
          ? (['phase', ['open', 'done']] as const)
          : (['PK', ['p', 'q', 'r']] as const);
    const terms = [`${name} = ${this.#value({ S: this.#random.pick<string>(values) })}`];
    if (this.#chance(50)) terms.push(...this.#sortTerm(index));
    if (this.#chance(25)) terms.push(this.#condition());
    // What a global index does not hold cannot be asked for.
    const paths = index === 'keys' || index === 'some' ? this.#random.pick(['*', 'PK, SK']) : this.#paths();
    const from = index === undefined ? this.#indexed : `${this.#indexed}."${index}"`;
    const order =
      index === undefined && this.#chance(30) ? ` ORDER BY SK ${this.#random.pick(['ASC', 'DESC'])}` : '';
    return `SELECT ${paths} FROM ${from} WHERE ${terms.join(' AND ')}${order}`;
  }

  #sortTerm(index: string | undefined): readonly string[] {
    if (index === 'keys') return [];
    const name = index === 'all' || index === 'byScore' ? 'score' : index === 'byNote' ? 'note' : 'SK';
    const value = (): AttributeValue =>
      name === 'score' ? { N: this.#number() } : { S: this.#random.pick(['a', 'b', 'n']) };
    if (name !== 'score' && this.#chance(30)) return [`begins_with(${name}, ${this.#value(value())})`];
    return [`${name} ${this.#random.pick(['=', '<', '<=', '>', '>='])} ${this.#value(value())}`];
  }

  #mistake(): string {
    return this.#random.pick([
      () => `UPDATE ${this.#indexed} SET note = 'x' WHERE PK = 'p'`,
      () => `DELETE FROM ${this.#indexed} WHERE SK = 'a'`,
      () => `INSERT INTO ${this.#indexed} VALUE {'PK': 'p'}`,
      () => `INSERT INTO ${this.#indexed} VALUE {'PK': 'p', 'SK': 1}`,
      () => `INSERT INTO ${this.#indexed} VALUE {'PK': 'p', 'SK': 'zz', 'score': 'none'}`,
      () => `SELECT * FROM "no-such-table" WHERE PK = 'p'`,
      () => `SELECT * FROM ${this.#indexed}."nope" WHERE PK = 'p'`,
      () => `SELECT * FROM ${this.#indexed} WHERE PK = ?`,
      () => `SELECT * FROM ${this.#indexed} WHERE`,
      () => `UPDATE ${this.#indexed} SET SK = 'x' WHERE PK = 'p' AND SK = 'a'`,
      () => `DELETE FROM ${this.#indexed} WHERE PK = 'p' AND SK = 'a' RETURNING ALL NEW *`,
      () => 'DROP TABLE t',
    ])();
  }
}

/** A value as PartiQL writes it. */
function literal(value: AttributeValue): string {
  if (value.S !== undefined) return `'${value.S.replaceAll("'", "''")}'`;
  if (value.N !== undefined) return value.N;
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.SS !== undefined) return `<<${value.SS.map((S) => literal({ S })).join(', ')}>>`;
  if (value.L !== undefined) return `[${value.L.map(literal).join(', ')}]`;
  if (value.M === undefined) return 'NULL';
  return `{${Object.entries(value.M)
    .map(([name, member]) => `'${name}': ${literal(member)}`)
    .join(', ')}}`;
}
