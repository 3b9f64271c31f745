// Cuts the text of an expression into tokens. Whether a token may stand where it stands is the parsers'
// business.

export interface Token {
  /**
   * `name`: a bare attribute name, function or keyword; `unknown`: a character that no expression may hold.
   */
  readonly kind: 'name' | 'namePlaceholder' | 'valuePlaceholder' | 'number' | 'symbol' | 'unknown' | 'end';
  /** As written; `<EOF>` at the end. */
  readonly text: string;
  /** Place in the expression, end exclusive. */
  readonly start: number;
  readonly end: number;
}

const pattern =
  /([A-Za-z_][A-Za-z0-9_]*)|(#[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)|(\d+)|(<>|<=|>=|[=<>()[\].,+-])|(\S)/g;
const kinds = ['name', 'namePlaceholder', 'valuePlaceholder', 'number', 'symbol', 'unknown'] as const;

/** The tokens of a text, with one of kind `end` behind them. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    const kind = kinds.find((_, index) => match[index + 1] !== undefined) ?? 'unknown';
    tokens.push({ kind, text: match[0], start: match.index, end: match.index + match[0].length });
  }
  tokens.push({ kind: 'end', text: '<EOF>', start: text.length, end: text.length });
  return tokens;
}
