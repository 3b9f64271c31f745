// Tokens of a text, read from left to right: what readers of expressions and of statements have in common. Errors
// are theirs, as DynamoDB has other words for each language.

/** What every kind of token tells. */
export interface ReadableToken {
  readonly kind: string;
  readonly text: string;
}

/** A place in a list of tokens whose last one is the end. */
export class TokenCursor<T extends ReadableToken> {
  protected readonly tokens: readonly T[];
  #at = 0;

  constructor(tokens: readonly T[]) {
    this.tokens = tokens;
  }

  /** How many tokens were taken so far. */
  get position(): number {
    return this.#at;
  }

  /** A token that is to come; behind the end comes the end. */
  peek(ahead = 0): T {
    const last = this.tokens.length - 1;
    return this.tokens[Math.min(this.#at + ahead, last)] as T; // There is always the one at the end.
  }

  /** The next token, whatever it is. */
  take(): T {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Whether a symbol comes next. */
  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.text === symbol;
  }

  /** Takes a symbol if it comes next. */
  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#at++;
    return true;
  }

  /** Whether a keyword comes next, in any mix of cases. */
  isKeyword(keyword: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'name' && token.text.toUpperCase() === keyword;
  }

  /** Takes a keyword if it comes next. */
  takeKeyword(keyword: string): boolean {
    if (!this.isKeyword(keyword)) return false;
    this.#at++;
    return true;
  }
}
