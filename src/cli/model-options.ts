// `--model name=value` and `--model-file`: constants of the capacity model that take the place of a preset's.
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type CapacityModel,
  capacityModels,
  type ModelConstants,
  type ModelPreset,
} from '../capacity/capacity-model.ts';
import { constantNames, parseConstant, withConstants } from '../capacity/model-constants.ts';
import { DynoLoadError } from '../errors.ts';

export interface ModelOptions {
  readonly preset: ModelPreset;
  /** Given one by one; they go before those of the file. */
  readonly model: ModelConstants;
  readonly modelFile?: string;
}

/** Adds `--preset`, `--model` and `--model-file`. */
export function addModelOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--preset <name>', 'constants of the capacity model for what AWS does not publish')
        .choices(['default', 'pessimistic', 'optimistic'])
        .default('default'),
    )
    .addOption(
      new Option(
        '--model <name=value>',
        'another value for one constant of the model, for example partitionBurstSeconds=2; may be given again',
      )
        .argParser(parseModelOption)
        .default({}, 'those of the preset'),
    )
    .option('--model-file <file>', 'a JSON object of such constants');
}

/** The preset with the constants that were given. @throws DynoLoadError USAGE for a file that is wrong */
export function modelOf({ preset, model, modelFile }: ModelOptions): CapacityModel {
  const fromFile = modelFile === undefined ? {} : readModelFile(modelFile);
  return withConstants(capacityModels[preset], { ...fromFile, ...model });
}

/** Names of the constants that are not the preset's. */
export function ownConstants(model: CapacityModel): readonly string[] {
  return constantNames.filter((name) => model[name] !== capacityModels[model.preset][name]);
}

function parseModelOption(text: string, before: ModelConstants): ModelConstants {
  const at = text.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('It must read name=value – for example partitionBurstSeconds=2.');
  const parsed = parseConstant(text.slice(0, at).trim(), text.slice(at + 1));
  if (typeof parsed === 'string') throw new InvalidArgumentError(capitalized(parsed));
  return { ...before, ...parsed };
}

function readModelFile(path: string): ModelConstants {
  const value = readJson(path);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidFile(path, 'it is no JSON object');
  const constants: ModelConstants = {};
  for (const [name, one] of Object.entries(value)) {
    const parsed = parseConstant(name, one);
    if (typeof parsed === 'string') throw invalidFile(path, parsed.replace(/\.$/, ''));
    Object.assign(constants, parsed);
  }
  return constants;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw invalidFile(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function invalidFile(path: string, problem: string, cause?: unknown): DynoLoadError {
  return new DynoLoadError('USAGE', {
    what: `--model-file ${path} cannot be used: ${problem}`,
    why: 'it must be a JSON object with constants of the capacity model, each with a value of its kind',
    fix: 'write, for example: { "partitionBurstSeconds": 2, "bankStart": "full" }',
    cause,
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
