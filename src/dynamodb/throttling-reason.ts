// The sixteen reasons for which DynamoDB throttles: {Table, Index} × {Read, Write} × four limits; and the
// ARNs that name what throttled.
// @see "Diagnosing throttling",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-diagnosing-workflow.html,
//   read 2026-11-30

/** The limit that was exceeded. */
export type ThrottlingLimit = 'KeyRange' | 'Provisioned' | 'MaxOnDemand' | 'Account';

/**
 * One reason of a throttled request. Parts are undefined where the text is not one of the sixteen (an unknown
 * reason is kept as it came).
 */
export interface ThrottlingReason {
  /**
   * As on the wire, for example `IndexWriteKeyRangeThroughputExceeded`; `Unknown` where the server gave none.
   */
  readonly reason: string;
  readonly resource?: 'Table' | 'Index';
  readonly operation?: 'Read' | 'Write';
  readonly limit?: ThrottlingLimit;
  /** ARN of the table or index; undefined where the server gave none. */
  readonly arn?: string;
}

/** The three parts of which a reason's text is made. */
export interface ThrottlingParts {
  readonly resource: 'Table' | 'Index';
  readonly operation: 'Read' | 'Write';
  readonly limit: ThrottlingLimit;
}

const limitTexts: Readonly<Record<ThrottlingLimit, string>> = {
  KeyRange: 'KeyRangeThroughputExceeded',
  Provisioned: 'ProvisionedThroughputExceeded',
  MaxOnDemand: 'MaxOnDemandThroughputExceeded',
  Account: 'AccountLimitExceeded',
};

/** A reason as DynamoDB spells it, for example `TableWriteKeyRangeThroughputExceeded`. */
export function throttlingReasonText({ resource, operation, limit }: ThrottlingParts): string {
  return `${resource}${operation}${limitTexts[limit]}`;
}

const partsByText: ReadonlyMap<string, ThrottlingParts> = new Map(
  allParts().map((parts) => [throttlingReasonText(parts), parts]),
);

/** All sixteen reasons as DynamoDB spells them. */
export const throttlingReasonTexts: readonly string[] = [...partsByText.keys()];

/**
 * Reads a reason from the wire. A text that is none of the sixteen is kept without parts, an empty one
 * becomes `Unknown`.
 * @param arn  ARN of the table or index, where the server gave one
 */
export function parseThrottlingReason(reason: string, arn?: string): ThrottlingReason {
  const text = reason === '' ? 'Unknown' : reason;
  const parts = partsByText.get(text);
  return arn === undefined ? { reason: text, ...parts } : { reason: text, ...parts, arn };
}

/** The table, and the index where the ARN names one; undefined where the text is no ARN of a table. */
export function resourceOfArn(
  arn: string,
): { readonly tableName: string; readonly indexName?: string } | undefined {
  const match = /^arn:[^:]*:dynamodb:[^:]*:[^:]*:table\/([^/]+)(?:\/index\/([^/]+))?$/.exec(arn);
  if (match === null) return undefined;
  const tableName = match[1] as string; // The pattern has a first group, so a match has it.
  return match[2] === undefined ? { tableName } : { tableName, indexName: match[2] };
}

function allParts(): ThrottlingParts[] {
  const limits: readonly ThrottlingLimit[] = ['KeyRange', 'Provisioned', 'MaxOnDemand', 'Account'];
  return limits.flatMap((limit) =>
    (['Table', 'Index'] as const).flatMap((resource) =>
      (['Read', 'Write'] as const).map((operation) => ({ resource, operation, limit })),
    ),
  );
}
