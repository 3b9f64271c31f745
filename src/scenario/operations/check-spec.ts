// What can be said of an operation before it is generated: known members, tables and indexes that exist,
// numbers in range. What depends on generated values (keys, sizes) is left to `check-operations.ts`.
import { MAX_SCAN_SEGMENTS } from '../../dynamodb/limits.ts';
import type { TableSpec } from '../../dynamodb/table-spec.ts';
import { isPool } from '../../workload/pool.ts';
import { listNames, suggestion } from '../nearest-name.ts';
import type { WorkloadKind } from '../run-plan.ts';
import { isFields, isFunction, SpecReader, showValue } from '../spec-reader.ts';
import { membersOf, requiredOf } from './operation-members.ts';
import { sortConditionTexts } from './sort-condition.ts';
import type { Tables } from './table-of.ts';

/**
 * Notes what is wrong with an operation.
 * @param otherMembers  members that belong to its load and policy
 */
export function checkSpec(
  kind: WorkloadKind,
  spec: SpecReader,
  tables: Tables,
  otherMembers: readonly string[] = [],
): void {
  spec.allowOnly([...membersOf[kind], ...otherMembers]);
  for (const [name, example] of Object.entries(requiredOf[kind]))
    spec.require(name, `${kind} needs it`, example);
  const table = membersOf[kind].includes('table') ? checkTable(spec, tables) : undefined;
  if (table && membersOf[kind].includes('index')) checkIndex(spec, table);
  checkNumbers(spec);
  for (const name of ['condition', 'filter', 'update']) checkExpression(spec, name);
  if (kind === 'update') checkUpdate(spec);
  if (spec.has('sort')) checkSort(spec);
  if (spec.has('remember')) checkRemember(spec);
  if (spec.has('shards') && !isShards(spec.fields['shards']))
    spec.problem(
      'shards',
      `is ${showValue(spec.fields['shards'])}`,
      'it is made by shards(…)',
      "use shards('x', 10)",
    );
  for (const name of ['run', 'setup']) checkFunction(spec, name);
  checkReturned(spec);
}

/** Dotted paths of members go on from the operation, for example `workloads.placeOrder.table`. */
function checkTable(spec: SpecReader, tables: Tables): TableSpec | undefined {
  const names = tables.map(({ logicalName }) => logicalName);
  const name = spec.text('table', 'the name of a table');
  if (name !== undefined) {
    const found = tables.find((table) => table.logicalName === name);
    if (found || names.length === 0) return found;
    const why = `the scenario has the ${names.length === 1 ? 'table' : 'tables'} ${listNames(names)}`;
    return spec.problem('table', `is "${name}"`, why, suggestion(name, names));
  }
  if (tables.length < 2) return tables[0];
  if (spec.has('table')) return undefined;
  return spec.problem(
    'table',
    'is missing',
    `the scenario has the tables ${listNames(names)}`,
    'name one of them',
  );
}

function checkIndex(spec: SpecReader, table: TableSpec): void {
  const name = spec.text('index', 'the name of an index');
  const indexes = [...table.globalIndexes, ...table.localIndexes];
  const index = indexes.find((candidate) => candidate.name === name);
  if (name !== undefined && !index) {
    const names = indexes.map((candidate) => candidate.name);
    const why =
      names.length === 0 ? 'the table has no indexes' : `the table has the indexes ${listNames(names)}`;
    spec.problem('index', `is "${name}"`, why, suggestion(name, names));
    return;
  }
  if (spec.fields['consistent'] === true && table.globalIndexes.some((global) => global.name === name))
    spec.problem(
      'consistent',
      'is true on a global index',
      'global indexes are read eventually consistent only',
      'leave consistent out, or read the table',
    );
  if (spec.has('sort') && !(index ?? table).keys.sort)
    spec.problem(
      'sort',
      `is a condition on a sort key that ${name === undefined ? 'the table' : `index "${name}"`} does not have`,
      'only a key with a sort attribute has an order to compare with',
      'leave sort out, or use a filter',
    );
}

function checkNumbers(spec: SpecReader): void {
  spec.wholeNumber('limit', { least: 1, unit: 'items per page' });
  if (spec.fields['pages'] !== 'all') spec.wholeNumber('pages', { least: 1, unit: 'pages' });
  if (spec.fields['items'] !== 'all') spec.wholeNumber('items', { least: 1, unit: 'items wanted' });
  const segments = spec.wholeNumber('segments', { least: 1, most: MAX_SCAN_SEGMENTS, unit: 'segments' });
  spec.wholeNumber('parallel', { least: 1, unit: 'reads at once' });
  if (segments !== undefined && segments > 1 && spec.has('startAfter'))
    spec.problem(
      'startAfter',
      'is set with segments',
      'each segment starts at its own place',
      'leave it out',
    );
  spec.flag('consistent');
  spec.flag('newestFirst');
}

/** An expression that is written out; computed ones show when they are generated. */
function checkExpression(spec: SpecReader, name: string): void {
  const value = spec.fields[name];
  if (value === undefined || isFunction(value)) return;
  const expression = SpecReader.of(value, spec.place(name), spec.issues, 'an expression');
  if (!expression) return;
  expression.allowOnly(['expression', 'names', 'values']);
  expression.require('expression', 'it is what DynamoDB evaluates', "add expression: '#s = :s'");
  expression.text('expression', 'an expression');
  for (const [member, sign] of [
    ['names', '#'],
    ['values', ':'],
  ] as const)
    for (const placeholder of Object.keys(fieldsOf(expression.fields[member])))
      checkPlaceholder(expression, member, placeholder, sign);
}

function checkPlaceholder(expression: SpecReader, member: string, placeholder: string, sign: string): void {
  const text = expression.fields['expression'];
  if (!placeholder.startsWith(sign))
    expression.problem(
      `${member}.${placeholder}`,
      'is no placeholder',
      `${member} start with ${sign}`,
      `write ${sign}${placeholder}`,
    );
  else if (typeof text === 'string' && !new RegExp(`${placeholder}(?![\\w])`).test(text))
    expression.problem(
      `${member}.${placeholder}`,
      'is not used',
      'DynamoDB rejects a request with a placeholder that its expression does not use',
      'leave it out, or use it in the expression',
    );
}

function fieldsOf(value: unknown): object {
  return isFields(value) ? value : {};
}

function checkUpdate(spec: SpecReader): void {
  const ours = ['set', 'add', 'removeAttributes'].filter((name) => spec.has(name));
  spec.names('removeAttributes', 'attributes to remove');
  if (spec.has('update') && ours.length > 0)
    spec.problem(
      'update',
      `stands beside ${ours.join(' and ')}`,
      'an update has one expression: yours, or the one made of set, add and removeAttributes',
      'keep one of the two',
    );
  if (!spec.has('update') && ours.length === 0)
    spec.problem(
      'set',
      'is missing',
      'an update without a change does nothing',
      "add set: { status: 'DONE' }",
    );
}

function checkSort(spec: SpecReader): void {
  const value = spec.fields['sort'];
  if (isFunction(value)) return;
  const sort = SpecReader.of(value, spec.place('sort'), spec.issues, 'a sort condition');
  const names = Object.keys(sort?.fields ?? {});
  sort?.allowOnly(Object.keys(sortConditionTexts));
  if (sort && names.length !== 1)
    spec.problem(
      'sort',
      `has ${names.length} comparisons`,
      'DynamoDB takes one comparison with the sort key',
      `give exactly one of ${Object.keys(sortConditionTexts).join(', ')}`,
    );
}

function checkRemember(spec: SpecReader): void {
  const remember = SpecReader.of(spec.fields['remember'], spec.place('remember'), spec.issues, 'remember');
  if (!remember) return;
  remember.allowOnly(['in', 'as']);
  if (remember.require('in', 'it is the pool to add to', 'add in: placed') && !isPool(remember.fields['in']))
    remember.problem(
      'in',
      `is ${showValue(remember.fields['in'])}`,
      'it is made by pool()',
      'return one from data()',
    );
  if (remember.require('as', 'it says what to remember', 'add as: (item) => item.PK'))
    checkFunction(remember, 'as');
}

function checkFunction(spec: SpecReader, name: string): void {
  if (spec.has(name) && !isFunction(spec.fields[name]))
    spec.problem(name, `is ${showValue(spec.fields[name])}`, 'it is a function', `write ${name}: (…) => …`);
}

function checkReturned(spec: SpecReader): void {
  spec.oneOf('select', ['count'] as const);
  if (Array.isArray(spec.fields['project'])) spec.names('project', 'projected attributes');
  else checkExpression(spec, 'project');
  if (spec.has('select') && spec.has('project'))
    spec.problem('project', 'stands beside select', 'a count returns no attributes', 'keep one of the two');
}

function isShards(value: unknown): boolean {
  return isFields(value) && isFunction(value['random']) && Array.isArray(value['keys']);
}
