// Aim: numbers are DynamoDB's decimals, not doubles. Method: a row per rule with the message or the exact
// text expected.
import { describe, expect, test } from 'vitest';
import {
  addNumbers,
  canonicalNumber,
  compareNumbers,
  numberProblem,
  subtractNumbers,
} from '../../../src/dynamodb/number.ts';

const overflow = 'Number overflow. Attempting to store a number with magnitude larger than supported range';
const underflow =
  'Number underflow. Attempting to store a number with magnitude smaller than supported range';
const tooManyDigits = 'Attempting to store more than 38 significant digits in a Number';

describe('numberProblem', () => {
  test.each([
    '0',
    '-1',
    '+5',
    '.5',
    '5.',
    '1e2',
    '1E-130',
    '9.99E125',
    '-9.9999999999999999999999999999999999999E+125',
  ])('takes %s', (text) => {
    expect(numberProblem(text)).toBeUndefined();
  });

  test.each([
    ['abc', 'The parameter cannot be converted to a numeric value: abc'],
    ['', 'The parameter cannot be converted to a numeric value'],
    ['1,000', 'The parameter cannot be converted to a numeric value: 1,000'],
    ['NaN', 'The parameter cannot be converted to a numeric value: NaN'],
    ['Infinity', 'The parameter cannot be converted to a numeric value: Infinity'],
    ['.', 'The parameter cannot be converted to a numeric value: .'],
    ['0x10', 'The parameter cannot be converted to a numeric value: 0x10'],
    ['1e9223372036854775808', 'The parameter cannot be converted to a numeric value: 1e9223372036854775808'],
    ['1E126', overflow],
    ['-1E126', overflow],
    ['1e99999999999', overflow],
    ['0e126', overflow],
    ['1E-131', underflow],
    ['1e-99999999999', underflow],
    ['0e-131', underflow],
    ['123456789012345678901234567890123456789', tooManyDigits],
  ])('rejects %s', (text, problem) => {
    expect(numberProblem(text)).toBe(problem);
  });

  test('does not count zeros at either end as digits', () => {
    expect(numberProblem(`000${'1'.repeat(38)}000`)).toBeUndefined();
  });
});

describe('canonicalNumber', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['0.000', '0'],
    ['0e125', '0'],
    ['007', '7'],
    ['+7', '7'],
    ['1.50', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-1.20e1', '-12'],
    ['0042.1200', '42.12'],
    ['1e3', '1000'],
    ['1E-7', '0.0000001'],
    ['1E125', `1${'0'.repeat(125)}`],
    ['123456789012345678', '123456789012345678'],
  ])('%s becomes %s', (text, canonical) => {
    expect(canonicalNumber(text)).toBe(canonical);
  });

  test('throws what numberProblem says', () => {
    expect(() => canonicalNumber('1E126')).toThrow(overflow);
  });
});

describe('compareNumbers', () => {
  test.each([
    ['2', '10', -1],
    ['-2', '-10', 1],
    ['-1', '1', -1],
    ['0', '-0', 0],
    ['1.0', '1', 0],
    ['1e3', '999', 1],
    ['0.1', '0.09', 1],
    ['12345678901234567890', '12345678901234567891', -1],
    ['-12345678901234567890', '-12345678901234567891', 1],
    ['12345678901234567890', '123456789012345678900', -1],
    ['9007199254740993.0', '9007199254740992.00', 1],
    ['0', '12345678901234567890', -1],
    ['1E-130', '0', 1],
  ])('%s against %s', (left, right, sign) => {
    expect(Math.sign(compareNumbers(left, right))).toBe(sign);
  });
});

describe('addNumbers and subtractNumbers', () => {
  test.each([
    ['1', '2', '3', '-1'],
    ['0.1', '0.2', '0.3', '-0.1'],
    ['5', '-5', '0', '10'],
    ['-1.5', '0.25', '-1.25', '-1.75'],
    ['999999999999999', '1', '1000000000000000', '999999999999998'],
    ['9007199254740993', '9007199254740993', '18014398509481986', '0'],
    ['1e20', '1', '100000000000000000001', '99999999999999999999'],
    ['0', '7.10', '7.1', '-7.1'],
    ['7.10', '0', '7.1', '7.1'],
  ])('%s and %s make %s, and %s', (left, right, sum, difference) => {
    expect([addNumbers(left, right), subtractNumbers(left, right)]).toEqual([sum, difference]);
  });

  test.each([
    ['1e60', '1', tooManyDigits],
    ['9e125', '9e125', overflow],
  ])('%s plus %s cannot be stored', (left, right, problem) => {
    expect(() => addNumbers(left, right)).toThrow(problem);
  });
});
