// Reads the head of an HTTP/1.x request: what is asked, how the body ends, whether the connection lives on.
// Anything that two readers could understand differently is refused, and so is what this server cannot do.
// @see RFC 9112 sections 3, 5 and 6, https://www.rfc-editor.org/rfc/rfc9112, and RFC 9110 sections 5.5, 8.4
//   and 10.1.1, https://www.rfc-editor.org/rfc/rfc9110, read 2026-11-30

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** `Host`; undefined where there is none, as in HTTP/1.0. */
  readonly host: string | undefined;
  /** `Origin`, which browsers send; undefined where there is none. */
  readonly origin: string | undefined;
  /** `x-amz-target`; undefined where there is none. */
  readonly target: string | undefined;
  readonly contentType: string | undefined;
  /** Bytes of the body, 0 where there is none; or that it comes in chunks. */
  readonly bodyEnd: number | 'chunked';
  readonly isKeptAlive: boolean;
  /** The client waits for leave to send its body. */
  readonly isAskingFirst: boolean;
  /** Request line and header lines as they came, one character for each byte. */
  readonly text: string;
}

/** Why a head cannot be understood. */
export interface HeadProblem {
  readonly problem: string;
  /** The head is well formed, but expects of the server what it does not do. */
  readonly isExpectation?: boolean;
}

const requestLine = /^([A-Z]{1,20}) (\S{1,8192}) HTTP\/1\.([01])$/;
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const wholeNumber = /^\d{1,15}$/;
/** A control character, or half of a line's end; neither may stand anywhere in a head. */
const stray = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;

/** Reads request line and header lines, without the blank line behind them. */
export function readRequestHead(text: string): RequestHead | HeadProblem {
  let end = text.indexOf('\r\n');
  const line = requestLine.exec(end < 0 ? text : text.slice(0, end));
  if (line === null) return { problem: 'the request line is malformed' };
  if (stray.test(text)) return { problem: 'there are control characters in its head' };
  const fields: Fields = {
    host: undefined,
    origin: undefined,
    target: undefined,
    contentType: undefined,
    length: undefined,
    isChunked: false,
    isKeptAlive: line[3] === '1',
    isAskingFirst: false,
    isUnmeetable: false,
  };
  while (end >= 0) {
    const start = end + 2;
    end = text.indexOf('\r\n', start);
    const problem = readField(text, start, end < 0 ? text.length : end, fields);
    if (problem !== undefined) return { problem };
  }
  if (fields.isUnmeetable)
    return { problem: 'the only expectation that is met is 100-continue', isExpectation: true };
  // Clients of HTTP/1.0 know nothing of hosts.
  if (fields.host === undefined && line[3] === '1') return { problem: 'the header Host is missing' };
  const { target, contentType, length, isChunked, isKeptAlive, isAskingFirst } = fields;
  if (isChunked && length !== undefined)
    return { problem: 'Content-Length and Transfer-Encoding contradict each other' };
  const bodyEnd = isChunked ? 'chunked' : (length ?? 0);
  // The pattern has these groups, so a match has them.
  const method = line[1] as string;
  return {
    method,
    path: line[2] as string,
    host: fields.host,
    origin: fields.origin,
    target,
    contentType,
    bodyEnd,
    // An answer to HEAD has no body; where one is sent all the same, no other answer may follow.
    isKeptAlive: isKeptAlive && method !== 'HEAD',
    isAskingFirst,
    text,
  };
}

/** What the lines read so far have said. */
interface Fields {
  host: string | undefined;
  origin: string | undefined;
  target: string | undefined;
  contentType: string | undefined;
  length: number | undefined;
  isChunked: boolean;
  isKeptAlive: boolean;
  isAskingFirst: boolean;
  isUnmeetable: boolean;
}

/**
 * Reads one line into `fields`; gives back what is wrong with it. Names are told apart by length first:
 * cheap.
 */
function readField(text: string, start: number, end: number, fields: Fields): string | undefined {
  const colonAt = text.indexOf(':', start);
  if (colonAt <= start || colonAt >= end) return 'a header line is malformed';
  const name = text.slice(start, colonAt);
  if (!fieldName.test(name)) return 'the name of a header is malformed';
  const valueOf = () => text.slice(colonAt + 1, end).trim();
  switch (name.length) {
    case 4:
      return isNamed(name, 'host') ? readOnce('host', valueOf(), fields) : undefined;
    case 6:
      if (isNamed(name, 'expect')) readExpectation(valueOf(), fields);
      else if (isNamed(name, 'origin')) return readOnce('origin', valueOf(), fields);
      return undefined;
    case 10:
      if (isNamed(name, 'connection')) fields.isKeptAlive = readKeptAlive(valueOf(), fields.isKeptAlive);
      return undefined;
    case 12:
      if (isNamed(name, 'x-amz-target')) return readOnce('target', valueOf(), fields);
      return isNamed(name, 'content-type') ? readOnce('contentType', valueOf(), fields) : undefined;
    case 14:
      return isNamed(name, 'content-length') ? readLength(valueOf(), fields) : undefined;
    case 16:
      return isNamed(name, 'content-encoding') ? readCoding(valueOf()) : undefined;
    case 17:
      return isNamed(name, 'transfer-encoding') ? readEncoding(valueOf(), fields) : undefined;
    default:
      return undefined;
  }
}

function isNamed(name: string, wanted: string): boolean {
  return name === wanted || name.toLowerCase() === wanted;
}

const headerNames = {
  host: 'Host',
  origin: 'Origin',
  target: 'X-Amz-Target',
  contentType: 'Content-Type',
} as const;

/** A header whose value decides what the request means: given twice, it must say the same. */
function readOnce(field: keyof typeof headerNames, value: string, fields: Fields): string | undefined {
  if (fields[field] !== undefined && fields[field] !== value) return `${headerNames[field]} is given twice`;
  fields[field] = value;
  return undefined;
}

function readExpectation(value: string, fields: Fields): void {
  if (value.toLowerCase() === '100-continue') fields.isAskingFirst = true;
  else fields.isUnmeetable = true;
}

/** DynamoDB takes bodies as they are; a compressed one would be read as JSON that is none. */
function readCoding(value: string): string | undefined {
  return value.toLowerCase() === 'identity' ? undefined : 'Content-Encoding is not identity';
}

function readKeptAlive(value: string, isDefault: boolean): boolean {
  const options = value.toLowerCase();
  if (options.includes('close')) return false;
  return isDefault || options.includes('keep-alive');
}

function readLength(value: string, fields: Fields): string | undefined {
  if (!wholeNumber.test(value)) return 'Content-Length is malformed';
  const length = Number(value);
  if (fields.length !== undefined && fields.length !== length) return 'Content-Length is given twice';
  fields.length = length;
  return undefined;
}

function readEncoding(value: string, fields: Fields): string | undefined {
  if (fields.isChunked || value.toLowerCase() !== 'chunked') return 'Transfer-Encoding is not known';
  fields.isChunked = true;
  return undefined;
}
