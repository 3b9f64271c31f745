// Reads the head of an HTTP/1.x answer: status, how the body ends, whether the connection lives on.
// @see RFC 9112 section 6.3, https://www.rfc-editor.org/rfc/rfc9112#section-6.3, read 2026-11-30

/** How the end of a body is known: by its length (0: none), by the last chunk, or by the connection closing. */
export type BodyEnd = number | 'chunked' | 'close';

/** What the head of an answer tells of its body and its connection. */
export interface ResponseHead {
  readonly status: number;
  readonly bodyEnd: BodyEnd;
  readonly isKeptAlive: boolean;
}

/**
 * The facts of a head (status line and header lines, without the blank line), or undefined where it is not
 * HTTP/1.x.
 */
export function readResponseHead(head: string): ResponseHead | undefined {
  const status = readStatus(head);
  if (status === undefined) return undefined;
  let bodyEnd: BodyEnd = 'close';
  let isKeptAlive = head.charCodeAt(7) !== 48;
  for (let end = head.indexOf('\r\n'); end >= 0; ) {
    const start = end + 2;
    end = head.indexOf('\r\n', start);
    const colonAt = head.indexOf(':', start);
    if (colonAt < 0 || (end >= 0 && colonAt > end)) return undefined;
    // Only three names matter. Telling them by length first keeps the common answer cheap.
    const length = colonAt - start;
    if (length === 14 && isNamed(head, start, 'content-length')) {
      const sizeBytes = readLength(lineValue(head, colonAt, end));
      if (sizeBytes === undefined || (typeof bodyEnd === 'number' && bodyEnd !== sizeBytes)) return undefined;
      if (bodyEnd !== 'chunked') bodyEnd = sizeBytes;
    } else if (length === 17 && isNamed(head, start, 'transfer-encoding')) {
      if (lineValue(head, colonAt, end).toLowerCase() !== 'chunked') return undefined;
      bodyEnd = 'chunked';
    } else if (length === 10 && isNamed(head, start, 'connection')) {
      isKeptAlive = readKeptAlive(lineValue(head, colonAt, end), isKeptAlive);
    }
  }
  if (status === 204 || status === 304 || status < 200) bodyEnd = 0;
  return { status, bodyEnd, isKeptAlive: isKeptAlive && bodyEnd !== 'close' };
}

function readStatus(head: string): number | undefined {
  return /^HTTP\/1\.[01] [1-9]\d\d(?: |\r|$)/.test(head) ? Number(head.slice(9, 12)) : undefined;
}

function isNamed(head: string, start: number, name: string): boolean {
  return head.slice(start, start + name.length).toLowerCase() === name;
}

function lineValue(head: string, colonAt: number, lineEnd: number): string {
  return head.slice(colonAt + 1, lineEnd < 0 ? undefined : lineEnd).trim();
}

function readLength(value: string): number | undefined {
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function readKeptAlive(value: string, isDefault: boolean): boolean {
  const options = value.toLowerCase();
  if (options.includes('close')) return false;
  return isDefault || options.includes('keep-alive');
}
