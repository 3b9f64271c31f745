// The sixteen reasons for which DynamoDB throttles: {Table, Index} × {Read, Write} × four limits.

/** The limit that was exceeded. */
export type ThrottlingLimit = 'KeyRange' | 'Provisioned' | 'MaxOnDemand' | 'Account';

/** One reason of a throttled request. Parts are undefined where the text is not one of the sixteen (an unknown reason is kept as it came). */
export interface ThrottlingReason {
  /** As on the wire, for example `IndexWriteKeyRangeThroughputExceeded`; `Unknown` where the server gave none. */
  readonly reason: string;
  readonly resource?: 'Table' | 'Index';
  readonly operation?: 'Read' | 'Write';
  readonly limit?: ThrottlingLimit;
  /** ARN of the table or index; undefined where the server gave none. */
  readonly arn?: string;
}
