// The members of a CloudWatch request, read one by one: present or not, of the right type, in the words of
// CloudWatch's errors. How a protocol writes numbers, flags and times is its own.
import { CloudWatchError, type CloudWatchErrorType, invalidValue } from './cloudwatch-error.ts';

/** How a protocol writes what is neither text nor object; undefined for what is not of the kind. */
export interface ScalarReader {
  readonly number: (value: unknown) => number | undefined;
  readonly flag: (value: unknown) => boolean | undefined;
  /** Since 1970. */
  readonly seconds: (value: unknown) => number | undefined;
  readonly list: (value: unknown) => readonly unknown[] | undefined;
}

/** Reads members of one object; `place` stands before names in errors, for example `MetricDataQueries.1.`. */
export class Input {
  readonly #members: { readonly [name: string]: unknown };
  readonly #scalars: ScalarReader;
  readonly #place: string;

  /** @throws CloudWatchError where the value is no object */
  constructor(value: unknown, scalars: ScalarReader, place = '') {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw wrongType(place === '' ? 'The request' : place.slice(0, -1), 'an object');
    this.#members = value as { readonly [name: string]: unknown }; // What protocols read has nothing but members.
    this.#scalars = scalars;
    this.#place = place;
  }

  /** The name of a member with its place, for errors. */
  nameOf(name: string): string {
    return this.#place + name;
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value !== undefined && typeof value !== 'string') throw wrongType(this.nameOf(name), 'a string');
    return value;
  }

  number(name: string): number | undefined {
    return this.#scalar(name, this.#scalars.number, 'a number');
  }

  flag(name: string): boolean | undefined {
    return this.#scalar(name, this.#scalars.flag, 'true or false');
  }

  /** A moment, in seconds since 1970. */
  seconds(name: string): number | undefined {
    const seconds = this.#scalar(name, this.#scalars.seconds, 'a timestamp');
    if (seconds !== undefined && !Number.isFinite(seconds)) throw wrongType(this.nameOf(name), 'a timestamp');
    return seconds;
  }

  /** Members of a list, each an object; empty where there is no list. */
  objects(name: string): readonly Input[] {
    return this.#list(name).map(
      (value, index) => new Input(value, this.#scalars, `${this.nameOf(name)}.${index + 1}.`),
    );
  }

  /** Members of a list of strings; empty where there is no list. */
  texts(name: string): readonly string[] {
    return this.#list(name).map((value) => {
      if (typeof value !== 'string') throw wrongType(this.nameOf(name), 'a list of strings');
      return value;
    });
  }

  object(name: string): Input | undefined {
    const value = this.#get(name);
    return value === undefined ? undefined : new Input(value, this.#scalars, `${this.nameOf(name)}.`);
  }

  /** A member that must be there, given as read. */
  required<T>(name: string, value: T | undefined, type = MISSING): T {
    if (value !== undefined) return value;
    throw new CloudWatchError(type, `The parameter ${this.nameOf(name)} is required.`);
  }

  #get(name: string): unknown {
    const value = Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
    return value === null ? undefined : value;
  }

  #list(name: string): readonly unknown[] {
    return this.#scalar(name, this.#scalars.list, 'a list') ?? [];
  }

  #scalar<T>(name: string, read: (value: unknown) => T | undefined, wanted: string): T | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    const result = read(value);
    if (result === undefined) throw wrongType(this.nameOf(name), wanted);
    return result;
  }
}

const MISSING: CloudWatchErrorType = 'MissingRequiredParameterException';

/** A span of time, in whole minutes since 1970: the first that belongs to it, and the first that does not. */
export interface RequestedSpan {
  readonly fromMinute: number;
  readonly untilMinute: number;
}

/**
 * StartTime and EndTime. The start is inclusive and rounded down to its minute; the end is exclusive, so that
 * a minute that begins before it belongs to the span.
 */
export function readSpan(input: Input, invalid: CloudWatchErrorType): RequestedSpan {
  const start = input.required('StartTime', input.seconds('StartTime'));
  const end = input.required('EndTime', input.seconds('EndTime'));
  if (!(end > start))
    throw new CloudWatchError(invalid, 'The parameter EndTime must be greater than StartTime.');
  return { fromMinute: Math.floor(start / 60), untilMinute: Math.ceil(end / 60) };
}

/**
 * A period in seconds, as minutes. Metrics of DynamoDB have a resolution of one minute.
 * @throws CloudWatchError where it is not a multiple of 60
 */
export function readPeriod(input: Input, invalid: CloudWatchErrorType): number {
  const period = input.required('Period', input.number('Period'));
  if (!Number.isInteger(period / 60) || period < 60)
    throw new CloudWatchError(
      invalid,
      `The parameter ${input.nameOf('Period')} must be a multiple of 60: metrics of DynamoDB come once a minute.`,
    );
  return period / 60;
}

/** A whole number within bounds; the default where there is none. */
export function readCount(
  input: Input,
  name: string,
  { fallback, min, max }: { readonly fallback: number; readonly min: number; readonly max: number },
): number {
  const value = input.number(name) ?? fallback;
  if (!Number.isInteger(value) || value < min || value > max)
    throw invalidValue(`The parameter ${name} must be between ${min} and ${max}.`);
  return value;
}

function wrongType(name: string, wanted: string): CloudWatchError {
  return new CloudWatchError('SerializationException', `${name} must be ${wanted}.`);
}
