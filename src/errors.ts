// The one error type that users see, its codes, and the exit code each leads to.
// Expected trouble in a running test is data (`Outcome`, `Finding`); a DynoLoadError is what stops a command.

/** Exit codes by what went wrong; see the table in the README. */
export const exitCodes = {
  success: 0,
  goalMissed: 1,
  usage: 2,
  outsideTrouble: 3,
  inconclusive: 4,
  refused: 5,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const;

/** Every error code with the exit code it leads to. Codes are stable: scripts may match on them. */
export const errorCodes = {
  // usage and scenario
  USAGE: exitCodes.usage,
  SCENARIO_NOT_FOUND: exitCodes.usage,
  SCENARIO_NOT_LOADED: exitCodes.usage,
  SCENARIO_NO_DEFAULT_EXPORT: exitCodes.usage,
  SCENARIO_INVALID: exitCodes.usage,
  SCENARIO_TYPE_ERROR: exitCodes.usage,
  SCENARIO_FUNCTION_THREW: exitCodes.usage,
  OPERATION_INVALID: exitCodes.usage,
  FLOW_AWAITED_OUTSIDE: exitCodes.usage,
  FLOW_NOT_AWAITED: exitCodes.usage,
  NEEDS_WALL_CLOCK: exitCodes.usage,
  ITEM_TOO_LARGE: exitCodes.usage,
  RUN_TOO_LARGE: exitCodes.usage,
  RUN_FOLDER_INVALID: exitCodes.usage,
  LATENCY_FILE_INVALID: exitCodes.usage,
  // outside trouble
  TARGET_UNREACHABLE: exitCodes.outsideTrouble,
  TARGET_NOT_DYNAMODB: exitCodes.outsideTrouble,
  TARGET_REJECTED: exitCodes.outsideTrouble,
  TABLE_NOT_READY: exitCodes.outsideTrouble,
  PRELOAD_FAILED: exitCodes.outsideTrouble,
  CREDENTIALS_MISSING: exitCodes.outsideTrouble,
  REGION_MISSING: exitCodes.outsideTrouble,
  RUN_FOLDER_UNWRITABLE: exitCodes.outsideTrouble,
  SERVE_PORT_TAKEN: exitCodes.outsideTrouble,
  SERVE_CANNOT_LISTEN: exitCodes.outsideTrouble,
  SERVE_SNAPSHOT_DAMAGED: exitCodes.outsideTrouble,
  SERVE_SNAPSHOT_UNWRITABLE: exitCodes.outsideTrouble,
  REPORT_UNWRITABLE: exitCodes.outsideTrouble,
  CLOUDWATCH_REFUSED: exitCodes.outsideTrouble,
  CONTRIBUTOR_INSIGHTS_FAILED: exitCodes.outsideTrouble,
  TABLE_DIFFERS: exitCodes.outsideTrouble,
  WORKER_LOST: exitCodes.outsideTrouble,
  PLAN_DIFFERS: exitCodes.usage,
  // refused for safety or spend
  REFUSED_WRITE: exitCodes.refused,
  REFUSED_WITHOUT_CONSENT: exitCodes.refused,
  REFUSED_MAX_COST: exitCodes.refused,
  // ours
  INTERNAL: exitCodes.bug,
} as const;

export type ErrorCode = keyof typeof errorCodes;

export interface ErrorFacts {
  /** What happened, with the value and where. */
  readonly what: string;
  /** Why it is wrong, or the likely cause. */
  readonly why: string;
  /** What to do about it. */
  readonly fix: string;
  readonly cause?: unknown;
  /** The single problems, where the error stands for several. */
  readonly issues?: readonly ErrorIssue[];
}

/** One of several problems that were found together. */
export interface ErrorIssue {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** An error in three parts (what, why, fix) with a stable code. */
export class DynoLoadError extends Error {
  readonly code: ErrorCode;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  readonly issues: readonly ErrorIssue[];

  constructor(code: ErrorCode, facts: ErrorFacts) {
    super(`${code}  ${facts.what}`, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'DynoLoadError';
    this.code = code;
    this.what = facts.what;
    this.why = facts.why;
    this.fix = facts.fix;
    this.issues = facts.issues ?? [];
  }

  /** The exit code that this error leads to. */
  get exitCode(): number {
    return errorCodes[this.code];
  }
}

/** The text form of an error's three parts, as printed on stderr; of several problems, each with its own three. */
export function formatError(
  error: Pick<DynoLoadError, 'code' | 'what' | 'why' | 'fix'> & { readonly issues?: readonly ErrorIssue[] },
): string {
  const { code, issues = [] } = error;
  if (issues.length === 0) return `${code}  ${error.what}\n  why: ${error.why}\n  fix: ${error.fix}`;
  const parts = issues.map(({ what, why, fix }) => `- ${what}\n  why: ${why}\n  fix: ${fix}`);
  return `${code}  ${error.what}\n${parts.join('\n')}`;
}

/**
 * Fails loudly where our own code broke a promise; never used for what users or servers may do.
 * @throws DynoLoadError INTERNAL
 */
export function assert(condition: unknown, claim: string): asserts condition {
  if (condition) return;
  throw new DynoLoadError('INTERNAL', {
    what: `a promise inside dyno-load does not hold: ${claim}`,
    why: 'this is a bug in dyno-load, not in your scenario',
    fix: 'please report it with the scenario and the command line',
  });
}
