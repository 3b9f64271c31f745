// Parses what follows WHERE: OR binds loosest, then AND, then NOT.
import type { AttributeType } from '../attribute-value.ts';
import { validationError } from '../api-error.ts';
import { conditionFunctions } from '../condition-functions.ts';
import { takeConstant } from './constant-parser.ts';
import { malformed } from './malformed.ts';
import type { PartiqlReader } from './partiql-reader.ts';
import type { Operand, PartiqlComparator, PartiqlPath, Where } from './syntax-tree.ts';

const comparators: Readonly<Record<string, PartiqlComparator>> = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** Types as IS names them, the abbreviations of the service included. */
const typeNames: Readonly<Record<string, AttributeType | 'MISSING'>> = {
  MISSING: 'MISSING',
  NULL: 'NULL',
  STRING: 'S',
  NUMBER: 'N',
  BINARY: 'B',
  BOOL: 'BOOL',
  BOOLEAN: 'BOOL',
  LIST: 'L',
  MAP: 'M',
  S: 'S',
  N: 'N',
  B: 'B',
  L: 'L',
  M: 'M',
  SS: 'SS',
  NS: 'NS',
  BS: 'BS',
};

/** @throws ApiError ValidationException */
export function parseWhere(reader: PartiqlReader): Where {
  let left = conjunction(reader);
  while (reader.takeKeyword('OR')) left = { kind: 'or', left, right: conjunction(reader) };
  return left;
}

function conjunction(reader: PartiqlReader): Where {
  let left = negation(reader);
  while (reader.takeKeyword('AND')) left = { kind: 'and', left, right: negation(reader) };
  return left;
}

function negation(reader: PartiqlReader): Where {
  if (reader.takeKeyword('NOT')) return { kind: 'not', condition: reader.nested(() => negation(reader)) };
  if (!reader.takeSymbol('(')) return predicate(reader);
  const condition = reader.nested(() => parseWhere(reader));
  reader.expectSymbol(')');
  return condition;
}

function predicate(reader: PartiqlReader): Where {
  if (reader.isCall() && !reader.isKeyword('SIZE')) return callPredicate(reader);
  const operand = parseOperand(reader);
  if (reader.takeKeyword('BETWEEN')) {
    const lower = parseOperand(reader);
    reader.expectKeyword('AND');
    return { kind: 'between', operand, lower, upper: parseOperand(reader) };
  }
  if (reader.takeKeyword('IN')) return { kind: 'in', operand, candidates: candidates(reader) };
  if (reader.takeKeyword('IS')) return typeTest(reader, operand);
  const { kind, text } = reader.peek();
  const comparator = kind === 'symbol' ? comparators[text] : undefined;
  if (comparator === undefined) throw reader.expected('a comparison');
  reader.take();
  return { kind: 'comparison', comparator, left: operand, right: parseOperand(reader) };
}

/** `[…]`, and `(…)` as SQL writes it. */
function candidates(reader: PartiqlReader): readonly Operand[] {
  const closing = reader.takeSymbol('[') ? ']' : reader.takeSymbol('(') ? ')' : undefined;
  if (closing === undefined) throw reader.expected("'['");
  const found = reader.listUntil(closing, () => parseOperand(reader));
  if (found.length === 0) throw malformed('IN needs at least one candidate');
  return found;
}

function typeTest(reader: PartiqlReader, operand: Operand): Where {
  const isNegated = reader.takeKeyword('NOT');
  const { kind, text } = reader.peek();
  const name = text.toUpperCase();
  const type = kind === 'name' && Object.hasOwn(typeNames, name) ? typeNames[name] : undefined;
  if (type === undefined) throw reader.expected('a type after IS');
  if (operand.kind !== 'path') throw malformed('IS tests an attribute');
  reader.take();
  return { kind: 'is', path: operand, type, isNegated };
}

/** A function that holds or not; `f(…) = TRUE` says the same, `f(…) = FALSE` the opposite. */
function callPredicate(reader: PartiqlReader): Where {
  const call = parseCall(reader);
  if (!reader.isSymbol('=') || !(reader.isKeyword('TRUE', 1) || reader.isKeyword('FALSE', 1))) return call;
  reader.take();
  return reader.take().text.toUpperCase() === 'TRUE' ? call : { kind: 'not', condition: call };
}

function parseCall(reader: PartiqlReader): Where {
  const name = functionName(reader);
  const operands = operandsOf(reader, name);
  const [first, argument] = operands as [Operand, Operand]; // As many as the function takes.
  switch (name) {
    case 'attribute_exists':
    case 'attribute_not_exists':
      return { kind: name, path: pathOperand(name, first) };
    case 'begins_with':
    case 'contains':
    case 'attribute_type':
      return { kind: name, operand: first, argument };
    default:
      throw malformed(`Unexpected function: ${name}`);
  }
}

function functionName(reader: PartiqlReader): string {
  const { text, start, length } = reader.peek();
  const name = text.toLowerCase();
  if (!conditionFunctions.has(name))
    throw validationError(`Unrecognized function: ${name} at 1:${start + 1}:${length}`);
  reader.take();
  return name;
}

function operandsOf(reader: PartiqlReader, name: string): readonly Operand[] {
  reader.expectSymbol('(');
  const operands = reader.listUntil(')', () => parseOperand(reader));
  if (operands.length === conditionFunctions.get(name)) return operands;
  throw validationError(
    `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
  );
}

function pathOperand(name: string, operand: Operand): PartiqlPath {
  if (operand.kind === 'path') return operand;
  throw validationError(`Operator or function requires a document path; operator or function: ${name}`);
}

/** A path, a literal, a parameter, or `size(…)`. */
function parseOperand(reader: PartiqlReader): Operand {
  const found = takeConstant(reader);
  if (found !== undefined) return found;
  if (!reader.isCall()) return reader.path();
  const name = functionName(reader);
  if (name !== 'size') throw malformed(`Unexpected function: ${name}`);
  const [operand] = operandsOf(reader, name) as [Operand]; // As many as it takes.
  return { kind: 'size', operand };
}
