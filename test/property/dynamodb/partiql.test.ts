// Aim: the parser of PartiQL understands every statement as it was meant, and no text brings it down. Method: random
// trees are printed and parsed again; random texts, and statements with a piece cut out, are parsed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/dynamodb/api-error.ts';
import { parseStatement } from '../../../src/dynamodb/partiql/statement-parser.ts';
import { anyStatement, statementText } from '../../support/partiql-text.ts';

const seed = 20_260_131;

test('a statement that is printed and parsed again is the same statement', () => {
  fc.assert(
    fc.property(anyStatement, (statement) => {
      const text = statementText(statement);
      fc.pre(text.length <= 8_192);
      const parsed = parseStatement(text);
      expect(withoutIndexes(parsed.statement)).toEqual(withoutIndexes(statement));
      expect(parsed.parameterCount).toBe(parametersIn(statement));
    }),
    { seed, numRuns: 1_000 },
  );
});

test('parameters are counted in the order of the text', () => {
  fc.assert(
    fc.property(anyStatement, (statement) => {
      const { statement: parsed, parameterCount } = parseStatement(statementText(statement));
      const indexes = [...JSON.stringify(parsed).matchAll(/"parameter","index":(\d+)/g)].map(([, at]) =>
        Number(at),
      );
      expect(indexes.toSorted((one, two) => one - two)).toEqual(
        Array.from({ length: parameterCount }, (_, at) => at),
      );
    }),
    { seed, numRuns: 300 },
  );
});

test('a text that is no statement is refused with an error of DynamoDB', () => {
  const broken = fc
    .tuple(anyStatement, fc.nat(), fc.nat(20))
    .map(([statement, at, length]) => cutOut(statementText(statement), at, length));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), broken), (text) => {
      try {
        parseStatement(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }),
    { seed, numRuns: 1_000 },
  );
});

function cutOut(text: string, at: number, length: number): string {
  const start = at % (text.length + 1);
  return text.slice(0, start) + text.slice(start + length);
}

function withoutIndexes(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree).replaceAll(/"parameter","index":\d+/g, '"parameter"')) as unknown;
}

function parametersIn(tree: unknown): number {
  return JSON.stringify(tree).split('"kind":"parameter"').length - 1;
}
