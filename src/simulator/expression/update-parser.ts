// Parses update expressions: SET, REMOVE, ADD and DELETE, each at most once, in any order.
import { type AttributeType, attributeTypeOf } from '../../dynamodb/attribute-value.ts';
import { pathsProblem, resolvePath } from './document-path.ts';
import { cachedByText } from '../../dynamodb/cached-by-text.ts';
import type { AmendAction, DocumentPath, SetAction, SetValue, UpdateNode } from './syntax-tree.ts';
import { TokenReader } from './token-reader.ts';

/**
 * The parsed form of an update, kept by its text.
 * @throws ApiError ValidationException
 */
export const parseUpdate: (text: string) => UpdateNode = cachedByText((text) => {
  const parser = new UpdateParser(new TokenReader(text, 'UpdateExpression'));
  return parser.update();
});

const sections = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

/** Types as messages about ADD and DELETE spell them. */
const longTypeNames: Readonly<Record<AttributeType, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
  L: 'LIST',
  M: 'MAP',
};
const setTypes: readonly AttributeType[] = ['SS', 'NS', 'BS'];
const amendableTypes: Readonly<Record<'ADD' | 'DELETE', readonly AttributeType[]>> = {
  ADD: ['N', ...setTypes],
  DELETE: setTypes,
};

class UpdateParser {
  readonly #reader: TokenReader;
  readonly #sets: SetAction[] = [];
  readonly #removes: DocumentPath[] = [];
  readonly #adds: AmendAction[] = [];
  readonly #deletes: AmendAction[] = [];

  constructor(reader: TokenReader) {
    this.#reader = reader;
  }

  update(): UpdateNode {
    const reader = this.#reader;
    const seen = new Set<string>();
    do {
      const section = sections.find((keyword) => reader.takeKeyword(keyword));
      if (section === undefined) throw reader.syntaxError();
      if (seen.has(section))
        throw reader.invalid(`The "${section}" section can only be used once in an update expression;`);
      seen.add(section);
      do this.#action(section);
      while (reader.takeSymbol(','));
    } while (reader.peek().kind !== 'end');
    return this.#node();
  }

  #node(): UpdateNode {
    const parts = { sets: this.#sets, removes: this.#removes, adds: this.#adds, deletes: this.#deletes };
    const paths = [...parts.sets, ...parts.adds, ...parts.deletes]
      .map(({ path }) => path)
      .concat(parts.removes);
    if (paths.length > 1)
      this.#reader.check(({ names }) => pathsProblem(paths.map((path) => resolvePath(path, names))));
    return { ...this.#reader.expression(), ...parts };
  }

  #action(section: (typeof sections)[number]): void {
    const path = this.#reader.path();
    switch (section) {
      case 'SET':
        this.#reader.expectSymbol('=');
        this.#sets.push({ path, value: this.#sum() });
        break;
      case 'REMOVE':
        this.#removes.push(path);
        break;
      case 'ADD':
        this.#adds.push({ path, placeholder: this.#amendment(section) });
        break;
      case 'DELETE':
        this.#deletes.push({ path, placeholder: this.#amendment(section) });
        break;
    }
  }

  #amendment(section: 'ADD' | 'DELETE'): string {
    const placeholder = this.#reader.takeValuePlaceholder();
    if (placeholder === undefined) throw this.#reader.syntaxError();
    this.#reader.check(({ values }) => {
      const value = values?.[placeholder];
      const type = value && attributeTypeOf(value);
      if (type === undefined || amendableTypes[section].includes(type)) return undefined;
      return `Incorrect operand type for operator or function; operator: ${section}, operand type: ${longTypeNames[type]}, typeSet: ALLOWED_FOR_${section}_OPERAND`;
    });
    return placeholder;
  }

  /** An operand, or two joined by one `+` or `-`; longer sums are not part of the language. */
  #sum(): SetValue {
    const left = this.#operand();
    const kind = this.#reader.takeSymbol('+') ? '+' : this.#reader.takeSymbol('-') ? '-' : undefined;
    if (kind === undefined) return left;
    this.#reader.countOperator();
    const right = this.#operand();
    for (const operand of [left, right]) this.#checkType(kind, operand, 'N');
    return { kind, left, right };
  }

  #operand(): SetValue {
    const reader = this.#reader;
    const placeholder = reader.takeValuePlaceholder();
    if (placeholder !== undefined) return { kind: 'value', placeholder };
    if (reader.isSymbol('(')) {
      reader.openBracket();
      const value = this.#sum();
      reader.closeBracket();
      return value;
    }
    return reader.peek().kind === 'name' && reader.isSymbol('(', 1) ? this.#call() : reader.path();
  }

  #call(): SetValue {
    const reader = this.#reader;
    const name = reader.take().text;
    reader.countOperator();
    reader.expectSymbol('(');
    const operands = [this.#operand()];
    while (reader.takeSymbol(',')) operands.push(this.#operand());
    reader.expectSymbol(')');
    if (name !== 'if_not_exists' && name !== 'list_append')
      throw reader.invalid(`Invalid function name; function: ${name}`);
    const [first, second] = operands;
    if (first === undefined || second === undefined || operands.length > 2)
      throw reader.invalid(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
      );
    return name === 'list_append' ? this.#listAppend(first, second) : this.#ifNotExists(first, second);
  }

  #listAppend(left: SetValue, right: SetValue): SetValue {
    for (const operand of [left, right]) this.#checkType('list_append', operand, 'L');
    return { kind: 'list_append', left, right };
  }

  #ifNotExists(path: SetValue, fallback: SetValue): SetValue {
    if (path.kind === 'path') return { kind: 'if_not_exists', path, fallback };
    throw this.#reader.invalid(
      'Operator or function requires a document path; operator or function: if_not_exists',
    );
  }

  #checkType(name: string, operand: SetValue, wanted: AttributeType): void {
    if (operand.kind !== 'value') return;
    this.#reader.check(({ values }) => {
      const value = values?.[operand.placeholder];
      const type = value && attributeTypeOf(value);
      if (type === undefined || type === wanted) return undefined;
      return `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`;
    });
  }
}
