// Aim: tokens, reserved words and the memory of parsed texts. Method: rows; the memory is watched through a
// counting parser.
import { expect, test } from 'vitest';
import { tokenize } from '../../../../src/simulator/expression/lexer.ts';
import { cachedByText } from '../../../../src/dynamodb/cached-by-text.ts';
import { isReservedWord } from '../../../../src/simulator/expression/reserved-words.ts';

test.each([
  ['a<=:b', ['name a', 'symbol <=', 'valuePlaceholder :b']],
  ['#n1<>:v_2', ['namePlaceholder #n1', 'symbol <>', 'valuePlaceholder :v_2']],
  ['l[10].k', ['name l', 'symbol [', 'number 10', 'symbol ]', 'symbol .', 'name k']],
  ['f(a, b)', ['name f', 'symbol (', 'name a', 'symbol ,', 'name b', 'symbol )']],
  ['a\n+\t-b', ['name a', 'symbol +', 'symbol -', 'name b']],
  ['# ! é', ['unknown #', 'unknown !', 'unknown é']],
])('%j is cut into its tokens', (text, expected) => {
  const tokens = tokenize(text);
  expect(tokens.slice(0, -1).map((token) => `${token.kind} ${token.text}`)).toEqual(expected);
  expect(tokens.at(-1)).toEqual({ kind: 'end', text: '<EOF>', start: text.length, end: text.length });
  for (const token of tokens.slice(0, -1)) expect(text.slice(token.start, token.end)).toBe(token.text);
});

test.each(['status', 'NAME', 'Ttl', 'uuid', 'zone', 'abort'])('%s is reserved', (word) => {
  expect(isReservedWord(word)).toBe(true);
});

test.each(['pk', 'GSI1PK', 'toString', '', 'statuses'])('%j is not reserved', (word) => {
  expect(isReservedWord(word)).toBe(false);
});

test('a text is parsed once, and again after a thousand others', () => {
  let parsed = 0;
  const parse = cachedByText((text) => ({ text, count: ++parsed }));
  expect(parse('a')).toBe(parse('a'));
  for (let index = 0; index < 1_000; index++) parse(`other ${index}`);
  expect(parse('a').count).toBe(1_002);
});

test('a text that does not parse is tried again', () => {
  let tries = 0;
  const parse = cachedByText(() => {
    tries++;
    throw new Error('no');
  });
  expect(() => parse('a')).toThrow('no');
  expect(() => parse('a')).toThrow('no');
  expect(tries).toBe(2);
});
