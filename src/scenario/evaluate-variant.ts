// Asks a scenario's functions for one variant: tables, data, workloads. Everything they return is checked
// here.
import type { TableSpec } from '../dynamodb/table-spec.ts';
import type { Item } from '../workload/item.ts';
import { isPreload, type Preload } from '../workload/preload.ts';
import type { AbortCondition, Goal } from './goal.ts';
import type { IssueList } from './issues.ts';
import { type CheckedLoad, type CheckedPolicy, loadMembers, readLoad, readPolicy } from './load-plan.ts';
import { suggestion } from './nearest-name.ts';
import { checkSpec } from './operations/check-spec.ts';
import { isFields, SpecReader, showValue, type UserFunction } from './spec-reader.ts';
import { planTables } from './table-plan.ts';
import { readAbortConditions, readThresholds } from './thresholds.ts';
import { callUserFunction } from './user-function.ts';
import type { ChosenVariant } from './variants.ts';
import { isWorkload, type WorkloadDefinition } from './workload.ts';

/** The functions of a scenario, known to be functions and nothing more. */
export interface ScenarioFunctions {
  readonly skip: UserFunction | undefined;
  readonly tables: UserFunction;
  readonly data: UserFunction | undefined;
  readonly workloads: UserFunction;
}

export interface CheckedWorkload {
  readonly name: string;
  readonly definition: WorkloadDefinition;
  readonly load: CheckedLoad;
  readonly policy: CheckedPolicy;
}

/** A variant with everything that its functions returned. */
export interface EvaluatedVariant {
  readonly chosen: ChosenVariant;
  readonly tables: readonly TableSpec[];
  readonly preloads: ReadonlyMap<string, Preload<Item>>;
  readonly workloads: readonly CheckedWorkload[];
  readonly goals: readonly Goal[];
  readonly abortConditions: readonly AbortCondition[];
}

interface Evaluation {
  readonly functions: ScenarioFunctions;
  readonly thresholds: unknown;
  readonly abort: unknown;
  readonly chosen: ChosenVariant;
  /** The name on the target for a table's name in the scenario. */
  readonly tableName: (logicalName: string) => string;
  readonly issues: IssueList;
}

/**
 * Evaluates and checks one variant; problems go to `issues`, and what depends on a broken part is left out.
 */
export function evaluateVariant(evaluation: Evaluation): EvaluatedVariant | undefined {
  const { functions, chosen, issues } = evaluation;
  issues.enterVariant(chosen.variant.name);
  const tables = call(evaluation, 'tables', () => functions.tables(chosen.chosen));
  const specs = tables && planTables(tables.value, issues, evaluation.tableName);
  const data = call(evaluation, 'data', () => functions.data?.(chosen.chosen) ?? {});
  const preloads = data && readPreloads(data.value, specs ?? [], issues);
  const workloads =
    data && call(evaluation, 'workloads', () => functions.workloads(chosen.chosen, data.value));
  const checked = workloads && specs && readWorkloads(workloads.value, specs, issues);
  const names = isFields(workloads?.value) ? Object.keys(workloads.value) : undefined;
  const goals = names ? readThresholds(evaluation.thresholds, names, issues) : [];
  const abortConditions = names ? readAbortConditions(evaluation.abort, names, issues) : [];
  issues.enterVariant(undefined);
  if (!specs || !preloads || !checked) return undefined;
  return { chosen, tables: specs, preloads, workloads: checked, goals, abortConditions };
}

function call(
  { issues }: Evaluation,
  at: string,
  make: () => unknown,
): { readonly value: unknown } | undefined {
  const called = callUserFunction(at, issues.file, make);
  if ('value' in called) return called;
  issues.add(called.issue);
  return undefined;
}

function readPreloads(
  data: unknown,
  tables: readonly TableSpec[],
  issues: IssueList,
): ReadonlyMap<string, Preload<Item>> {
  const preloads = new Map<string, Preload<Item>>();
  const reader = SpecReader.of(data, 'data', issues, 'what data() returns');
  const names = tables.map(({ logicalName }) => logicalName);
  for (const [name, value] of Object.entries(reader?.fields ?? {})) {
    if (!isPreload(value)) continue;
    preloads.set(name, value);
    const at = `data.${name}.table`;
    if (value.table === undefined && tables.length > 1)
      issues.add({
        at,
        is: 'is missing',
        why: 'the scenario has several tables',
        fix: `use one of ${names.join(', ')}`,
      });
    if (value.table !== undefined && names.length > 0 && !names.includes(value.table)) {
      const why = `the scenario has ${names.join(', ')}`;
      issues.add({ at, is: `is "${value.table}"`, why, fix: suggestion(value.table, names) });
    }
  }
  return preloads;
}

function readWorkloads(
  value: unknown,
  tables: readonly TableSpec[],
  issues: IssueList,
): readonly CheckedWorkload[] {
  const reader = SpecReader.of(value, 'workloads', issues, 'what workloads() returns');
  const names = Object.keys(reader?.fields ?? {});
  if (reader && names.length === 0)
    issues.add({
      at: 'workloads',
      is: 'names no workload',
      why: 'without a workload there is no load',
      fix: 'return { placeOrder: put({ … }) }',
    });
  return names.flatMap((name) => readWorkload(name, reader?.fields[name], tables, issues) ?? []);
}

function readWorkload(
  name: string,
  value: unknown,
  tables: readonly TableSpec[],
  issues: IssueList,
): CheckedWorkload | undefined {
  const at = `workloads.${name}`;
  if (!/^[\w-]+$/.test(name))
    issues.add({
      at,
      is: 'is no name for a workload',
      why: 'goals name it as `workload.metric`',
      fix: 'use letters and digits',
    });
  if (!isWorkload(value)) {
    const why =
      'a workload is made by put, get, update, remove, query, queryShards, scan, a batch, a transaction, flow or custom';
    issues.add({
      at,
      is: `is ${showValue(value)}`,
      why,
      fix: 'write for example put({ rate: 100, item: … })',
    });
    return undefined;
  }
  const spec = SpecReader.of(value.spec, at, issues, value.kind);
  if (!spec) return undefined;
  checkSpec(value.kind, spec, tables, loadMembers);
  const load = readLoad(spec);
  const policy = readPolicy(spec, load);
  if (value.kind === 'custom' && policy.retry !== 'none' && policy.retry !== 'sdk')
    spec.problem(
      'retry',
      'is a policy that a custom workload does not take',
      'its own client sends its requests again, by its own figures',
      "use 'none' or 'sdk'",
    );
  return load && { name, definition: value, load, policy };
}
