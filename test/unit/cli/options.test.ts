// Aim: every option that takes a number takes it in plain decimal notation, and says so where it is written otherwise. Method: a row for each
// option, fed the same spellings of a number; constants of the model, probabilities and times are held to the same rule.
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { constantNames, parseConstant } from '../../../src/capacity/model-constants.ts';
import { addLiveOptions } from '../../../src/cli/live/live-options.ts';
import {
  parseCount,
  parseDurationOption,
  parseFactor,
  parsePort,
  parseRepeats,
  parseWorkers,
} from '../../../src/cli/options.ts';
import { addServeOptions } from '../../../src/cli/serve/serve-options.ts';
import { parseFaultRule } from '../../../src/serve/faults/fault-rule.ts';

/** What an option of a command makes of a text, by the name of the option. */
function optionOf(command: Command, flag: string): (text: string) => unknown {
  const option = command.options.find(({ long }) => long === flag);
  if (option?.parseArg === undefined) throw new Error(`${flag} is no option with a value of its own`);
  const { parseArg } = option;
  return (text) => parseArg(text, undefined);
}

const live = new Command();
addLiveOptions(live);
const serve = addServeOptions(new Command());

/** As a constant is refused: by a text, which its option throws. */
const thrown = (parsed: unknown): unknown => {
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
};

const whole: readonly (readonly [string, (text: string) => unknown])[] = [
  ['run --seed', parseCount],
  ['run --repeat', parseRepeats],
  ['run --workers', parseWorkers],
  ['a port', parsePort],
  ['serve --port', optionOf(serve, '--port')],
  ['serve --seed', optionOf(serve, '--seed')],
];
const fractions: readonly (readonly [string, (text: string) => unknown])[] = [
  ['run --rate-factor', parseFactor],
  ['run --max-cost', optionOf(live, '--max-cost')],
  ['serve --throughput-scale', optionOf(serve, '--throughput-scale')],
];

const spellings = [
  '0x50',
  '0b11',
  '0o17',
  '1e2',
  '1E2',
  ' 80 ',
  '80 ',
  '\t80',
  '+80',
  '-80',
  '8_0',
  '8,0',
  '٣',
  '',
];

describe('not in plain decimal notation', () => {
  test.each([...whole, ...fractions])('%s refuses a number, and says how to write it', (_, parse) => {
    for (const text of [...spellings, 'Infinity', 'NaN', '9'.repeat(400)])
      expect(() => parse(text), text).toThrow(/in plain decimal digits/);
  });

  test.each(whole)('%s takes no part of a whole', (_, parse) => {
    for (const text of ['80.0', '80.', '.5', '9007199254740993']) expect(() => parse(text), text).toThrow();
  });

  test.each(constantNames.filter((name) => typeof parseConstant(name, 'true') === 'string'))(
    'the constant %s refuses a number',
    (name) => {
      for (const text of spellings) expect(() => thrown(parseConstant(name, text)), text).toThrow();
    },
  );

  test('a constant of the model is told how to write it', () => {
    expect(parseConstant('partitionBurstSeconds', '1e2')).toMatch(/in plain decimal digits/);
    expect(() => optionOf(serve, '--model')('partitionBurstSeconds= 2')).toThrow(/in plain decimal digits/);
  });

  test('the probability of a fault is told how to write it', () => {
    for (const text of ['1e-1', '0x1', ' 0.1', '0.1 ', '+0.1', '1_0'])
      expect(parseFaultRule(`throttle:${text}@PutItem`), text).toMatch(/in plain decimal digits/);
  });

  test('a time is none', () => {
    for (const text of [' 30s', '30s ', '1e3s', '0x1s', '+1s', `${'9'.repeat(400)}h`, '999999999999h'])
      expect(() => parseDurationOption(text), text).toThrow(/a time with its unit/);
  });
});

describe('in plain decimal notation', () => {
  test.each(whole)('%s takes a whole number', (_, parse) => {
    expect(parse('80')).toBe(80);
    expect(parse('080')).toBe(80);
  });

  test.each(fractions)('%s takes a whole number, and a part of one', (_, parse) => {
    expect(parse('80')).toBe(80);
    expect(parse('0.25')).toBe(0.25);
    expect(parse('.25')).toBe(0.25);
    expect(() => parse('0')).toThrow(/above 0/);
  });

  test('the bounds of a port are told', () => {
    expect(parsePort('65535')).toBe(65_535);
    expect(() => parsePort('65536')).toThrow(/0 to 65535/);
  });
});
