// Values of command-line options, checked one by one: what is wrong is said in the option's own words.
import { InvalidArgumentError } from 'commander';
import { type FailRule, parseFailRule } from '../analysis/compare-rule.ts';
import type { SetParameter } from '../scenario/parameters.ts';
import { parseDecimal, parseDuration } from '../units.ts';

/** Reads `--set name=v1,v2`, which may be given once for each parameter. @throws InvalidArgumentError */
export function parseSet(text: string, before: readonly SetParameter[]): SetParameter[] {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  const values = text
    .slice(at + 1)
    .split(',')
    .map((value) => value.trim());
  if (name === '' || values.includes('')) {
    throw new InvalidArgumentError('It must read name=value,value – for example count=1,4,16.');
  }
  if (before.some((setting) => setting.name === name)) {
    throw new InvalidArgumentError(`"${name}" is set twice. Give all its values at once: ${name}=1,2.`);
  }
  return [...before, { name, values }];
}

/**
 * Reads `--fail-on`, which may be given several times.
 * @throws DynoLoadError USAGE, which the option parser lets through
 */
export function parseFailOn(text: string, before: readonly FailRule[]): FailRule[] {
  return [...before, parseFailRule(text)];
}

/** Reads a duration into µs. @throws InvalidArgumentError */
export function parseDurationOption(text: string): number {
  const us = /\s/.test(text) ? undefined : parseDuration(text);
  if (!Number.isSafeInteger(us) || us === undefined || us === 0) {
    throw new InvalidArgumentError('It must be a time with its unit – for example 500ms, 30s, 5m or 1h.');
  }
  return us;
}

/** Reads a factor above 0. @throws InvalidArgumentError */
export function parseFactor(text: string): number {
  const factor = parseDecimal(text);
  if (factor === undefined || factor === 0) {
    throw new InvalidArgumentError(
      'It must be a number above 0 in plain decimal digits – for example 0.1 for a tenth of the load.',
    );
  }
  return factor;
}

/** Reads a folder, which has a name: nothing at all is a variable that is not set. @throws InvalidArgumentError */
export function parseFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a folder – . is the one you are in.');
  return text;
}

/** Reads a name, an address or a file, and refuses nothing at all likewise. @throws InvalidArgumentError */
export function parseFilled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty; is a variable not set?');
  return text;
}

/** Reads a whole number of at least 1. @throws InvalidArgumentError */
export function parseRepeats(text: string): number {
  return parseWhole(text, 1);
}

/** Reads a count of threads, at least 1. @throws InvalidArgumentError */
export function parseWorkers(text: string): number {
  const count = parseWhole(text, 1);
  if (count > MOST_WORKERS) throw new InvalidArgumentError(`More than ${MOST_WORKERS} workers help nobody.`);
  return count;
}

const MOST_WORKERS = 256;

/** Reads a port, 0 for any free one. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > MAX_PORT) throw new InvalidArgumentError(`It must be a port, 0 to ${MAX_PORT}.`);
  return port;
}

const MAX_PORT = 65_535;

/** Reads a whole number of at least 0. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  return parseWhole(text, 0);
}

function parseWhole(text: string, least: number): number {
  const count = /^\d+$/.test(text) ? Number(text) : undefined;
  if (count === undefined || !Number.isSafeInteger(count) || count < least) {
    throw new InvalidArgumentError(`It must be a whole number, ${least} or more, in plain decimal digits.`);
  }
  return count;
}
