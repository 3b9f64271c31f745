// Parses literals: strings, numbers, TRUE, FALSE, NULL, lists, maps, sets, and parameters within them.
import type { AttributeValue } from '../attribute-value.ts';
import { canonicalNumber, decimalParts } from '../number.ts';
import { ApiError, validationError } from '../api-error.ts';
import { malformed } from './malformed.ts';
import type { PartiqlReader } from './partiql-reader.ts';
import type { Constant, MapLiteral } from './syntax-tree.ts';

/**
 * A literal or parameter, where one comes next.
 * @throws ApiError ValidationException for one that is broken
 */
export function takeConstant(reader: PartiqlReader): Constant | undefined {
  const parameter = reader.takeParameter();
  if (parameter !== undefined) return parameter;
  const scalar = takeScalar(reader);
  if (scalar !== undefined) return { kind: 'value', value: scalar };
  if (reader.isSymbol('{')) return mapLiteral(reader);
  if (reader.takeSymbol('['))
    return { kind: 'list', elements: reader.listUntil(']', () => constant(reader)) };
  if (!reader.takeSymbol('<<')) return undefined;
  const elements = reader.listUntil('>>', () => constant(reader));
  if (elements.length === 0) throw validationError('Empty bags are not supported');
  return { kind: 'set', elements };
}

/** @throws ApiError ValidationException where none comes next */
function constant(reader: PartiqlReader): Constant {
  const found = takeConstant(reader);
  if (found !== undefined) return found;
  const { text } = reader.peek();
  if (reader.isCall()) throw validationError(`Unsupported data type: ${text}`);
  throw malformed(`Unexpected value: ${text.slice(0, 100)}`);
}

/** `{'name': value, …}`. @throws ApiError ValidationException */
export function mapLiteral(reader: PartiqlReader): MapLiteral {
  reader.expectSymbol('{');
  const members = reader.listUntil('}', (): [string, Constant] => {
    const { kind, text } = reader.peek();
    // Strings are the standard's names of members; a name in double quotes is understood as well.
    if (kind !== 'text' && kind !== 'quotedName') throw reader.expected('a string as the name of a member');
    reader.take();
    reader.expectSymbol(':');
    return [text, constant(reader)];
  });
  if (new Set(members.map(([name]) => name)).size < members.length)
    throw malformed('A map has two members of one name');
  return { kind: 'map', members };
}

function takeScalar(reader: PartiqlReader): AttributeValue | undefined {
  const { kind, text } = reader.peek();
  if (kind === 'text') {
    reader.take();
    return { S: text };
  }
  if (reader.takeKeyword('NULL')) return { NULL: true };
  if (reader.takeKeyword('TRUE')) return { BOOL: true };
  if (reader.takeKeyword('FALSE')) return { BOOL: false };
  return takeNumber(reader);
}

function takeNumber(reader: PartiqlReader): AttributeValue | undefined {
  const isSigned = reader.isSymbol('-') || reader.isSymbol('+');
  if (reader.peek(isSigned ? 1 : 0).kind !== 'number') return undefined;
  const sign = isSigned ? reader.take().text : '';
  const text = reader.take().text;
  if (!hasSmallScale(text)) throw malformed('');
  try {
    return { N: canonicalNumber(sign + text) };
  } catch (error) {
    if (error instanceof ApiError) throw validationError(`${error.message} under root`);
    throw error;
  }
}

/** Exponent and scale of a literal are 32-bit integers; beyond them the service cannot read it at all. */
const MAX_SCALE = 2_147_483_647;

function hasSmallScale(text: string): boolean {
  const written = Number(/[eE](.*)$/.exec(text)?.[1] ?? 0);
  const fractionDigits = /\.(\d*)/.exec(text)?.[1]?.length ?? 0;
  const isSmall = Math.abs(written) <= MAX_SCALE && Math.abs(fractionDigits - written) <= MAX_SCALE;
  return isSmall && decimalParts(text) !== undefined;
}
