// One exit code out of all that a command met. Scripts rely on the order: what stopped the command outranks
// what it found.
import { errorCodes, exitCodes, type ErrorCode } from '../errors.ts';
import type { Verdict } from './run-result.ts';

/** How a command ended. */
export interface CommandEnd {
  /** The signal that ended it early, if any. */
  readonly signal: 'SIGINT' | 'SIGTERM' | null;
  /** Codes of all errors met. */
  readonly errors: readonly ErrorCode[];
  /** null where the command judges nothing or did not come that far. */
  readonly verdict: Pick<Verdict, 'status'> | null;
}

/** The first that applies, in this order. */
const precedence = [
  exitCodes.interrupted,
  exitCodes.terminated,
  exitCodes.bug,
  exitCodes.refused,
  exitCodes.outsideTrouble,
  exitCodes.usage,
  exitCodes.inconclusive,
  exitCodes.goalMissed,
] as const;

const bySignal = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;

const byVerdict = {
  pass: exitCodes.success,
  fail: exitCodes.goalMissed,
  inconclusive: exitCodes.inconclusive,
} as const;

/** The process exit code: 130, 143, 70, 5, 3, 2, 4, 1, the first that applies, else 0. */
export function exitCodeOf(end: CommandEnd): number {
  const met = new Set<number>(end.errors.map((code) => errorCodes[code]));
  if (end.signal !== null) met.add(bySignal[end.signal]);
  if (end.verdict !== null) met.add(byVerdict[end.verdict.status]);
  return precedence.find((code) => met.has(code)) ?? exitCodes.success;
}
