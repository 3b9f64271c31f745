// Admission of reads: checked before the read, charged after it, since only the evaluation tells what a read
// costs.
import type { KeyState } from '../capacity/key-state.ts';
import type { Throttled } from './admission.ts';
import type { EntrySource } from './simulated-table.ts';

/**
 * Checks a read of one partition key; gives back the refusal where it is throttled, and counts it.
 * @param units  what it would cost; undefined where it was not evaluated
 */
export function refuseRead(
  { throughput }: EntrySource,
  key: KeyState,
  units: number | undefined,
  atUs: number,
): Throttled | undefined {
  const mask = throughput.failingRead(key, atUs);
  if (mask === 0) return undefined;
  throughput.countThrottled(key, 'Read', mask, units, atUs);
  return {
    kind: 'throttled',
    reasons: throughput.reasons(mask, 'Read'),
    exception: throughput.exception(mask, 'Read'),
  };
}
