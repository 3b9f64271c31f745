// Aim: expressions are held to the quotas of "Quotas in Amazon DynamoDB", section "Expression parameters",
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30, and no
// text exhausts the stack. Method: for each quota the last text that keeps it and the first that breaks it;
// for the stack, the deepest nestings that fit into 4 KB.
import { describe, expect, test } from 'vitest';
import { checkBindingsUsed } from '../../../../src/simulator/expression/check-bindings.ts';
import { evaluateCondition } from '../../../../src/simulator/expression/condition-evaluator.ts';
import { parseCondition } from '../../../../src/simulator/expression/condition-parser.ts';
import { parseKeyCondition } from '../../../../src/simulator/expression/key-condition-terms.ts';
import { parseProjection } from '../../../../src/simulator/expression/projection.ts';
import { parseUpdate } from '../../../../src/simulator/expression/update-parser.ts';

const filter = (text: string) => parseCondition(text, 'FilterExpression');
const list = (count: number, text: string, separator: string) => Array(count).fill(text).join(separator);
const sums = (count: number) =>
  `SET ${Array.from({ length: count }, (_, index) => `a${index}=b+:v`).join(',')}`;

describe('300 operators and functions', () => {
  test.each<[string, string, string]>([
    ['comparators and ANDs', list(150, 'a=:v', ' AND '), ' AND (NOT a=:v)'],
    ['comparators and ORs', list(150, 'a<:v', ' OR '), ' OR a<:v'],
    ['NOTs and a function', `${'NOT '.repeat(299)}attribute_exists(a)`, ' AND a=:v'],
    ['BETWEENs and ANDs that join', list(150, 'a BETWEEN :a AND :b', ' AND '), ' OR a=:v'],
    ['INs, whatever their operands', list(150, 'a IN (:a,:b,:c)', ' AND '), ' OR a=:v'],
    ['functions in comparators', list(100, 'size(a)=:v', ' OR '), ' OR size(a)=:v'],
  ])('hold for %s', (_, kept, more) => {
    expect(() => filter(kept)).not.toThrow();
    expect(() => filter(kept + more)).toThrow(
      'Invalid FilterExpression: The expression contains too many operators; operator count: 301',
    );
  });

  test('hold for sums and functions of updates, whose assignments do not count', () => {
    expect(() => parseUpdate(sums(300))).not.toThrow();
    expect(() => parseUpdate(`SET ${list(400, 'a=:v', ',')}`)).not.toThrow();
    const message =
      'Invalid UpdateExpression: The expression contains too many operators; operator count: 301';
    expect(() => parseUpdate(sums(301))).toThrow(message);
    const calls = (depth: number) => `SET c=${'list_append(b,'.repeat(depth)}:v${')'.repeat(depth)}`;
    const mixed = (depth: number) => `${calls(depth)},d=${'if_not_exists(b,:v),e='.repeat(50)}a+:v`;
    expect(() => parseUpdate(calls(200))).not.toThrow();
    expect(() => parseUpdate(`${calls(150)},${sums(150).slice(4)}`)).not.toThrow();
    expect(() => parseUpdate(`${calls(150)},${sums(151).slice(4)}`)).toThrow(message);
    expect(() => parseUpdate(mixed(150))).not.toThrow();
  });

  test('hold for key conditions', () => {
    expect(() => parseKeyCondition(list(151, 'a=:v', ' AND '))).toThrow(
      'Invalid KeyConditionExpression: The expression contains too many operators; operator count: 301',
    );
  });

  test('can all be evaluated, however they are nested', () => {
    const item = { a: { N: '1' } };
    expect(evaluateCondition(filter(`${'NOT '.repeat(299)}attribute_exists(a)`), item, {})).toBe(false);
    const nested = `${'a=:v AND ('.repeat(149)}a=:v${')'.repeat(149)}`;
    expect(evaluateCondition(filter(nested), item, { values: { ':v': { N: '1' } } })).toBe(true);
  });
});

describe('texts of 4 KB that nest as deep as they can are refused', () => {
  test.each<[string, string, string]>([
    ['open brackets', '('.repeat(4_096), 'redundant parentheses'],
    ['brackets that open and close', `${'('.repeat(2_000)}a=b${')'.repeat(2_000)}`, 'redundant parentheses'],
    ['negated brackets', 'NOT('.repeat(1_024), 'too many operators'],
    ['negations', 'NOT '.repeat(1_024), 'too many operators'],
    ['calls in calls', 'f('.repeat(2_048), 'too many operators'],
    ['sizes of sizes', `${'size('.repeat(600)}a${')'.repeat(600)} = :v`, 'too many operators'],
  ])('%s', (_, text, problem) => {
    expect(() => filter(text)).toThrow(problem);
  });

  test.each<[string, string, string]>([
    ['open brackets', `SET a=${'('.repeat(4_090)}`, 'redundant parentheses'],
    ['calls in calls', `SET a=${'f('.repeat(2_045)}`, 'too many operators'],
  ])('%s in an update', (_, text, problem) => {
    expect(() => parseUpdate(text)).toThrow(problem);
  });
});

describe('placeholders', () => {
  const bindings = (bytes: number) => ({
    names: { [`#${'n'.repeat(bytes - 1)}`]: 'a' },
    values: { [`:${'v'.repeat(bytes - 1)}`]: { N: '1' } },
  });
  const text = (bytes: number) => `#${'n'.repeat(bytes - 1)} = :${'v'.repeat(bytes - 1)}`;

  test('have 255 bytes at most', () => {
    expect(() => checkBindingsUsed(bindings(255), filter(text(255)))).not.toThrow();
    const { names, values } = bindings(256);
    expect(() => checkBindingsUsed({ names, values }, filter(text(256)))).toThrow(
      'ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256',
    );
    const [value] = Object.keys(values);
    expect(() => checkBindingsUsed({ values }, filter(`a = ${value}`))).toThrow(
      'ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long; size of key: 256',
    );
  });
});

test('paths have 32 steps at most', () => {
  expect(() => parseProjection(`a${'[0].b'.repeat(15)}.c`)).not.toThrow();
  expect(() => parseProjection(`a${'[0].b'.repeat(16)}`)).toThrow(
    'Invalid ProjectionExpression: The document path has too many nesting elements; nesting levels: 33',
  );
});
