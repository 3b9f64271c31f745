// Aim: every option that takes a number takes it in plain decimal notation, and says so where it is written
// otherwise. Method: a row for each option, fed the same spellings of a number; constants of the model,
// probabilities and times are held to the same rule.
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
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

/** Those of some texts that a parser takes, or refuses in other words. */
function notRefused(
  parse: (text: string) => unknown,
  texts: readonly string[],
  words: RegExp,
): readonly string[] {
  return texts.filter((text) => {
    try {
      const parsed = parse(text);
      // What is wrong with a constant, or with a fault, is their value.
      return !(typeof parsed === 'string' && words.test(parsed));
    } catch (error) {
      return !words.test(String(error));
    }
  });
}

const plain = /in plain decimal digits/;

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
    const texts = [...spellings, 'Infinity', 'NaN', '9'.repeat(400)];
    expect(notRefused(parse, texts, plain)).toEqual([]);
  });

  test.each(whole)('%s takes no part of a whole', (_, parse) => {
    expect(notRefused(parse, ['80.0', '80.', '.5', '9007199254740993'], plain)).toEqual([]);
  });

  const numbers = constantNames.filter((name) => typeof capacityModels.default[name] === 'number');
  test.each(numbers)('the constant %s refuses a number, and says how to write it', (name) => {
    expect(notRefused((text) => parseConstant(name, text), spellings, plain)).toEqual([]);
  });

  test('a constant is refused with blanks around it', () => {
    const parse = optionOf(serve, '--model');
    expect(notRefused(parse, ['partitionBurstSeconds= 2', 'partitionBurstSeconds=2 '], plain)).toEqual([]);
  });

  test('the probability of a fault is refused, and it is said how to write it', () => {
    const texts = ['1e-1', '0x1', ' 0.1', '0.1 ', '+0.1', '1_0'].map((text) => `throttle:${text}@PutItem`);
    expect(notRefused(parseFaultRule, texts, plain)).toEqual([]);
  });

  test('a time is none', () => {
    const texts = [' 30s', '30s ', '1e3s', '0x1s', '+1s', `${'9'.repeat(400)}h`, '999999999999h'];
    expect(notRefused(parseDurationOption, texts, /a time with its unit/)).toEqual([]);
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
