// Cuts the text of a PartiQL statement into tokens. Comments are dropped as white space is.
import { malformed } from './malformed.ts';

export interface PartiqlToken {
  /** `name`: bare; `quotedName`: in double quotes, never a keyword; `text`: in single quotes. */
  readonly kind: 'name' | 'quotedName' | 'text' | 'number' | 'symbol' | 'end';
  /** Names and texts without their quotes; `<EOF>` at the end. */
  readonly text: string;
  /** Place in the statement. */
  readonly start: number;
  readonly length: number;
}

const pattern =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|([A-Za-z_$][\w$]*)|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(<<|>>|<>|!=|<=|>=|[=<>()[\]{}.,:+*?-])/y;

const kinds = ['name', 'quotedName', 'text', 'number', 'symbol'] as const;
const quotes: Readonly<Record<string, string>> = { quotedName: '"', text: "'" };

/**
 * The tokens of a statement, with one of kind `end` behind them.
 * @throws ApiError ValidationException for what no statement may hold, an open quote or comment included
 */
export function tokenizePartiql(statement: string): readonly PartiqlToken[] {
  const tokens: PartiqlToken[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < statement.length) {
    const match = pattern.exec(statement);
    if (match === null) throw malformed('');
    const group = kinds.findIndex((_, index) => match[index + 1] !== undefined);
    const kind = kinds[group];
    if (kind === undefined) continue; // White space or a comment.
    const start = match.index;
    tokens.push({
      kind,
      text: unquoted(match[group + 1] ?? '', quotes[kind]),
      start,
      length: match[0].length,
    });
  }
  tokens.push({ kind: 'end', text: '<EOF>', start: statement.length, length: 0 });
  return tokens;
}

function unquoted(text: string, quote: string | undefined): string {
  return quote === undefined ? text : text.replaceAll(quote + quote, quote);
}
