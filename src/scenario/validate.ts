// From whatever a file exports to a scenario that can be planned, or to every problem at once.
import type { ModelConstants } from '../capacity/capacity-model.ts';
import { constantNames, parseConstant } from '../capacity/model-constants.ts';
import { type Fields, isFields, isFunction, SpecReader, showValue } from './spec-reader.ts';
import { evaluateVariant, type ScenarioFunctions } from './evaluate-variant.ts';
import { IssueList } from './issues.ts';
import { type Parameter, readParameters } from './parameters.ts';
import { isScenario, specOf } from './scenario.ts';
import { type CheckedStage, readStages } from './stages.ts';
import { chooseVariants } from './variants.ts';

/** A scenario that was found sound in all its variants. */
export interface ValidScenario {
  /** The file as the user named it. */
  readonly file: string;
  readonly question: string;
  readonly parameters: readonly Parameter[];
  readonly functions: ScenarioFunctions;
  readonly stages: readonly CheckedStage[];
  readonly startsAtMs: number;
  readonly seed: number;
  /** Constants of the capacity model that are not to be a preset's. */
  readonly model: ModelConstants;
  /** Read anew for each variant, whose workloads they name. */
  readonly thresholds: unknown;
  readonly abort: unknown;
}

/** 2026-01-01T00:00:00Z. */
const DEFAULT_START_MS = Date.UTC(2026, 0, 1);
const DEFAULT_SEED = 1;

const members = [
  'question',
  'parameters',
  'skip',
  'tables',
  'data',
  'stages',
  'startsAt',
  'seed',
  'model',
  'workloads',
  'thresholds',
  'abort',
];

/**
 * Checks the default export of a scenario file, its functions included: each is called for each variant.
 * @param options.file  the file as the user named it, for places in errors
 * @throws DynoLoadError SCENARIO_INVALID with all problems, or SCENARIO_FUNCTION_THREW where the only one is
 * an exception
 */
export function validateScenario(exported: unknown, { file }: { readonly file: string }): ValidScenario {
  const issues = new IssueList(file);
  const scenario = readScenario(exported, issues);
  if (scenario) {
    const variants = chooseVariants(scenario.parameters, scenario.functions.skip, issues);
    for (const chosen of variants)
      evaluateVariant({ ...scenario, chosen, issues, tableName: (logicalName) => logicalName });
  }
  if (scenario && issues.count === 0) return scenario;
  throw issues.toError();
}

function readScenario(exported: unknown, issues: IssueList): ValidScenario | undefined {
  const reader = new SpecReader(specFields(exported, issues) ?? {}, '', issues);
  if (issues.count > 0) return undefined;
  reader.allowOnly(members);
  const question = readQuestion(reader);
  const parameters = readParameters(reader.fields['parameters'], issues);
  const stages = readStages(reader.fields['stages'], issues);
  const startsAtMs = readStart(reader);
  const seed = reader.wholeNumber('seed', { least: 0, most: Number.MAX_SAFE_INTEGER, unit: 'seeds' });
  const model = readModel(reader);
  const functions = readFunctions(reader);
  if (!functions) return undefined;
  return {
    file: issues.file,
    question: question ?? '',
    parameters,
    functions,
    stages,
    startsAtMs: startsAtMs ?? DEFAULT_START_MS,
    seed: seed ?? DEFAULT_SEED,
    model,
    thresholds: reader.fields['thresholds'],
    abort: reader.fields['abort'],
  };
}

function specFields(exported: unknown, issues: IssueList): Fields | undefined {
  const spec = isScenario(exported) ? specOf(exported) : undefined;
  if (isFields(spec)) return spec;
  issues.add({
    at: 'the default export',
    is: `is ${showValue(exported)}`,
    why: 'a scenario is made by defineScenario',
    fix: "write export default defineScenario({ question: '…', … })",
  });
  return undefined;
}

function readQuestion(reader: SpecReader): string | undefined {
  const value = reader.fields['question'];
  if (typeof value === 'string' && value.trim() !== '') return value;
  return reader.problem(
    'question',
    value === undefined ? 'is missing' : `is ${showValue(value)}`,
    'a scenario asks one question, and the report leads with it',
    'write the question that the run shall answer',
  );
}

/** ISO 8601 with a zone: without one the moment would depend on the machine. */
const momentPattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

function readStart(reader: SpecReader): number | undefined {
  const value = reader.fields['startsAt'];
  if (value === undefined) return undefined;
  const ms = typeof value === 'string' && momentPattern.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  return reader.problem(
    'startsAt',
    `is ${showValue(value)}`,
    'it is a moment with a time zone, so that it is the same one everywhere',
    "write for example '2026-01-01T23:59:00Z'",
  );
}

function readModel({ fields, issues }: SpecReader): ModelConstants {
  const { model } = fields;
  if (model === undefined) return {};
  const reader = SpecReader.of(model, 'model', issues, 'the capacity model');
  if (reader === undefined) return {};
  reader.allowOnly(constantNames);
  const constants: ModelConstants = {};
  for (const [name, value] of Object.entries(reader.fields)) {
    if (value === undefined || !constantNames.some((one) => one === name)) continue;
    const parsed = parseConstant(name, value);
    if (typeof parsed === 'string') {
      const [, why = parsed] = parsed.replace(/\.$/, '').split(': ');
      reader.problem(name, `is ${showValue(value)}`, why, 'see the README for what each constant means');
    } else Object.assign(constants, parsed);
  }
  return constants;
}

function readFunctions(reader: SpecReader): ScenarioFunctions | undefined {
  const { skip, tables, data, workloads } = reader.fields;
  for (const name of ['skip', 'tables', 'data', 'workloads'])
    if (reader.has(name) && !isFunction(reader.fields[name]))
      reader.problem(
        name,
        `is ${showValue(reader.fields[name])}`,
        'it may depend on the parameters, so it is a function',
        `write ${name}: () => …`,
      );
  reader.require(
    'tables',
    'load needs a table to go to',
    "add tables: () => ({ keys: { partition: 'PK' } })",
  );
  reader.require('workloads', 'without a workload there is no load', 'add workloads: () => ({ … })');
  if (!isFunction(tables) || !isFunction(workloads)) return undefined;
  return {
    skip: isFunction(skip) ? skip : undefined,
    tables,
    data: isFunction(data) ? data : undefined,
    workloads,
  };
}
