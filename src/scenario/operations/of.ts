// A part of an operation that is either the same every time or computed for each operation.
import { DynoLoadError } from '../../errors.ts';
import type { Context } from '../../workload/item.ts';

/** A constant, or a function of the operation's context. */
export type Of<V> = V | ((context: Context) => V);

/** Whether a part is computed for each operation. No value of a specification is itself a function. */
export function isComputed<V>(of: Of<V>): of is (context: Context) => V {
  return typeof of === 'function';
}

/** The part as it is for this operation. @throws DynoLoadError OPERATION_INVALID for a Promise */
export function valueOf<V>(of: Of<V>, context: Context): V {
  return isComputed(of) ? notPromised(of(context)) : of;
}

/**
 * What a function of a scenario returned, unless it is a Promise.
 * @throws DynoLoadError OPERATION_INVALID
 */
export function notPromised<V>(returned: V): V {
  if (!(returned instanceof Promise)) return returned;
  // It may be rejected too, which nobody waits for any more.
  returned.catch(() => undefined);
  throw new DynoLoadError('OPERATION_INVALID', {
    what: 'its function returns a Promise',
    why: 'it has to be synchronous: it is called for each operation or item, and nothing waits for it',
    fix: 'leave async away, and load what it needs at the top of the file, where await is allowed',
  });
}

/** A part that is a list of objects. @throws DynoLoadError OPERATION_INVALID naming the member where it is none */
export function listOf<V extends object>(
  of: Of<readonly V[]>,
  context: Context,
  member: string,
): readonly V[] {
  const value = valueOf(of, context);
  const list: unknown = value;
  if (!Array.isArray(list))
    throw notAList(
      `${member} is ${typeof list === 'object' && list !== null ? 'an object' : String(list)}`,
      member,
    );
  const wrong = list.findIndex((one) => typeof one !== 'object' || one === null);
  if (wrong >= 0) throw notAList(`${member}[${wrong}] is ${String(list[wrong])}`, member);
  return value;
}

function notAList(what: string, member: string): DynoLoadError {
  return new DynoLoadError('OPERATION_INVALID', {
    what,
    why: `${member} is a list of objects`,
    fix: `return [{ … }, { … }], also where there is only one`,
  });
}

/** A part with a conversion behind it, such as marshalling; constants are converted once. */
export function compileOf<V, R>(of: Of<V>, convert: (value: V) => R): (context: Context) => R {
  if (isComputed(of)) return (context) => convert(notPromised(of(context)));
  const converted = convert(of);
  return () => converted;
}
