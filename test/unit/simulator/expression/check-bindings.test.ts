// Aim: a request binds exactly what its expressions use. Method: one row per way to get it wrong.
import { describe, expect, test } from 'vitest';
import { checkBindingsUsed } from '../../../../src/simulator/expression/check-bindings.ts';
import { parseCondition } from '../../../../src/simulator/expression/condition-parser.ts';
import { parseProjection } from '../../../../src/simulator/expression/projection.ts';
import type { Bindings } from '../../../../src/simulator/expression/syntax-tree.ts';

const filter = parseCondition('#a = :v', 'FilterExpression');
const projection = parseProjection('#a, #b');
const good: Bindings = { names: { '#a': 'x', '#b': 'y' }, values: { ':v': { S: 'z' } } };

describe('checkBindingsUsed', () => {
  test('passes what two expressions use between them', () => {
    expect(() => checkBindingsUsed(good, filter, projection)).not.toThrow();
  });

  test('passes a request without expressions and bindings', () => {
    expect(() => checkBindingsUsed({}, undefined)).not.toThrow();
  });

  test.each<[string, Bindings, string]>([
    [
      'an undefined name',
      { names: { '#b': 'y' }, values: good.values },
      'Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #a',
    ],
    [
      'an undefined value',
      { names: good.names },
      'Invalid FilterExpression: An expression attribute value used in expression is not defined; attribute value: :v',
    ],
    [
      'an unused name',
      { ...good, names: { ...good.names, '#x': 'x', '#y': 'y' } },
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#x, #y}',
    ],
    [
      'an unused value',
      { ...good, values: { ...good.values, ':x': { S: 'x' } } },
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}',
    ],
    [
      'a name without its sign',
      { ...good, names: { ...good.names, x: 'x' } },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "x"',
    ],
    [
      'a value without its colon',
      { ...good, values: { ...good.values, x: { S: 'x' } } },
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "x"',
    ],
  ])('rejects %s', (_, bindings, message) => {
    expect(() => checkBindingsUsed(bindings, filter, projection)).toThrow(message);
  });

  test('rejects empty maps', () => {
    expect(() => checkBindingsUsed({ names: {} }, parseProjection('a'))).toThrow(
      'ExpressionAttributeNames must not be empty',
    );
    expect(() => checkBindingsUsed({ values: {} }, parseProjection('a'))).toThrow(
      'ExpressionAttributeValues must not be empty',
    );
  });

  test('rejects bindings where there is no expression', () => {
    expect(() => checkBindingsUsed({ names: { '#a': 'x' } }, undefined)).toThrow(
      'ExpressionAttributeNames can only be specified when using expressions',
    );
  });
});
