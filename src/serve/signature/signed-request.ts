// A request as its signature sees it: method, path, query and headers, in the canonical form of Signature
// Version 4. Headers may come in any order and any case.
// @see "Create a signed AWS API request",
//   https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html, read 2026-11-30
import { hash } from 'node:crypto';
import { canonicalPath } from '../../http/sigv4.ts';
import type { HttpRequest } from '../wire/server-connection.ts';

export class SignedRequest {
  readonly #method: string;
  readonly #path: string;
  readonly #body: Buffer;
  readonly #query: readonly (readonly [name: string, value: string])[];
  readonly #headers = new Map<string, string>();

  constructor({ head, body }: HttpRequest) {
    this.#method = head.method;
    this.#body = body;
    const queryAt = head.path.indexOf('?');
    this.#path = queryAt < 0 ? head.path : head.path.slice(0, queryAt);
    this.#query = queryAt < 0 ? [] : pairsOf(head.path.slice(queryAt + 1));
    for (const line of head.text.split('\r\n').slice(1)) {
      const colonAt = line.indexOf(':');
      const name = line.slice(0, colonAt).toLowerCase();
      const value = line
        .slice(colonAt + 1)
        .trim()
        .replace(/[ \t]+/g, ' ');
      const before = this.#headers.get(name);
      this.#headers.set(name, before === undefined ? value : `${before},${value}`);
    }
  }

  /** A header, with one space where there were several; undefined where there is none. */
  header(name: string): string | undefined {
    return this.#headers.get(name);
  }

  /** Names of all headers, in small letters. */
  headerNames(): Iterable<string> {
    return this.#headers.keys();
  }

  /** A parameter of the query string, decoded; undefined where there is none. */
  parameter(wanted: string): string | undefined {
    return this.#query.find(([name]) => name === wanted)?.[1];
  }

  /** The canonical request, of which the digest is signed. @param signedNames  in the order of the signature */
  canonical(signedNames: readonly string[]): string {
    const query = this.#query
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&');
    const headers = signedNames.map((name) => `${name}:${this.#headers.get(name) ?? ''}\n`).join('');
    const bodyHash = hash('sha256', this.#body, 'hex');
    const names = signedNames.join(';');
    return `${this.#method}\n${canonicalPath(this.#path)}\n${query}\n${headers}\n${names}\n${bodyHash}`;
  }
}

function pairsOf(query: string): (readonly [string, string])[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    });
}

/** What cannot be decoded stays as it is: its signature will not match. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encoded(text: string): string {
  // A lone half of a surrogate pair cannot be encoded; it cannot have been decoded from anything either.
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
