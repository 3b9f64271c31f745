// Errors of a target, put in words for the record of a run.
import type { MeasuredVariant } from '../analysis/analyze-run.ts';
import { DynoLoadError } from '../errors.ts';

/** What an error says happened, in one clause. */
export function whatOf(error: unknown): string {
  if (error instanceof DynoLoadError) return error.what;
  return error instanceof Error ? error.message : String(error);
}

/**
 * A target that went away under load is first seen by its operations; that it cannot be cleaned up follows.
 * @returns undefined where the trouble is another one, or operations met nothing of it
 */
export function targetLost(
  trouble: unknown,
  { name, workloads }: MeasuredVariant,
): DynoLoadError | undefined {
  if (!(trouble instanceof DynoLoadError) || trouble.code !== 'TARGET_UNREACHABLE') return undefined;
  const samples = workloads.flatMap(({ errors }) => errors).sort((a, b) => b.count - a.count);
  const [worst] = samples;
  if (worst === undefined) return undefined;
  return new DynoLoadError('TARGET_UNREACHABLE', {
    what: `the target was lost while ${name} ran`,
    why: `requests failed with ${worst.code} (${worst.count.toLocaleString('en-US')} times), and nothing answers there now`,
    fix: 'see why the server ended, start it again, and delete what the run left on it',
    cause: trouble,
  });
}
