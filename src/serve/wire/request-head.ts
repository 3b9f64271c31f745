// Reads the head of an HTTP/1.x request: what is asked, how the body ends, whether the connection lives on.
// Anything that two readers could understand differently is refused.
// @see RFC 9112 sections 3, 5 and 6, https://www.rfc-editor.org/rfc/rfc9112, read 2026-11-30

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** `x-amz-target`; undefined where there is none. */
  readonly target: string | undefined;
  readonly contentType: string | undefined;
  /** Bytes of the body, 0 where there is none; or that it comes in chunks. */
  readonly bodyEnd: number | 'chunked';
  readonly isKeptAlive: boolean;
  /** The client waits for leave to send its body. */
  readonly isAskingFirst: boolean;
}

/** Why a head cannot be understood. */
export interface HeadProblem {
  readonly problem: string;
}

const requestLine = /^([A-Z]{1,20}) (\S{1,8192}) HTTP\/1\.([01])$/;
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const wholeNumber = /^\d{1,15}$/;

/** Reads request line and header lines, without the blank line behind them. */
export function readRequestHead(text: string): RequestHead | HeadProblem {
  let end = text.indexOf('\r\n');
  const line = requestLine.exec(end < 0 ? text : text.slice(0, end));
  if (line === null) return { problem: 'the request line is malformed' };
  const fields: Fields = {
    target: undefined,
    contentType: undefined,
    length: undefined,
    isChunked: false,
    isKeptAlive: line[3] === '1',
    isAskingFirst: false,
  };
  while (end >= 0) {
    const start = end + 2;
    end = text.indexOf('\r\n', start);
    const problem = readField(text, start, end < 0 ? text.length : end, fields);
    if (problem !== undefined) return { problem };
  }
  const { target, contentType, length, isChunked, isKeptAlive, isAskingFirst } = fields;
  if (isChunked && length !== undefined)
    return { problem: 'Content-Length and Transfer-Encoding contradict each other' };
  const bodyEnd = isChunked ? 'chunked' : (length ?? 0);
  // The pattern has these groups, so a match has them.
  return {
    method: line[1] as string,
    path: line[2] as string,
    target,
    contentType,
    bodyEnd,
    isKeptAlive,
    isAskingFirst,
  };
}

/** What the lines read so far have said. */
interface Fields {
  target: string | undefined;
  contentType: string | undefined;
  length: number | undefined;
  isChunked: boolean;
  isKeptAlive: boolean;
  isAskingFirst: boolean;
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
    case 6:
      if (isNamed(name, 'expect')) fields.isAskingFirst = valueOf().toLowerCase() === '100-continue';
      return undefined;
    case 10:
      if (isNamed(name, 'connection')) fields.isKeptAlive = readKeptAlive(valueOf(), fields.isKeptAlive);
      return undefined;
    case 12:
      if (isNamed(name, 'x-amz-target')) fields.target = valueOf();
      else if (isNamed(name, 'content-type')) fields.contentType = valueOf();
      return undefined;
    case 14:
      return isNamed(name, 'content-length') ? readLength(valueOf(), fields) : undefined;
    case 17:
      return isNamed(name, 'transfer-encoding') ? readEncoding(valueOf(), fields) : undefined;
    default:
      return undefined;
  }
}

function isNamed(name: string, wanted: string): boolean {
  return name === wanted || name.toLowerCase() === wanted;
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
