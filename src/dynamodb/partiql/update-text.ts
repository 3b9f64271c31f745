// The changes of an update as an update expression.
import { validationError } from '../api-error.ts';
import type { ExpressionWriter } from './expression-writer.ts';
import type { Assigned, ItemChange } from './syntax-tree.ts';

/**
 * `set_add` and `set_delete` become ADD and DELETE, which do the same.
 * @throws ApiError ValidationException
 */
export function updateExpression(changes: readonly ItemChange[], writer: ExpressionWriter): string {
  const clauses = {
    SET: [] as string[],
    REMOVE: [] as string[],
    ADD: [] as string[],
    DELETE: [] as string[],
  };
  for (const change of changes) {
    const path = writer.path(change.path);
    if (change.kind === 'remove') clauses.REMOVE.push(path);
    else if (change.value.kind === 'set_add')
      clauses.ADD.push(`${path} ${writer.constant(change.value.members)}`);
    else if (change.value.kind === 'set_delete')
      clauses.DELETE.push(`${path} ${writer.constant(change.value.members)}`);
    else clauses.SET.push(`${path} = ${assignedText(change.value, writer)}`);
  }
  return Object.entries(clauses)
    .filter(([, actions]) => actions.length > 0)
    .map(([clause, actions]) => `${clause} ${actions.join(', ')}`)
    .join(' ');
}

function assignedText(value: Assigned, writer: ExpressionWriter): string {
  switch (value.kind) {
    case 'path':
      return writer.path(value);
    case '+':
    case '-':
      return `${assignedText(value.left, writer)} ${value.kind} ${assignedText(value.right, writer)}`;
    case 'list_append':
      return `list_append(${assignedText(value.left, writer)}, ${assignedText(value.right, writer)})`;
    case 'if_not_exists':
      return `if_not_exists(${writer.path(value.path)}, ${assignedText(value.fallback, writer)})`;
    case 'set_add':
    case 'set_delete':
      throw validationError(`${value.kind.toUpperCase()} stands alone on the right of an assignment`);
    default:
      return writer.constant(value);
  }
}
