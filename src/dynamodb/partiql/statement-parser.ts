// Parses whole statements: SELECT, INSERT, UPDATE (its FROM-first form included), DELETE, and EXISTS(SELECT …).
import { validationError } from '../api-error.ts';
import { cachedByText } from '../cached-by-text.ts';
import { parseChanges } from './change-parser.ts';
import { mapLiteral } from './constant-parser.ts';
import { malformed } from './malformed.ts';
import { PartiqlReader } from './partiql-reader.ts';
import type {
  Order,
  ParsedStatement,
  PartiqlPath,
  Returning,
  SelectStatement,
  Statement,
  UpdateStatement,
  Where,
} from './syntax-tree.ts';
import { parseWhere } from './where-parser.ts';

/**
 * Characters of one statement.
 * @see "ExecuteStatement",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteStatement.html, read 2026-11-30
 */
const MAX_STATEMENT_LENGTH = 8_192;

/**
 * The parsed form of a statement, kept by its text.
 * @throws ApiError ValidationException
 */
export const parseStatement: (text: string) => ParsedStatement = cachedByText((text) => {
  if (text.length > MAX_STATEMENT_LENGTH)
    throw malformed(`a statement has up to ${MAX_STATEMENT_LENGTH} characters`);
  const reader = new PartiqlReader(text);
  const statement = statementOf(reader);
  reader.expectEnd();
  return { statement, parameterCount: reader.parameterCount };
});

function statementOf(reader: PartiqlReader): Statement {
  if (reader.isKeyword('SELECT')) return select(reader);
  if (reader.takeKeyword('INSERT')) return insert(reader);
  if (reader.takeKeyword('UPDATE')) return update(reader);
  if (reader.takeKeyword('DELETE')) return deletion(reader);
  if (reader.takeKeyword('FROM')) return fromFirst(reader);
  if (reader.isKeyword('EXISTS') && reader.isSymbol('(', 1)) return exists(reader);
  throw malformed('Expected data manipulation');
}

function select(reader: PartiqlReader): SelectStatement {
  reader.expectKeyword('SELECT');
  const paths = reader.takeSymbol('*') ? ('all' as const) : projectedPaths(reader);
  reader.expectKeyword('FROM');
  const table = reader.name('a table');
  const index = reader.takeSymbol('.') ? reader.name('an index') : undefined;
  refuseAlias(reader);
  const where = reader.takeKeyword('WHERE') ? parseWhere(reader) : undefined;
  return { kind: 'select', paths, table, index, where, orders: orders(reader) };
}

function projectedPaths(reader: PartiqlReader): readonly PartiqlPath[] {
  const paths: PartiqlPath[] = [];
  do {
    const { text, start, length } = reader.peek();
    if (reader.isCall()) throw validationError(`Unexpected path component at 1:${start + 1}:${length}`);
    if (reader.isKeyword('FROM')) throw malformed(`Expected an attribute but got '${text}'`);
    paths.push(reader.path());
  } while (reader.takeSymbol(','));
  return paths;
}

function orders(reader: PartiqlReader): readonly Order[] {
  const found: Order[] = [];
  if (!reader.takeKeyword('ORDER')) return found;
  reader.expectKeyword('BY');
  do {
    const attribute = reader.name('an attribute to order by');
    found.push({ attribute, isDescending: reader.takeOneOf(['ASC', 'DESC']) === 'DESC' });
  } while (reader.takeSymbol(','));
  return found;
}

function insert(reader: PartiqlReader): Statement {
  reader.expectKeyword('INTO');
  const table = reader.name('a table');
  if (reader.isName()) throw malformed('Unexpected token after expression');
  reader.expectKeyword('VALUE');
  return { kind: 'insert', table, item: mapLiteral(reader) };
}

function update(reader: PartiqlReader): UpdateStatement {
  const table = reader.name('a table');
  const isChanged = reader.isKeyword('SET') || reader.isKeyword('REMOVE');
  if (!isChanged) refuseAlias(reader);
  const changes = parseChanges(reader);
  return { kind: 'update', table, changes, where: mandatoryWhere(reader), returning: returning(reader) };
}

function fromFirst(reader: PartiqlReader): UpdateStatement {
  const table = reader.name('a table');
  const where = mandatoryWhere(reader);
  return { kind: 'update', table, changes: parseChanges(reader), where, returning: returning(reader) };
}

function deletion(reader: PartiqlReader): Statement {
  reader.expectKeyword('FROM');
  const table = reader.name('a table');
  refuseAlias(reader);
  return { kind: 'delete', table, where: mandatoryWhere(reader), returning: returning(reader) };
}

function exists(reader: PartiqlReader): Statement {
  reader.take();
  reader.expectSymbol('(');
  const inner = select(reader);
  reader.expectSymbol(')');
  return { kind: 'exists', select: inner };
}

function mandatoryWhere(reader: PartiqlReader): Where {
  if (reader.takeKeyword('WHERE')) return parseWhere(reader);
  if (reader.peek().kind !== 'end' && !reader.isKeyword('RETURNING'))
    throw malformed('Unexpected token after expression');
  throw validationError('Where clause does not contain a mandatory equality on all key attributes');
}

function returning(reader: PartiqlReader): Returning | undefined {
  if (!reader.takeKeyword('RETURNING')) return undefined;
  const extent = reader.takeOneOf(['ALL', 'MODIFIED']);
  if (extent === undefined) throw reader.expected('ALL or MODIFIED');
  const moment = reader.takeOneOf(['OLD', 'NEW']);
  if (moment === undefined) throw reader.expected('OLD or NEW');
  reader.expectSymbol('*');
  return { extent, moment };
}

function refuseAlias(reader: PartiqlReader): void {
  if (reader.isKeyword('ORDER') || reader.isKeyword('RETURNING')) return;
  if (reader.isName() || reader.isKeyword('AS')) throw validationError('Aliasing is not supported');
}
