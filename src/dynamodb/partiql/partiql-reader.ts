// Reads the tokens of a statement from left to right: keywords, symbols, names, and how many parameters were met.
import type { ApiError } from '../api-error.ts';
import { TokenCursor } from '../token-cursor.ts';
import { type PartiqlToken, tokenizePartiql } from './lexer.ts';
import { malformed } from './malformed.ts';
import type { PartiqlPath, Parameter } from './syntax-tree.ts';

/**
 * Words that are no names unless they are quoted. PartiQL reserves some 200; these are those without which a
 * statement could be read in two ways.
 */
const reserved: ReadonlySet<string> = new Set(
  'SELECT FROM WHERE AND OR NOT IN BETWEEN IS ORDER BY INSERT INTO VALUE UPDATE SET REMOVE DELETE RETURNING NULL MISSING TRUE FALSE AS'.split(
    ' ',
  ),
);

/** Brackets within brackets; items nest 32 levels, and hostile statements must not exhaust the stack. */
const MAX_DEPTH = 100;

/** Reads one statement. Every error is a ValidationException in the words of the service. */
export class PartiqlReader extends TokenCursor<PartiqlToken> {
  #depth = 0;
  #parameters = 0;

  /** @throws ApiError ValidationException */
  constructor(statement: string) {
    super(tokenizePartiql(statement));
  }

  get parameterCount(): number {
    return this.#parameters;
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.expected(`'${symbol}'`);
  }

  expectKeyword(keyword: string): void {
    if (!this.takeKeyword(keyword)) throw this.expected(keyword);
  }

  /** Takes the first of some keywords that comes next. */
  takeOneOf<K extends string>(keywords: readonly K[]): K | undefined {
    return keywords.find((keyword) => this.takeKeyword(keyword));
  }

  /** The error of a token that is not what must come here. */
  expected(what: string): ApiError {
    const { kind, text } = this.peek();
    return malformed(
      kind === 'end' ? `Expected ${what}` : `Expected ${what} but got '${text.slice(0, 100)}'`,
    );
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw malformed('Unexpected token after expression');
  }

  /** Whether a name comes next: quoted, or bare and not reserved. */
  isName(ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'quotedName' || (kind === 'name' && !reserved.has(text.toUpperCase()));
  }

  name(what: string): string {
    if (!this.isName() || this.peek().text === '') throw this.expected(what);
    return this.take().text;
  }

  /** Whether a function is called next: a bare name and a bracket. */
  isCall(): boolean {
    return this.peek().kind === 'name' && this.isSymbol('(', 1);
  }

  /** Reads a path such as `a."b"[3].c`. */
  path(): PartiqlPath {
    const parts: [string, ...(string | number)[]] = [this.name('an attribute')];
    for (;;) {
      if (this.takeSymbol('.')) {
        if (!this.isName()) throw malformed('Invalid path dot component');
        parts.push(this.take().text);
      } else if (this.takeSymbol('[')) {
        const { kind, text } = this.take();
        if (kind !== 'number' || !/^\d+$/.test(text)) throw malformed('Invalid path component');
        parts.push(Number(text));
        this.expectSymbol(']');
      } else return { kind: 'path', parts };
    }
  }

  /** Takes a `?` if one comes next. */
  takeParameter(): Parameter | undefined {
    return this.takeSymbol('?') ? { kind: 'parameter', index: this.#parameters++ } : undefined;
  }

  /** Reads something within brackets. @throws ApiError where they nest too deeply */
  nested<V>(read: () => V): V {
    if (this.#depth >= MAX_DEPTH) throw malformed('Expressions nest too deeply');
    this.#depth++;
    const value = read();
    this.#depth--;
    return value;
  }

  /** Reads a list with commas up to a closing symbol, which is taken. */
  listUntil<V>(closing: string, read: () => V): V[] {
    const values: V[] = [];
    if (this.takeSymbol(closing)) return values;
    do values.push(this.nested(read));
    while (this.takeSymbol(','));
    this.expectSymbol(closing);
    return values;
  }
}
