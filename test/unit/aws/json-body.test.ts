// Aim: the body is the input as JSON, fillers written out at their size, and nothing else touched. Method:
// bodies are parsed back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBody } from '../../../src/aws/json-body.ts';
import type { AttributeMap, AttributeValue } from '../../../src/dynamodb/attribute-value.ts';
import type { Request } from '../../../src/dynamodb/operation.ts';

function put(item: AttributeMap): Request {
  return { api: 'PutItem', input: { TableName: 't', Item: item } };
}

function itemOf(body: string): unknown {
  return JSON.parse(body).Item;
}

test('adds the accounting mode', () => {
  expect(JSON.parse(jsonBody(put({ pk: { S: 'a' } }), 'INDEXES'))).toEqual({
    ReturnConsumedCapacity: 'INDEXES',
    TableName: 't',
    Item: { pk: { S: 'a' } },
  });
});

test('leaves the mode that the scenario asked for', () => {
  const request: Request = { api: 'Scan', input: { TableName: 't', ReturnConsumedCapacity: 'NONE' } };
  expect(jsonBody(request, 'INDEXES')).toBe('{"TableName":"t","ReturnConsumedCapacity":"NONE"}');
});

test('asks for nothing where the server cannot account', () => {
  expect(jsonBody(put({}), undefined)).toBe('{"TableName":"t","Item":{}}');
});

test.each([0, 1, 300, 4_096, 4_097, 400_000])(
  'writes a filler of %i bytes as that many characters',
  (size) => {
    const body = jsonBody(put({ pk: { S: 'a' }, data: { fillerBytes: size } }), undefined);
    expect(itemOf(body)).toEqual({ pk: { S: 'a' }, data: { S: 'x'.repeat(size) } });
  },
);

test('writes several fillers, inside lists and maps too', () => {
  const item: AttributeMap = {
    a: { fillerBytes: 2 },
    l: { L: [{ fillerBytes: 3 }, { M: { deep: { fillerBytes: 1 } } }] },
  };
  expect(itemOf(jsonBody(put(item), 'TOTAL'))).toEqual({
    a: { S: 'xx' },
    l: { L: [{ S: 'xxx' }, { M: { deep: { S: 'x' } } }] },
  });
});

test('an attribute that happens to be called fillerBytes is left alone', () => {
  const item: AttributeMap = { fillerBytes: { M: { fillerBytes: { N: '5' } } } };
  expect(itemOf(jsonBody(put(item), 'INDEXES'))).toEqual(item);
});

test('no text inside an item can pass for a filler', () => {
  const value = fc.oneof(
    fc
      .string({ unit: fc.constantFrom('{"fillerBytes":', '5}', '"', '\\', '{', 'é', '\u0000') })
      .map((S) => ({ S })),
    fc.constant({ fillerBytes: 7 }),
  );
  const plain = (each: AttributeValue): unknown =>
    each.fillerBytes === undefined ? each : { S: 'x'.repeat(each.fillerBytes) };
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', '{"fillerBytes":1}'), value), (item) => {
      const expected = Object.fromEntries(Object.entries(item).map(([name, each]) => [name, plain(each)]));
      expect(itemOf(jsonBody(put(item), 'INDEXES'))).toEqual(expected);
    }),
    { seed: 3, numRuns: 500 },
  );
});
