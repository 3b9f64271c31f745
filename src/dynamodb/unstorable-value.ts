// What a scenario is told of a value that DynamoDB cannot hold: where it stands, why, and what to do instead.
// What can be held, and how, is marshal.ts.
import { DynoLoadError } from '../errors.ts';
import { MAX_NESTING_LEVELS } from './limits.ts';

const valueFix =
  'use a string, number, bigint, boolean, null, Uint8Array, non-empty Set, array or plain object, or leave the attribute out';

/** What to do about a number that is none of DynamoDB's. */
export const numberFix =
  'use a finite number of up to 38 significant digits between 1E-130 and 9.9E+125, or store it as a string';

/**
 * OPERATION_INVALID for a value that DynamoDB has no form for.
 * @param path  where the value stands in the item; empty: it is all there is
 */
export function unsupported(path: string, value: unknown, why: string, fix = valueFix): DynoLoadError {
  const place = path === '' ? 'the value' : `"${path}"`;
  return new DynoLoadError('OPERATION_INVALID', {
    what: `${place} is ${describe(value)}, which cannot be stored`,
    why,
    fix,
  });
}

/** OPERATION_INVALID for a value below the deepest level. An object that contains itself is always found here. */
export function tooDeep(value: unknown, path: string): DynoLoadError {
  if (typeof value === 'object' && value !== null && containsItself(value))
    return new DynoLoadError('OPERATION_INVALID', {
      what: `"${path}" contains itself, so that it never ends`,
      why: 'DynamoDB stores values, and a value cannot lie within itself',
      fix: 'store a key or a copy in place of the reference back',
    });
  return new DynoLoadError('OPERATION_INVALID', {
    what: `"${path}" lies ${MAX_NESTING_LEVELS + 1} levels deep`,
    why: `DynamoDB takes values up to ${MAX_NESTING_LEVELS} levels deep, the attribute itself being the first`,
    fix: 'store the inner part as a text (JSON), or in items of its own',
  });
}

/** Why an object that is no plain one cannot be a map. */
export function whyNotPlain(value: object): string {
  if (value instanceof Date) return 'DynamoDB has no type for dates; store toISOString() or getTime()';
  if (value instanceof Promise) return 'a Promise is not its value: functions of a scenario are synchronous';
  return 'only plain objects become maps';
}

/** Whether an object meets itself again on some way down; looks at so many objects only. */
function containsItself(value: object): boolean {
  let left = 10_000;
  const above = new Set<object>();
  const meetsItself = (one: unknown): boolean => {
    if (typeof one !== 'object' || one === null) return false;
    if (above.has(one)) return true;
    if (--left < 0 || above.size > 1_000) return false;
    above.add(one);
    const meets = Object.values(one).some(meetsItself);
    above.delete(one);
    return meets;
  };
  return meetsItself(value);
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Set) return value.size === 0 ? 'an empty set' : 'a set of mixed members';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return `a ${value.constructor?.name ?? 'object'}`;
  return String(value);
}
