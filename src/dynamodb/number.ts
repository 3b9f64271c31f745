// DynamoDB's numbers: exact decimals of up to 38 significant digits, carried as text. Validation, one
// canonical text, order and sums. Short integers, nearly all of what a workload holds, take a path through
// JavaScript numbers; the rest goes through BigInt.
import { validationError } from './api-error.ts';

/**
 * Digits and place of a number: value = (isNegative ? −1 : 1) × digits × 10^exponent. Zero has the digits
 * `''` and its exponent as written.
 */
export interface DecimalParts {
  readonly isNegative: boolean;
  /** Significant digits without leading or trailing zeros. */
  readonly digits: string;
  readonly exponent: number;
}

const MAX_NUMBER_DIGITS = 38;
/** Largest and smallest power of ten of the first digit. */
const MAX_NUMBER_MAGNITUDE = 125;
const MIN_NUMBER_MAGNITUDE = -130;

const grammar = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?\s*$/;

/**
 * Splits a number's text into sign, significant digits and place.
 * @returns undefined where the text is not a number, or its exponent does not fit 64 bits; neither digit
 *   count nor range is checked
 */
export function decimalParts(text: string): DecimalParts | undefined {
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const whole = match[2] ?? '';
  const fraction = match[3] ?? '';
  if (whole === '' && fraction === '') return undefined;
  const all = whole + fraction;
  let first = 0;
  while (first < all.length && all.charCodeAt(first) === ZERO) first++;
  let last = all.length;
  while (last > first && all.charCodeAt(last - 1) === ZERO) last--;
  const written = BigInt(match[4] ?? '0');
  if (BigInt.asIntN(64, written) !== written) return undefined;
  if (first === last) return { isNegative: false, digits: '', exponent: Number(written) };
  const exponent = Number(written) - fraction.length + (all.length - last);
  return { isNegative: match[1] === '-', digits: all.slice(first, last), exponent };
}

/**
 * What DynamoDB says of a text that it cannot store as a number; undefined for a good one. Exponents behave
 * as captured by `paritysuite/dynamodb-conformance tests/tier3/limits/numberExponent.test.ts`, read
 * 2026-11-30.
 * @see "Supported data types and naming rules in Amazon DynamoDB",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html,
 *   read 2026-11-30
 */
export function numberProblem(text: string): string | undefined {
  if (isShortInteger(text)) return undefined;
  const parts = decimalParts(text);
  return parts === undefined ? notNumeric(text) : partsProblem(parts);
}

/**
 * The text under which DynamoDB gives a number back: no exponent, no leading or trailing zeros, no `+`, and
 * `0` for `-0`.
 * @throws ApiError ValidationException where the text is no number that DynamoDB can store
 */
export function canonicalNumber(text: string): string {
  if (isShortInteger(text)) return text;
  const parts = decimalParts(text);
  if (parts === undefined) throw validationError(notNumeric(text));
  return textOfParts(parts);
}

/** Numerical order of two valid numbers: negative, 0 or positive. */
export function compareNumbers(left: string, right: string): number {
  if (left === right) return 0;
  // A decimal of up to 15 digits maps to a double of its own, so doubles order such texts rightly.
  if (left.length <= 15 && right.length <= 15) return Number(left) - Number(right);
  return compareParts(partsOf(left), partsOf(right));
}

/**
 * The exact sum of two numbers in canonical text.
 * @throws ApiError ValidationException where the sum needs more than 38 digits or leaves the range
 */
export function addNumbers(left: string, right: string): string {
  if (isShortInteger(left) && isShortInteger(right)) return String(Number(left) + Number(right));
  return sumOfParts(partsOf(left), partsOf(right));
}

/**
 * The exact difference `left − right` in canonical text.
 * @throws ApiError ValidationException as `addNumbers`
 */
export function subtractNumbers(left: string, right: string): string {
  if (isShortInteger(left) && isShortInteger(right)) return String(Number(left) - Number(right));
  const parts = partsOf(right);
  return sumOfParts(partsOf(left), { ...parts, isNegative: !parts.isNegative });
}

const ZERO = 48;
const NINE = 57;
const MINUS = 45;

/** Whether a text is a canonical integer of at most 15 digits: doubles hold it, and its sums, exactly. */
function isShortInteger(text: string): boolean {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  const length = text.length - start;
  if (length < 1 || length > 15) return false;
  if (text.charCodeAt(start) === ZERO) return length === 1 && start === 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}

function notNumeric(text: string): string {
  const detail = text.trim() === '' ? '' : `: ${text}`;
  return `The parameter cannot be converted to a numeric value${detail}`;
}

function partsProblem({ digits, exponent }: DecimalParts): string | undefined {
  // DynamoDB holds even a zero to the range, by the exponent it is written with.
  const magnitude = digits === '' ? exponent : digits.length - 1 + exponent;
  if (magnitude > MAX_NUMBER_MAGNITUDE)
    return 'Number overflow. Attempting to store a number with magnitude larger than supported range';
  if (magnitude < MIN_NUMBER_MAGNITUDE)
    return 'Number underflow. Attempting to store a number with magnitude smaller than supported range';
  if (digits.length > MAX_NUMBER_DIGITS)
    return 'Attempting to store more than 38 significant digits in a Number';
  return undefined;
}

function partsOf(text: string): DecimalParts {
  const parts = decimalParts(text);
  if (parts === undefined) throw validationError(notNumeric(text));
  return parts;
}

function textOfParts(parts: DecimalParts): string {
  const problem = partsProblem(parts);
  if (problem !== undefined) throw validationError(problem);
  const { digits, exponent } = parts;
  if (digits === '') return '0';
  const sign = parts.isNegative ? '-' : '';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const whole = digits.length + exponent;
  if (whole > 0) return `${sign}${digits.slice(0, whole)}.${digits.slice(whole)}`;
  return `${sign}0.${'0'.repeat(-whole)}${digits}`;
}

function compareParts(left: DecimalParts, right: DecimalParts): number {
  const leftSign = signOf(left);
  const rightSign = signOf(right);
  if (leftSign !== rightSign) return leftSign - rightSign;
  if (leftSign === 0) return 0;
  const magnitudes = left.digits.length + left.exponent - (right.digits.length + right.exponent);
  if (magnitudes !== 0) return leftSign * magnitudes;
  // Equal magnitude: digit strings compare from the first digit on, and a prefix is the smaller one.
  if (left.digits === right.digits) return 0;
  return left.digits < right.digits ? -leftSign : leftSign;
}

function signOf(parts: DecimalParts): number {
  if (parts.digits === '') return 0;
  return parts.isNegative ? -1 : 1;
}

function sumOfParts(left: DecimalParts, right: DecimalParts): string {
  if (left.digits === '') return textOfParts(right);
  if (right.digits === '') return textOfParts(left);
  const exponent = Math.min(left.exponent, right.exponent);
  const sum = scaled(left, exponent) + scaled(right, exponent);
  const digits = (sum < 0n ? -sum : sum).toString();
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return textOfParts({
    isNegative: sum < 0n,
    digits: significant,
    exponent: exponent + digits.length - significant.length,
  });
}

function scaled(parts: DecimalParts, exponent: number): bigint {
  const magnitude = BigInt(parts.digits) * 10n ** BigInt(parts.exponent - exponent);
  return parts.isNegative ? -magnitude : magnitude;
}
