// The same statement of another table: scenarios name tables in their own words, targets in theirs.
import { type PartiqlToken, tokenizePartiql } from './lexer.ts';

/**
 * A statement with its table named otherwise. What is no statement comes back as it is.
 * @param nameOf  the other name; may throw
 * @throws ApiError ValidationException for a text that no statement may hold; whatever `nameOf` throws
 */
export function withTableNamed(statement: string, nameOf: (table: string) => string): string {
  const tokens = tokenizePartiql(statement);
  const table = tokens[tokens.findIndex(standsBeforeTable) + 1];
  if (table === undefined || !tokens.some(standsBeforeTable)) return statement;
  if (table.kind !== 'name' && table.kind !== 'quotedName') return statement;
  const name = `"${nameOf(table.text).replaceAll('"', '""')}"`;
  return statement.slice(0, table.start) + name + statement.slice(table.start + table.length);
}

/** The first of these words: none of them can be a name without quotes. */
function standsBeforeTable({ kind, text }: PartiqlToken): boolean {
  return kind === 'name' && ['FROM', 'INTO', 'UPDATE'].includes(text.toUpperCase());
}
