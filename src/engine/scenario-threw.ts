// What is said when the scenario's own code throws under load.
import { DynoLoadError } from '../errors.ts';

interface ThrownAt {
  readonly workloadName: string;
  readonly sequence: number;
}

/** The error that ends a run; one of ours says by itself what happened. */
export function scenarioThrew(error: unknown, { workloadName, sequence }: ThrownAt): DynoLoadError {
  if (error instanceof DynoLoadError) return error;
  return new DynoLoadError('SCENARIO_FUNCTION_THREW', {
    what: `workload "${workloadName}" threw at operation ${sequence}: ${error instanceof Error ? error.message : String(error)}`,
    why: firstFrame(error) ?? 'a function of the scenario ended with an exception',
    fix: 'correct the scenario; the operations before this one are in the report',
    cause: error,
  });
}

/** Where it was thrown, by the stack. */
function firstFrame(error: unknown): string | undefined {
  const frame =
    error instanceof Error
      ? error.stack?.split('\n').find((line) => line.trim().startsWith('at '))
      : undefined;
  return frame === undefined ? undefined : `thrown ${frame.trim()}`;
}
