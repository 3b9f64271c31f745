// Trees of PartiQL statements as text, and random trees: for the law that printing and parsing again changes nothing.
import fc from 'fast-check';
import type { AttributeValue } from '../../src/dynamodb/attribute-value.ts';
import { canonicalNumber } from '../../src/dynamodb/number.ts';
import type {
  Assigned,
  Constant,
  ItemChange,
  Operand,
  PartiqlPath,
  Returning,
  SelectStatement,
  Statement,
  Where,
} from '../../src/dynamodb/partiql/syntax-tree.ts';

/** The statement as text; every name in quotes. */
export function statementText(statement: Statement): string {
  switch (statement.kind) {
    case 'select':
      return selectText(statement);
    case 'exists':
      return `EXISTS(${selectText(statement.select)})`;
    case 'insert':
      return `INSERT INTO ${name(statement.table)} VALUE ${constantText(statement.item)}`;
    case 'update': {
      const changes = statement.changes.map(changeText).join(' ');
      const where = `WHERE ${whereText(statement.where)}`;
      return `UPDATE ${name(statement.table)} ${changes} ${where}${returningText(statement.returning)}`;
    }
    case 'delete':
      return `DELETE FROM ${name(statement.table)} WHERE ${whereText(statement.where)}${returningText(statement.returning)}`;
  }
}

function selectText({ paths, table, index, where, orders }: SelectStatement): string {
  const what = paths === 'all' ? '*' : paths.map(pathText).join(', ');
  const from = index === undefined ? name(table) : `${name(table)}.${name(index)}`;
  const order = orders.map(
    ({ attribute, isDescending }) => name(attribute) + (isDescending ? ' DESC' : ' ASC'),
  );
  return [
    `SELECT ${what} FROM ${from}`,
    ...(where ? [`WHERE ${whereText(where)}`] : []),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
  ].join(' ');
}

function name(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function pathText({ parts: [first, ...rest] }: PartiqlPath): string {
  return (
    name(first) + rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${name(part)}`)).join('')
  );
}

function whereText(where: Where): string {
  switch (where.kind) {
    case 'and':
      return `${inBrackets(where.left, ['or'])} AND ${inBrackets(where.right, ['or', 'and'])}`;
    case 'or':
      return `${whereText(where.left)} OR ${inBrackets(where.right, ['or'])}`;
    case 'not':
      return `NOT ${inBrackets(where.condition, ['and', 'or'])}`;
    case 'comparison':
      return `${operandText(where.left)} ${where.comparator} ${operandText(where.right)}`;
    case 'between':
      return `${operandText(where.operand)} BETWEEN ${operandText(where.lower)} AND ${operandText(where.upper)}`;
    case 'in':
      return `${operandText(where.operand)} IN [${where.candidates.map(operandText).join(', ')}]`;
    case 'is':
      return `${pathText(where.path)} IS ${where.isNegated ? 'NOT ' : ''}${where.type}`;
    case 'attribute_exists':
    case 'attribute_not_exists':
      return `${where.kind}(${pathText(where.path)})`;
    default:
      return `${where.kind}(${operandText(where.operand)}, ${operandText(where.argument)})`;
  }
}

function inBrackets(where: Where, kinds: readonly Where['kind'][]): string {
  return kinds.includes(where.kind) ? `(${whereText(where)})` : whereText(where);
}

function operandText(operand: Operand): string {
  if (operand.kind === 'path') return pathText(operand);
  return operand.kind === 'size' ? `size(${operandText(operand.operand)})` : constantText(operand);
}

function constantText(constant: Constant): string {
  switch (constant.kind) {
    case 'parameter':
      return '?';
    case 'value':
      return scalarText(constant.value);
    case 'list':
      return `[${constant.elements.map(constantText).join(', ')}]`;
    case 'set':
      return `<<${constant.elements.map(constantText).join(', ')}>>`;
    case 'map':
      return `{${constant.members.map(([member, value]) => `${quoted(member)}: ${constantText(value)}`).join(', ')}}`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function scalarText({ S, N, BOOL }: AttributeValue): string {
  if (S !== undefined) return quoted(S);
  if (N !== undefined) return N;
  return BOOL === undefined ? 'NULL' : String(BOOL).toUpperCase();
}

function changeText(change: ItemChange): string {
  if (change.kind === 'remove') return `REMOVE ${pathText(change.path)}`;
  return `SET ${pathText(change.path)} = ${assignedText(change.value, change.path)}`;
}

function assignedText(value: Assigned, target: PartiqlPath): string {
  switch (value.kind) {
    case '+':
    case '-':
      return `${assignedText(value.left, target)} ${value.kind} ${assignedText(value.right, target)}`;
    case 'list_append':
      return `list_append(${assignedText(value.left, target)}, ${assignedText(value.right, target)})`;
    case 'if_not_exists':
      return `if_not_exists(${pathText(value.path)}, ${assignedText(value.fallback, target)})`;
    case 'set_add':
    case 'set_delete':
      return `${value.kind}(${pathText(target)}, ${constantText(value.members)})`;
    case 'path':
      return pathText(value);
    default:
      return constantText(value);
  }
}

function returningText(returning: Returning | undefined): string {
  return returning === undefined ? '' : ` RETURNING ${returning.extent} ${returning.moment} *`;
}

const text = fc.string({ maxLength: 6, unit: 'grapheme' });
const someName = fc.oneof(
  fc.constantFrom('a', 'PK', 'select', 'größe', 'a"b', "it's", '__proto__'),
  fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
);
const path: fc.Arbitrary<PartiqlPath> = fc.record({
  kind: fc.constant('path' as const),
  parts: fc
    .tuple(someName, fc.array(fc.oneof(someName, fc.nat(9)), { maxLength: 2 }))
    .map(([first, rest]): PartiqlPath['parts'] => [first, ...rest]),
});
const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.record({ S: text }),
  fc.record({
    N: fc.integer({ min: -9_999, max: 9_999 }).map((cents) => canonicalNumber(String(cents / 100))),
  }),
  fc.record({ BOOL: fc.boolean() }),
  fc.constant<AttributeValue>({ NULL: true }),
);

const operand: fc.Arbitrary<Operand> = fc.oneof(
  path,
  fc.record({ kind: fc.constant('value' as const), value: scalar }),
  fc.constant<Operand>({ kind: 'parameter', index: 0 }),
  fc.record({ kind: fc.constant('size' as const), operand: path }),
);
type Trees = { constant: Constant; where: Where };

const trees = fc.letrec<Trees>((tie) => ({
  constant: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record({ kind: fc.constant('value' as const), value: scalar }),
    fc.constant<Constant>({ kind: 'parameter', index: 0 }),
    fc.record({ kind: fc.constant('list' as const), elements: fc.array(tie('constant'), { maxLength: 3 }) }),
    fc.record({
      kind: fc.constant('set' as const),
      elements: fc.array(tie('constant'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('map' as const),
      members: fc.uniqueArray(fc.tuple(text, tie('constant')), { maxLength: 3, selector: ([key]) => key }),
    }),
  ),
  where: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      kind: fc.constant('comparison' as const),
      comparator: fc.constantFrom('=' as const, '<>', '<', '<=', '>', '>='),
      left: operand,
      right: operand,
    }),
    fc.record({ kind: fc.constant('between' as const), operand, lower: operand, upper: operand }),
    fc.record({
      kind: fc.constant('in' as const),
      operand,
      candidates: fc.array(operand, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('is' as const),
      path,
      type: fc.constantFrom('MISSING' as const, 'NULL', 'S', 'N', 'BOOL', 'L', 'M', 'SS'),
      isNegated: fc.boolean(),
    }),
    fc.record({ kind: fc.constantFrom('attribute_exists' as const, 'attribute_not_exists'), path }),
    fc.record({
      kind: fc.constantFrom('begins_with' as const, 'contains', 'attribute_type'),
      operand,
      argument: operand,
    }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or'),
      left: tie('where'),
      right: tie('where'),
    }),
    fc.record({ kind: fc.constant('not' as const), condition: tie('where') }),
  ),
}));

const { constant } = trees;
const assigned: fc.Arbitrary<Assigned> = fc.oneof(
  path,
  constant,
  fc.record({ kind: fc.constantFrom('+' as const, '-', 'list_append'), left: path, right: constant }),
  fc.record({ kind: fc.constant('if_not_exists' as const), path, fallback: constant }),
  fc.record({
    kind: fc.constantFrom('set_add' as const, 'set_delete'),
    members: fc.record({
      kind: fc.constant('set' as const),
      elements: fc.array(fc.record({ kind: fc.constant('value' as const), value: scalar }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  }),
);
const returning = fc.option(
  fc.record({
    extent: fc.constantFrom('ALL' as const, 'MODIFIED'),
    moment: fc.constantFrom('OLD' as const, 'NEW'),
  }),
  { nil: undefined },
);
const select: fc.Arbitrary<SelectStatement> = fc.record({
  kind: fc.constant('select' as const),
  paths: fc.oneof(fc.constant('all' as const), fc.array(path, { minLength: 1, maxLength: 3 })),
  table: someName,
  index: fc.option(someName, { nil: undefined }),
  where: fc.option(trees.where, { nil: undefined }),
  orders: fc.array(fc.record({ attribute: someName, isDescending: fc.boolean() }), { maxLength: 2 }),
});

/** Any statement; every parameter has the index 0. */
export const anyStatement: fc.Arbitrary<Statement> = fc.oneof(
  select,
  fc.record({ kind: fc.constant('exists' as const), select }),
  fc.record({
    kind: fc.constant('insert' as const),
    table: someName,
    item: fc.record({
      kind: fc.constant('map' as const),
      members: fc.uniqueArray(fc.tuple(text, constant), { maxLength: 4, selector: ([key]) => key }),
    }),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    table: someName,
    changes: fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('set' as const), path, value: assigned }),
        fc.record({ kind: fc.constant('remove' as const), path }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    where: trees.where,
    returning,
  }),
  fc.record({ kind: fc.constant('delete' as const), table: someName, where: trees.where, returning }),
);
