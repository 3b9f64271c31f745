// What answers of CloudWatch are made of, before a protocol writes them. Values that JSON does not tell apart
// from others, and other protocols do, have a class: in JSON each is what its `toJSON` says.

/** A moment: seconds in JSON, a tagged number in CBOR, a date in XML. */
export class Timestamp {
  /** Since 1970. */
  readonly seconds: number;

  constructor(seconds: number) {
    this.seconds = seconds;
  }

  /** @param minute  since 1970 */
  static ofMinute(minute: number): Timestamp {
    return new Timestamp(minute * 60);
  }

  toJSON(): number {
    return this.seconds;
  }
}

/** A count; all other numbers are floating-point, whatever their value. */
export class WholeNumber {
  readonly value: number;

  /** @param value  integer ≥ 0 */
  constructor(value: number) {
    this.value = value;
  }

  toJSON(): number {
    return this.value;
  }
}

/** Pairs whose keys are data; the names of an object's members belong to its shape. */
export class Entries {
  readonly pairs: readonly (readonly [key: string, value: number])[];

  constructor(pairs: Entries['pairs']) {
    this.pairs = pairs;
  }

  toJSON(): object {
    return Object.fromEntries(this.pairs);
  }
}

/** What answers consist of, before a protocol gives it its form. */
export type WireValue =
  | string
  | number
  | boolean
  | Timestamp
  | WholeNumber
  | Entries
  | readonly WireValue[]
  | WireObject;

/** A structure; members that are undefined are left out. */
export interface WireObject {
  readonly [name: string]: WireValue | undefined;
}

/** Whether a value is a list: `Array.isArray` does not tell lists that cannot be changed from objects. */
export function isList(value: WireValue): value is readonly WireValue[] {
  return Array.isArray(value);
}
