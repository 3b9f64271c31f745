// Reads one object of a scenario, member by member, and notes what is wrong with each. Scenarios in plain
// JavaScript have no compiler behind them, so nothing is taken for granted.
import { parseDuration, US_PER_SECOND } from '../units.ts';
import type { IssueList } from './issues.ts';
import { listNames, suggestion } from './nearest-name.ts';

/** An object of a scenario of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object with members: no list, no function. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A function of a scenario, of which nothing is known but that it can be called. */
export type UserFunction = (...given: readonly unknown[]) => unknown;

/** Whether a member of a scenario is a function. */
export function isFunction(value: unknown): value is UserFunction {
  return typeof value === 'function';
}

/** A value as error texts show it. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `{ ${Object.keys(value).join(', ')} }`;
  return String(value);
}

interface Bounds {
  readonly least: number;
  readonly most?: number;
  /** What the number counts, for example `pages`. */
  readonly unit: string;
  /** Why there may be no more than `most`, and what to do. */
  readonly limit?: { readonly why: string; readonly fix: string };
}

const MOST_DURATION_US = 1_000 * 3_600 * US_PER_SECOND;

/**
 * One object of a scenario at its place. Reading methods return undefined where the member is absent or
 * wrong; wrong ones become issues.
 */
export class SpecReader {
  readonly fields: Fields;
  readonly at: string;
  readonly issues: IssueList;

  constructor(fields: Fields, at: string, issues: IssueList) {
    this.fields = fields;
    this.at = at;
    this.issues = issues;
  }

  /** A reader for a value that has to be an object; what: for example `a table`. */
  static of(value: unknown, at: string, issues: IssueList, what: string): SpecReader | undefined {
    if (isFields(value)) return new SpecReader(value, at, issues);
    issues.add({
      at,
      is: `is ${showValue(value)}`,
      why: `${what} is described by an object`,
      fix: 'write { … } here',
    });
    return undefined;
  }

  place(name: string): string {
    return this.at === '' ? name : `${this.at}.${name}`;
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  problem(name: string, is: string, why: string, fix: string): undefined {
    this.issues.add({ at: this.place(name), is, why, fix });
    return undefined;
  }

  /** Notes members that mean nothing here. */
  allowOnly(names: readonly string[]): void {
    for (const name of Object.keys(this.fields))
      if (!names.includes(name))
        this.problem(name, 'is not known', `known here: ${names.join(', ')}`, suggestion(name, names));
  }

  /** Notes a member that is missing. */
  require(name: string, why: string, fix: string): boolean {
    if (this.has(name)) return true;
    this.problem(name, 'is missing', why, fix);
    return false;
  }

  wholeNumber(name: string, { least, most, unit, limit }: Bounds): number | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= (most ?? value))
      return value;
    if (limit && typeof value === 'number' && value > (most ?? value))
      return this.problem(name, `is ${value.toLocaleString('en-US')}`, limit.why, limit.fix);
    const range = most === undefined ? `${least} or more` : `${least} to ${most.toLocaleString('en-US')}`;
    return this.problem(
      name,
      `is ${showValue(value)}`,
      `${unit} are a whole number`,
      `use a whole number, ${range}`,
    );
  }

  /** A number above zero. */
  positive(name: string, why: string): number | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
    return this.problem(name, `is ${showValue(value)}`, why, 'use a number above zero');
  }

  /** Microseconds. */
  duration(name: string, { mayBeZero }: { readonly mayBeZero: boolean }): number | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    const us = typeof value === 'string' ? parseDuration(value) : undefined;
    if (us === undefined)
      return this.problem(
        name,
        `is ${showValue(value)}`,
        'a duration is a number directly followed by ms, s, m or h',
        "write for example '500ms', '10s' or '1.5m'",
      );
    if (us > MOST_DURATION_US)
      return this.problem(
        name,
        `is ${showValue(value)}`,
        'a duration is at most 1,000 hours',
        'use a shorter one',
      );
    if (us > 0 || mayBeZero) return us;
    return this.problem(name, `is ${showValue(value)}`, 'nothing can happen in no time', "use '1s' or more");
  }

  text(name: string, what: string): string | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '') return value;
    return this.problem(name, `is ${showValue(value)}`, `${what} is a text`, 'write it in quotes');
  }

  flag(name: string): boolean | undefined {
    const value = this.fields[name];
    if (value === undefined || typeof value === 'boolean') return value;
    return this.problem(name, `is ${showValue(value)}`, 'it is either on or off', 'use true or false');
  }

  oneOf<V extends string>(name: string, choices: readonly V[]): V | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    const why = `it is one of ${listNames(choices)}`;
    const fix = suggestion(typeof value === 'string' ? value : '', choices);
    return this.problem(name, `is ${showValue(value)}`, why, fix);
  }

  /** A list of texts, at least one. */
  names(name: string, what: string): readonly string[] | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (isTextList(value) && value.length > 0) return value;
    return this.problem(name, `is ${showValue(value)}`, `${what} are a list of texts`, "write ['a', 'b']");
  }
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string' && member !== '');
}
