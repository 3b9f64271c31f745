// One attempt at one HTTP request: what goes out, what comes back, and when. Bytes and times only;
// what an answer means is decided by whoever asked.

/** A POST. `headerLines` holds whole lines (`name: value\r\n`); host and content-length are added by the pool. */
export interface HttpRequest {
  readonly path: string;
  readonly headerLines: string;
  readonly body: string;
}

/** A whole answer. `head` is the status line and the header lines without the final blank line; see `headerValue`. */
export interface HttpAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

/**
 * Why no answer came: an error code of the operating system or of DNS (`ECONNREFUSED`, `ENOTFOUND` …), or one
 * of `ATTEMPT_TIMED_OUT` (not answered in time), `CONNECTION_CLOSED` (the server hung up before or inside the
 * answer), `NOT_HTTP` (the server speaks something else), `ANSWER_TOO_LARGE`, `POOL_CLOSED` (we hung up),
 * `PROXY_REFUSED` and `PROXY_FAILED` (no tunnel through the proxy).
 */
export interface HttpFailure {
  readonly code: string;
  readonly message: string;
}

/** Moments in µs of the injected clock. `sentAtUs` and `firstByteAtUs` are 0 where it never came to that. */
export interface AttemptTimes {
  /** When the pool was asked. */
  readonly startedAtUs: number;
  /** When the request was written; the time before went into waiting for a connection. */
  readonly sentAtUs: number;
  readonly firstByteAtUs: number;
  readonly endedAtUs: number;
  /**
   * How long the connection took until TLS began, or until it was ready where there is none; 0 on one that
   * was open.
   */
  readonly connectUs: number;
  /** How long TLS took after that; 0 without TLS and on a connection that was open. */
  readonly tlsUs: number;
}

/** An attempt that is over: answered or failed. `isResent`: a stale connection made us send it a second time. */
export interface Attempt extends AttemptTimes {
  readonly isResent: boolean;
  readonly answer: HttpAnswer | undefined;
  readonly failure: HttpFailure | undefined;
}

/** Receives the end of an attempt; called exactly once, never before `request` has returned. */
export type AttemptDone = (attempt: Attempt) => void;

/**
 * The value of a header in an answer's head, or undefined; the first one where it occurs twice.
 * @param name  in lower case
 */
export function headerValue(head: string, name: string): string | undefined {
  let lineStart = head.indexOf('\r\n') + 2;
  while (lineStart > 1) {
    const nameEnd = lineStart + name.length;
    const lineEnd = head.indexOf('\r\n', lineStart);
    if (head[nameEnd] === ':' && head.slice(lineStart, nameEnd).toLowerCase() === name)
      return head.slice(nameEnd + 1, lineEnd < 0 ? undefined : lineEnd).trim();
    lineStart = lineEnd + 2;
  }
  return undefined;
}
