// Aim: a request's members have the types that the rest of the server relies on, or the request is refused in
// DynamoDB's words. Method: rows of inputs to real shapes of the data plane, with the message they must give
// or what must be left of them.
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../src/dynamodb/api-error.ts';
import { conformStructure } from '../../../../src/serve/input/conform.ts';
import { checkConstraints } from '../../../../src/serve/input/constraints.ts';
import { controlShapes } from '../../../../src/serve/input/control-shapes.ts';
import { dataShapes } from '../../../../src/serve/input/data-shapes.ts';
import type { StructureShape } from '../../../../src/serve/input/shape.ts';

/** The error of an input, or what it became. */
function read(shape: StructureShape, input: object): unknown {
  try {
    const body = conformStructure(structuredClone(input), shape);
    checkConstraints(body, shape);
    return body;
  } catch (error) {
    if (error instanceof ApiError) return `${error.type}: ${error.message}`;
    throw error;
  }
}

const put = (item: object) => read(dataShapes.PutItem, { TableName: 't', Item: item });

describe('types', () => {
  test.each([
    ['a number where a name belongs', { TableName: 23 }, 'NUMBER_VALUE cannot be converted to String'],
    ['a fraction where a name belongs', { TableName: 2.5 }, 'DECIMAL_VALUE cannot be converted to String'],
    ['true where a name belongs', { TableName: true }, 'TRUE_VALUE cannot be converted to String'],
    ['a list where a name belongs', { TableName: [] }, 'Unrecognized collection type class java.lang.String'],
    [
      'an object where a name belongs',
      { TableName: {} },
      'Start of structure or map found where not expected',
    ],
    ['a text where a flag belongs', { ConsistentRead: 'x' }, 'Unexpected token received from parser'],
    ['a number where a flag belongs', { ConsistentRead: 1 }, 'NUMBER_VALUE cannot be converted to Boolean'],
    ['a text where a key belongs', { Key: 'x' }, 'Unexpected field type'],
    ['a list where a key belongs', { Key: [] }, 'Unrecognized collection type'],
    ['a text where names belong', { ExpressionAttributeNames: 'x' }, 'Unexpected field type'],
  ])('refuse %s', (_, input, message) => {
    expect(read(dataShapes.GetItem, input)).toBe(`SerializationException: ${message}`);
  });

  test('take a text for no number, and cut a fraction off', () => {
    expect(read(dataShapes.Query, { Limit: '1' })).toBe(
      'SerializationException: STRING_VALUE cannot be converted to Integer',
    );
    expect(read(dataShapes.Query, { TableName: 't', Limit: 1.9 })).toEqual({ TableName: 't', Limit: 1 });
  });

  test('overlook members that are null or not known, inherited names included', () => {
    const input = JSON.parse(
      '{"TableName":"t","Key":{},"ConsistentRead":null,"constructor":1,"__proto__":{"Key":5}}',
    ) as object;
    expect(read(dataShapes.GetItem, input)).toEqual({ TableName: 't', Key: {} });
  });

  test('name the expression that replaces a legacy parameter', () => {
    expect(read(dataShapes.Query, { TableName: 't', KeyConditions: {} })).toBe(
      'ValidationException: dyno-load does not support KeyConditions: it is a legacy parameter; use KeyConditionExpression',
    );
  });
});

describe('attribute values', () => {
  test.each([
    [
      'a number that is no text',
      { N: 5 },
      'SerializationException: NUMBER_VALUE cannot be converted to String',
    ],
    [
      'a text that is no text',
      { S: true },
      'SerializationException: TRUE_VALUE cannot be converted to String',
    ],
    [
      'a flag that is a text',
      { BOOL: 'true' },
      'SerializationException: Unexpected token received from parser',
    ],
    ['a value that is no object', 'x', 'SerializationException: Unexpected field type'],
    ['a set that is no list', { SS: 'x' }, 'SerializationException: Unexpected field type'],
    [
      'a set of numbers as such',
      { NS: [1] },
      'SerializationException: NUMBER_VALUE cannot be converted to String',
    ],
    [
      'base64 of a wrong length',
      { B: 'abc' },
      'SerializationException: Base64 encoded length is expected a multiple of 4 bytes but found: 3',
    ],
    ['base64 of wrong characters', { B: 'ab-_' }, 'SerializationException: Invalid Base64 text'],
    ['padding within base64', { BS: ['a=bc'] }, 'SerializationException: Invalid Base64 text'],
    [
      'a set of what is no number',
      { NS: ['x'] },
      'ValidationException: The parameter cannot be converted to a numeric value: x',
    ],
  ])('refuse %s', (_, value, message) => {
    expect(put({ a: value })).toBe(message);
    // As deep as it may stand.
    expect(put({ a: { L: [{ M: { b: value } }] } })).toBe(message);
  });

  test('lose types that DynamoDB does not know, and count those that are null as absent', () => {
    expect(put({ a: { S: 'x', fillerBytes: 7, X: 1 }, b: null, c: { S: null } })).toEqual({
      TableName: 't',
      Item: { a: { S: 'x' }, b: {}, c: {} },
    });
  });

  test('have sets in order, by bytes and by value', () => {
    const item = {
      s: { SS: ['b', '\u{1f600}', '\uffff', 'a'] },
      n: { NS: ['10', ' 9.0 ', '-1e1'] },
      b: { BS: ['/w==', 'AA=='] },
    };
    expect(put(item)).toMatchObject({
      // U+1F600 takes four bytes in UTF-8 and stands behind U+FFFF, before which UTF-16 would put it.
      Item: {
        s: { SS: ['a', 'b', '\uffff', '\u{1f600}'] },
        n: { NS: ['-10', '9', '10'] },
        b: { BS: ['AA==', '/w=='] },
      },
    });
  });

  test('end where no item can be as deep', () => {
    let value: object = { S: 'x' };
    for (let level = 0; level < 100; level++) value = { L: [value] };
    expect(put({ a: value })).toBe('ValidationException: Nesting Levels have exceeded supported limits');
  });
});

describe('constraints', () => {
  test.each([
    [
      'a missing member',
      dataShapes.GetItem,
      { TableName: 't' },
      "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null",
    ],
    [
      'all that is wrong at once',
      controlShapes.ListTables,
      { Limit: 101, ExclusiveStartTableName: 'a;' },
      "3 validation errors detected: Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; " +
        "Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater than or equal to 3; " +
        "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100",
    ],
    [
      'a place within lists',
      dataShapes.TransactWriteItems,
      { TransactItems: [{}, { Update: { TableName: 't', Key: {} } }] },
      "1 validation error detected: Value null at 'transactItems.2.member.update.updateExpression' failed to satisfy constraint: Member must not be null",
    ],
    [
      'a choice that there is not',
      controlShapes.CreateTable,
      { TableName: 'abc', AttributeDefinitions: [], KeySchema: [{ AttributeName: 'a', KeyType: 'HASHED' }] },
      "1 validation error detected: Value 'HASHED' at 'keySchema.1.member.keyType' failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]",
    ],
  ])('tell %s', (_, shape, input, message) => {
    expect(read(shape, input)).toBe(`ValidationException: ${message}`);
  });

  test.each([
    ['abc!', 'satisfy regular expression pattern: [a-zA-Z0-9_.-]+'],
    ['a'.repeat(256), 'have length less than or equal to 255'],
    [
      'arn:aws:dynamodb:us-east-1:000000000000:table/a!',
      'satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
    ],
  ])('hold for the name of a table: %j', (TableName, rule) => {
    expect(read(dataShapes.GetItem, { TableName, Key: {} })).toContain(
      `'tableName' failed to satisfy constraint: Member must ${rule}`,
    );
  });

  test('let an ARN stand for the name of a table', () => {
    const TableName = 'arn:aws:dynamodb:us-east-1:000000000000:table/orders';
    expect(read(dataShapes.GetItem, { TableName, Key: {} })).toEqual({ TableName, Key: {} });
  });

  test('never quote megabytes', () => {
    const message = read(controlShapes.ListTables, { ExclusiveStartTableName: 'a'.repeat(1_000_000) });
    expect(String(message).length).toBeLessThan(1_000);
  });
});
