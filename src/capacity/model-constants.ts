// Constants of the capacity model as users set them, `name=value` or the members of a JSON file, checked one by
// one: names, types, and values that make no sense.
import { type CapacityModel, capacityModels, describeModel, type ModelConstants } from './capacity-model.ts';
import { parseDecimal } from '../units.ts';
import { MAX_PARTITIONS } from './partition-map.ts';

type ConstantName = keyof ModelConstants;

/** Values of constants that are words. */
const words: { readonly [N in ConstantName]?: readonly string[] } = {
  bankStart: ['spent', 'full'],
  placement: ['random', 'even'],
};

/** Whole numbers of at least 1, and what they are at most. */
const counts: { readonly [N in ConstantName]?: number } = {
  newTablePartitions: MAX_PARTITIONS,
  partitionBytes: Number.MAX_SAFE_INTEGER,
};

/** Units per second that a partition has at least: less would make more partitions than fit in memory. */
const ceilings: readonly ConstantName[] = ['partitionWriteUnits', 'partitionReadUnits'];

/** Shares of a whole, 0 to 1. */
const ratios: readonly ConstantName[] = ['splitThresholdRatio', 'monotonicRatio'];

/** Numbers that may be 0, as no time at all is a time. */
const mayBeZero = /(?:Seconds|Ms)$/;

/** All constants that can be set, in the order of `describeModel`. */
export const constantNames = describeModel(capacityModels.default)
  .map(({ name }) => name)
  .filter((name): name is ConstantName => name !== 'preset');

/**
 * Reads one constant, from the command line or a file.
 * @param value  a text such as `2` or `full`, or a value of JSON
 * @returns the constant as a model of its own; or what is wrong, as a sentence
 */
export function parseConstant(nameText: string, value: unknown): ModelConstants | string {
  const name = constantNames.find((one) => one === nameText);
  if (name === undefined)
    return `the capacity model has no constant "${nameText}"; it has ${constantNames.join(', ')}.`;
  const parsed = parseValue(name, value);
  if (parsed !== undefined) return { [name]: parsed };
  const shown = typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
  return `${name} cannot be ${shown}: it must be ${expected(name)}${isNumber(name) ? ', in plain decimal digits' : ''}.`;
}

/** A model with some constants of its own. */
export function withConstants(model: CapacityModel, constants: ModelConstants): CapacityModel {
  return { ...model, ...constants };
}

function parseValue(name: ConstantName, value: unknown): string | number | boolean | undefined {
  const choices = words[name];
  if (choices !== undefined) return choices.find((choice) => choice === value);
  if (isSwitch(name)) {
    if (typeof value === 'boolean') return value;
    return value === 'true' ? true : value === 'false' ? false : undefined;
  }
  const number = typeof value === 'string' ? parseDecimal(value) : value;
  return typeof number === 'number' && isSensible(name, number) ? number : undefined;
}

function isSensible(name: ConstantName, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const most = counts[name];
  if (most !== undefined) return Number.isInteger(value) && value >= 1 && value <= most;
  if (ceilings.includes(name)) return value >= 1;
  if (ratios.includes(name)) return value >= 0 && value <= 1;
  return mayBeZero.test(name) ? value >= 0 : value > 0;
}

function isNumber(name: ConstantName): boolean {
  return typeof capacityModels.default[name] === 'number';
}

function isSwitch(name: ConstantName): boolean {
  return typeof capacityModels.default[name] === 'boolean';
}

function expected(name: ConstantName): string {
  const choices = words[name];
  if (choices !== undefined) return choices.map((choice) => `"${choice}"`).join(' or ');
  if (isSwitch(name)) return 'true or false';
  const most = counts[name];
  if (most !== undefined) return `a whole number from 1 to ${most}`;
  if (ceilings.includes(name)) return 'a number of 1 or more';
  if (ratios.includes(name)) return 'a number from 0 to 1';
  return mayBeZero.test(name) ? 'a number of 0 or more' : 'a number above 0';
}
