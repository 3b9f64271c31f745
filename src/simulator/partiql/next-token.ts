// Where a page of a SELECT ended, as a text that clients hand back: the query among several, and the key
// behind which it goes on. A token belongs to its statement.
import { validationError } from '../../dynamodb/api-error.ts';
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import { decodeBase64, encodeBase64 } from '../../dynamodb/base64.ts';
import type { ExecuteStatementInput } from '../../dynamodb/operation.ts';
import { hashText } from '../../prng.ts';

/** The place where a page begins. */
export interface PageStart {
  /** Which of the statement's queries; 0 where it is a scan. */
  readonly query: number;
  /** Absent: at its beginning. */
  readonly key?: AttributeMap;
}

/** The token from which the same statement goes on. */
export function nextToken(input: ExecuteStatementInput, { query, key }: PageStart): string {
  const text = JSON.stringify([fingerprint(input), query, ...(key ? [key] : [])]);
  return encodeBase64(Uint8Array.from(escaped(text), (character) => character.charCodeAt(0)));
}

/**
 * Where a request goes on; at the beginning where it has no token.
 * @throws ApiError ValidationException for a token that is none of ours, or of another statement
 */
export function pageStart(input: ExecuteStatementInput): PageStart {
  if (input.NextToken === undefined) return { query: 0 };
  const [mark, query, key] = contentOf(input.NextToken);
  if (mark !== fingerprint(input) || typeof query !== 'number' || !(query >= 0)) throw invalid();
  if (key === undefined) return { query };
  if (typeof key !== 'object' || key === null || Array.isArray(key)) throw invalid();
  return { query, key: key as AttributeMap }; // Checked as any starting key is.
}

function contentOf(token: string): readonly unknown[] {
  const bytes = decodeBase64(token);
  if (bytes === undefined) throw invalid();
  try {
    const content = JSON.parse(String.fromCharCode(...bytes)) as unknown;
    if (Array.isArray(content)) return content as readonly unknown[];
  } catch {
    // Not JSON: none of ours.
  }
  throw invalid();
}

function invalid(): Error {
  return validationError('Invalid NextToken');
}

/** Limit and consistency may change from page to page, what is asked may not. */
function fingerprint({ Statement, Parameters }: ExecuteStatementInput): number {
  return hashText(JSON.stringify([Statement, Parameters ?? []]), 1);
}

/** JSON in ASCII. */
function escaped(text: string): string {
  return text.replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
