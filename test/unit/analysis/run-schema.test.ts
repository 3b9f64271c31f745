// Aim: run.json is read back whole or refused in words, and its published schema is the one in force. Method:
// a frozen run, broken in one place per row.
import { describe, expect, test } from 'vitest';
import { DynoLoadError } from '../../../src/errors.ts';
import { parseRunResult, runJsonSchema } from '../../../src/analysis/run-schema.ts';
import { frozenText } from '../../support/frozen-file.ts';
import { shardingRun } from '../../support/frozen-runs.ts';

/** The message of the refusal. */
function refusalOf(value: unknown): string {
  try {
    parseRunResult(value, 'x/run.json');
  } catch (error) {
    if (error instanceof DynoLoadError && error.code === 'RUN_FOLDER_INVALID') return error.what;
    throw error;
  }
  return 'accepted';
}

describe('parseRunResult', () => {
  test('gives back what was written', () => {
    const run = shardingRun();
    expect(parseRunResult(JSON.parse(JSON.stringify(run)))).toEqual(run);
  });

  test('names the place and the kind of each problem', () => {
    const run = shardingRun();
    const broken = { ...run, variants: run.variants.map((variant) => ({ ...variant, index: -1 })) };
    expect(refusalOf(broken)).toMatch(
      /^x\/run\.json is not the record of a run: variants\[0\]\.index: .*>=0/,
    );
  });

  test('names five problems at most and counts the rest', () => {
    expect(refusalOf({ schemaVersion: 1 })).toMatch(/(; [a-zA-Z]+: [^;]+){4}; and \d+ more$/);
  });

  test.each([
    [2, 'x/run.json has schema version 2, and this dyno-load reads up to 1'],
    [99, 'x/run.json has schema version 99, and this dyno-load reads up to 1'],
  ])('refuses version %i of a newer dyno-load and says so', (schemaVersion, what) => {
    expect(refusalOf({ ...shardingRun(), schemaVersion })).toBe(what);
  });

  test.each([['a text'], [null], [[]], [42]])('refuses %j', (value) => {
    expect(refusalOf(value)).toContain('is not the record of a run: the file: ');
  });
});

test('the published JSON Schema is the one in force', () => {
  const text = `${JSON.stringify(runJsonSchema(), null, 2)}\n`;
  expect(text).toBe(frozenText('src/analysis/run.schema.json', text));
});
