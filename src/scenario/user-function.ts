// Calls of the functions that a scenario consists of. What they throw becomes an error that names the
// function and the line in the user's file.
import { DynoLoadError, type ErrorCode, type ErrorFacts } from '../errors.ts';
import type { Issue } from './issues.ts';

/** Either what a function returned or the problem that it threw. */
export type Called<R> = { readonly value: R } | { readonly issue: Issue };

/**
 * What went wrong at one operation or item of many. Where and what are kept apart, so that a list of problems
 * that names the workload already need not name it twice.
 */
export class PlacedError extends DynoLoadError {
  /** For example `operation 7`. */
  readonly which: string;
  /** Goes on after the place, for example `threw RangeError: no key`. */
  readonly is: string;

  constructor(
    code: ErrorCode,
    { which, of, is, ...facts }: Omit<ErrorFacts, 'what'> & { which: string; of: string; is: string },
  ) {
    super(code, { ...facts, what: `${which} of ${of} ${is}` });
    this.which = which;
    this.is = is;
  }
}

/**
 * What making an operation or an item threw, with its place and the line in the user's file.
 * @param place.which  for example `operation 7`
 * @param place.of  for example `workload "placeOrder"`
 */
export function placedError(
  error: unknown,
  { which, of, file }: { readonly which: string; readonly of: string; readonly file: string },
): PlacedError {
  if (error instanceof DynoLoadError) {
    const { code, why, fix } = error;
    return new PlacedError(code, { which, of, is: `fails: ${error.what}`, why, fix, cause: error });
  }
  const frame = userFrame(error, file);
  return new PlacedError('SCENARIO_FUNCTION_THREW', {
    which,
    of,
    is: `threw ${describeThrown(error)}`,
    why: frame === undefined ? 'a function of the scenario ended with an exception' : `thrown at ${frame}`,
    fix: 'correct the function; it is called for each operation or item, also during load',
    cause: error,
  });
}

/** Calls a function of the scenario. `at`: its path, for example `tables`. */
export function callUserFunction<R>(at: string, file: string, call: () => R): Called<R> {
  try {
    const value = call();
    return value instanceof Promise ? { issue: promisedIssue(at, value) } : { value };
  } catch (error) {
    return { issue: thrownIssue(at, file, error) };
  }
}

function promisedIssue(at: string, promise: Promise<unknown>): Issue {
  // It may be rejected too, which nobody waits for any more.
  promise.catch(() => undefined);
  return {
    at,
    is: 'returns a Promise',
    why: 'it has to be synchronous: it is called for each variant while a run is planned',
    fix: 'leave async away, and load what it needs at the top of the file, where await is allowed',
  };
}

/**
 * What a function of the scenario threw, as a problem at its place. Errors of our own keep their reason and
 * advice.
 */
export function thrownIssue(at: string, file: string, error: unknown): Issue {
  if (error instanceof PlacedError)
    return {
      at,
      is: `(${error.which}) ${error.is}`,
      why: error.why,
      fix: error.fix,
      code: error.code,
      cause: error,
    };
  if (error instanceof DynoLoadError)
    return {
      at,
      is: `fails${atUserLine(error, file)}: ${error.what}`,
      why: error.why,
      fix: error.fix,
      code: error.code,
      cause: error,
    };
  const frame = userFrame(error, file);
  return {
    at,
    is: `threw ${describeThrown(error)}`,
    why: frame === undefined ? 'the function ended with an exception' : `thrown at ${frame}`,
    fix: calledPerOperation(at)
      ? 'correct the function; it is called for each operation'
      : 'correct the function; it is called once for each variant, before any load',
    code: 'SCENARIO_FUNCTION_THREW',
    cause: error,
  };
}

/** `tables`, `data`, `workloads` and `skip` are called for a variant; what stands below them for operations. */
function calledPerOperation(at: string): boolean {
  return at.includes('.');
}

/** `TypeError: x is not a function`, or the value where no error was thrown. */
export function describeThrown(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * The first place of the stack that lies in the scenario file, else the first of all, as `file:line:column`;
 * undefined where there is none.
 */
export function userFrame(error: unknown, file: string): string | undefined {
  const places = stackPlaces(error);
  return places.find((place) => isIn(place, file)) ?? places[0];
}

/** Errors of our own are thrown in our files; only a place in the user's file says anything. */
function atUserLine(error: DynoLoadError, file: string): string {
  const place = stackPlaces(error).find((candidate) => isIn(candidate, file));
  return place === undefined ? '' : ` at ${place}`;
}

function stackPlaces(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const place = /\(?((?:\/|[A-Za-z]:|file:)[^()]*:\d+:\d+)\)?$/;
  return error.stack.split('\n').flatMap((line) => place.exec(line)?.[1] ?? []);
}

function isIn(place: string, file: string): boolean {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  return place.replace(/:\d+:\d+$/, '').endsWith(name);
}
