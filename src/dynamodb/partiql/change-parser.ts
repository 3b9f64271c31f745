// Parses the SET and REMOVE clauses of an update.
import { validationError } from '../api-error.ts';
import { takeConstant } from './constant-parser.ts';
import { malformed } from './malformed.ts';
import type { PartiqlReader } from './partiql-reader.ts';
import type { Assigned, Constant, ItemChange, PartiqlPath } from './syntax-tree.ts';

/** One clause or more, each with one change or several. @throws ApiError ValidationException */
export function parseChanges(reader: PartiqlReader): readonly ItemChange[] {
  const changes: ItemChange[] = [];
  for (;;) {
    const clause = reader.takeOneOf(['SET', 'REMOVE']);
    if (clause === undefined) break;
    do {
      const path = reader.path();
      if (clause === 'REMOVE') changes.push({ kind: 'remove', path });
      else {
        reader.expectSymbol('=');
        changes.push({ kind: 'set', path, value: assigned(reader, path) });
      }
    } while (reader.takeSymbol(','));
  }
  if (changes.length === 0) throw reader.expected('SET or REMOVE');
  return changes;
}

/** An operand, or two joined by one `+` or `-`; longer sums are not part of the language. */
function assigned(reader: PartiqlReader, target: PartiqlPath): Assigned {
  const left = operand(reader, target);
  const sign = reader.takeSymbol('+') ? '+' : reader.takeSymbol('-') ? '-' : undefined;
  return sign === undefined ? left : { kind: sign, left, right: operand(reader, target) };
}

function operand(reader: PartiqlReader, target: PartiqlPath): Assigned {
  const found = takeConstant(reader);
  if (found !== undefined) return found;
  if (!reader.isCall()) return reader.path();
  const { text, start, length } = reader.take();
  const at = `at 1:${start + 1}:${length}`;
  reader.expectSymbol('(');
  const starts: string[] = [];
  const operands = reader.listUntil(')', () => {
    const first = reader.peek();
    starts.push(`at 1:${first.start + 1}:${first.length}`);
    return operand(reader, target);
  });
  const name = text.toLowerCase();
  if (name === 'set_add' || name === 'set_delete')
    return { kind: name, members: setMembers(name, { target, operands, at, firstAt: starts[0] ?? at }) };
  const [left, right] = operands;
  if (name !== 'list_append' && name !== 'if_not_exists')
    throw validationError(`Unrecognized function: ${name} ${at}`);
  if (left === undefined || right === undefined || operands.length > 2)
    throw validationError(
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
    );
  if (name === 'list_append') return { kind: name, left, right };
  if (left.kind !== 'path') throw malformed('if_not_exists needs an attribute');
  return { kind: name, path: left, fallback: right };
}

interface SetCall {
  readonly target: PartiqlPath;
  readonly operands: readonly Assigned[];
  /** Places of the function and of its first argument, as messages name them. */
  readonly at: string;
  readonly firstAt: string;
}

/** Messages as captured by `paritysuite/dynamodb-conformance tests/tier3/error-messages/partiqlFunctions.test.ts`. */
function setMembers(name: string, { target, operands, at, firstAt }: SetCall): Constant {
  const label = name.toUpperCase();
  const [first, second] = operands;
  if (first === undefined || second === undefined || operands.length > 2)
    throw validationError(`${label} must have exactly two arguments ${at}`);
  if (first.kind !== 'path' || !isSamePath(first, target))
    throw validationError(`The first argument to ${label} must equal the assignment value ${at}`);
  if (second.kind !== 'set' && second.kind !== 'parameter')
    throw validationError(`The second argument to ${label} must be a value with type SET ${firstAt}`);
  return second;
}

function isSamePath(one: PartiqlPath, two: PartiqlPath): boolean {
  return one.parts.length === two.parts.length && one.parts.every((part, index) => part === two.parts[index]);
}
