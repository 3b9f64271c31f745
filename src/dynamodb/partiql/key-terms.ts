// What a WHERE clause says of keys: which item it names, or which partition keys it reads.
import type { AttributeMap, AttributeValue } from '../attribute-value.ts';
import type { KeyAttribute } from '../table-spec.ts';
import { constantValue, type Parameters } from './constant-value.ts';
import type { Constant, Operand, Where } from './syntax-tree.ts';

/** The conditions that must all hold: what AND joins at the top. */
export function conjuncts(where: Where | undefined): readonly Where[] {
  if (where === undefined) return [];
  return where.kind === 'and' ? [...conjuncts(where.left), ...conjuncts(where.right)] : [where];
}

/** The opposite of `conjuncts`; undefined for none. */
export function conjunction(terms: readonly Where[]): Where | undefined {
  const [first, ...rest] = terms;
  return rest.reduce<Where | undefined>((left, right) => left && { kind: 'and', left, right }, first);
}

/** A key that a WHERE clause fixes by `=`, and what else the clause asks. */
export interface NamedKey {
  readonly key: AttributeMap;
  readonly rest: readonly Where[];
}

/** The key that a clause names; undefined where one of the attributes is not fixed by `=`. */
export function namedKey(
  where: Where | undefined,
  attributes: readonly KeyAttribute[],
  parameters: Parameters,
): NamedKey | undefined {
  const rest = [...conjuncts(where)];
  const key: { [name: string]: AttributeValue } = {};
  for (const { name } of attributes) {
    const index = rest.findIndex((term) => equalTo(term, name) !== undefined);
    const constant = index < 0 ? undefined : equalTo(rest[index] as Where, name);
    if (constant === undefined) return undefined;
    key[name] = constantValue(constant, parameters);
    rest.splice(index, 1);
  }
  return { key, rest };
}

/** What a term sets an attribute equal to; undefined where it is another kind of term. */
function equalTo(term: Where, name: string): Constant | undefined {
  if (term.kind !== 'comparison' || term.comparator !== '=') return undefined;
  const { left, right } = term;
  if (isAttribute(left, name)) return isConstant(right) ? right : undefined;
  return isAttribute(right, name) && isConstant(left) ? left : undefined;
}

/** Whether an operand is a whole attribute. */
function isAttribute(operand: Operand, name: string): boolean {
  return operand.kind === 'path' && operand.parts.length === 1 && operand.parts[0] === name;
}

function isConstant(operand: Operand): operand is Constant {
  return operand.kind !== 'path' && operand.kind !== 'size';
}

/** Partition keys that a clause reads, and what it asks besides. */
export interface NamedPartitions {
  readonly values: readonly Constant[];
  readonly rest: readonly Where[];
}

/**
 * The values to which a clause limits an attribute: by `=`, by IN, or by either in every branch of an OR.
 * @see "PartiQL select statements for DynamoDB",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.select.html, read 2026-11-30
 */
export function namedPartitions(where: Where | undefined, name: string): NamedPartitions | undefined {
  const terms = conjuncts(where);
  const index = terms.findIndex((term) => valuesOf(term, name) !== undefined);
  const term = terms[index];
  const values = term && valuesOf(term, name);
  if (values === undefined) return undefined;
  // An OR has more to say than the key.
  return { values, rest: term?.kind === 'or' ? terms : terms.filter((_, at) => at !== index) };
}

function valuesOf(term: Where, name: string): readonly Constant[] | undefined {
  switch (term.kind) {
    case 'and':
      return valuesOf(term.left, name) ?? valuesOf(term.right, name);
    case 'or': {
      const left = valuesOf(term.left, name);
      const right = left && valuesOf(term.right, name);
      return left && right && [...left, ...right];
    }
    case 'in':
      return isAttribute(term.operand, name) && term.candidates.every(isConstant)
        ? term.candidates
        : undefined;
    default: {
      const constant = equalTo(term, name);
      return constant && [constant];
    }
  }
}

/** Whether a term can be answered by the order of a sort key of this name. */
export function isSortTerm(term: Where, name: string): boolean {
  switch (term.kind) {
    case 'comparison':
      if (term.comparator === '<>') return false;
      return isAttribute(term.left, name)
        ? isConstant(term.right)
        : isAttribute(term.right, name) && isConstant(term.left);
    case 'between':
      return isAttribute(term.operand, name) && isConstant(term.lower) && isConstant(term.upper);
    case 'begins_with':
      return isAttribute(term.operand, name) && isConstant(term.argument);
    default:
      return false;
  }
}

/** Whether a term fixes an attribute by `=`. */
export function isEquality(term: Where, name: string): boolean {
  return equalTo(term, name) !== undefined;
}

/** The attributes that a clause names, each once, in the order of the text. */
export function attributesIn(where: Where): readonly string[] {
  return [...new Set(operandsIn(where).flatMap(namesIn))];
}

function operandsIn(where: Where): readonly Operand[] {
  switch (where.kind) {
    case 'and':
    case 'or':
      return [...operandsIn(where.left), ...operandsIn(where.right)];
    case 'not':
      return operandsIn(where.condition);
    case 'comparison':
      return [where.left, where.right];
    case 'between':
      return [where.operand, where.lower, where.upper];
    case 'in':
      return [where.operand, ...where.candidates];
    case 'is':
    case 'attribute_exists':
    case 'attribute_not_exists':
      return [where.path];
    case 'begins_with':
    case 'contains':
    case 'attribute_type':
      return [where.operand, where.argument];
  }
}

function namesIn(operand: Operand): readonly string[] {
  if (operand.kind === 'path') return [operand.parts[0]];
  return operand.kind === 'size' ? namesIn(operand.operand) : [];
}
