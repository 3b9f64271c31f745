// A part of an operation that is either the same every time or computed for each operation.
import type { Context } from '../../workload/item.ts';

/** A constant, or a function of the operation's context. */
export type Of<V> = V | ((context: Context) => V);

/** Whether a part is computed for each operation. No value of a specification is itself a function. */
export function isComputed<V>(of: Of<V>): of is (context: Context) => V {
  return typeof of === 'function';
}

/** The part as it is for this operation. */
export function valueOf<V>(of: Of<V>, context: Context): V {
  return isComputed(of) ? of(context) : of;
}

/** A part with a conversion behind it, such as marshalling; constants are converted once. */
export function compileOf<V, R>(of: Of<V>, convert: (value: V) => R): (context: Context) => R {
  if (isComputed(of)) return (context) => convert(of(context));
  const converted = convert(of);
  return () => converted;
}
