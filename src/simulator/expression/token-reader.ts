// What every parser of expressions needs: the current token, document paths, the placeholders met on the way,
// and DynamoDB's syntax errors.
import { type ApiError, validationError } from '../../dynamodb/api-error.ts';
import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { TokenCursor } from '../../dynamodb/token-cursor.ts';
import { type Token, tokenize } from './lexer.ts';
import { isReservedWord } from './reserved-words.ts';
import type { BindingCheck, DocumentPath, Expression, ExpressionLabel, PathPart } from './syntax-tree.ts';

/**
 * @see "Quotas in Amazon DynamoDB",
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html, read 2026-11-30
 */
const MAX_EXPRESSION_BYTES = 4_096;

/**
 * Operators and functions in one expression. The page speaks of updates; conditions and filters are held to
 * it as well, where comparators, logical operators, BETWEEN, IN and functions count one each, whatever the
 * number of operands.
 * @see "Quotas in Amazon DynamoDB", as above; for conditions `scylladb/scylladb` issue 14473 and
 *   `aws/aws-sdk-js` issue 3721, which quote the service, read 2026-11-30
 */
const MAX_OPERATORS = 300;
/**
 * Brackets in brackets. Each pair that is not redundant needs an operator between it and the next one, so
 * that no expression within the limits comes here; without a bound a few thousand would exhaust the stack.
 */
const MAX_OPEN_BRACKETS = MAX_OPERATORS + 1;
/** Steps of a document path: as deep as items may be nested. @see "Quotas in Amazon DynamoDB", as above */
const MAX_PATH_STEPS = 32;

/**
 * Reads one expression from left to right. Every error is an ApiError that names the expression by its label.
 */
export class TokenReader extends TokenCursor<Token> {
  readonly #label: ExpressionLabel;
  readonly #text: string;
  readonly #names = new Set<string>();
  readonly #values = new Set<string>();
  readonly #checks: BindingCheck[] = [];
  #operators = 0;
  #openBrackets = 0;

  /** @throws ApiError ValidationException for an empty text and for one over 4 KB */
  constructor(text: string, label: ExpressionLabel) {
    super(tokensOf(text, label));
    this.#label = label;
    this.#text = text;
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.syntaxError();
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw this.syntaxError();
  }

  /**
   * Counts an operator or a function; to be called before its operands are read, so that nesting ends with
   * it.
   * @throws ApiError ValidationException where there are too many
   */
  countOperator(): void {
    this.#operators++;
    if (this.#operators > MAX_OPERATORS)
      throw this.invalid(`The expression contains too many operators; operator count: ${this.#operators}`);
  }

  /** Takes `(`, which `closeBracket` has to follow. @throws ApiError ValidationException */
  openBracket(): void {
    this.expectSymbol('(');
    this.#openBrackets++;
    if (this.#openBrackets > MAX_OPEN_BRACKETS) throw this.redundantBrackets();
  }

  closeBracket(): void {
    this.expectSymbol(')');
    this.#openBrackets--;
  }

  /** The error of brackets that change nothing. */
  redundantBrackets(): ApiError {
    return this.invalid('The expression has redundant parentheses;');
  }

  /** Takes a `:placeholder` if one comes next. */
  takeValuePlaceholder(): string | undefined {
    if (this.peek().kind !== 'valuePlaceholder') return undefined;
    const { text } = this.take();
    this.#values.add(text);
    return text;
  }

  /** Reads a path such as `a.#b[3].c`. */
  path(): DocumentPath {
    const parts: [string, ...PathPart[]] = [this.#attributeName()];
    for (;;) {
      if (this.takeSymbol('.')) parts.push(this.#attributeName());
      else if (this.takeSymbol('[')) {
        if (this.peek().kind !== 'number') throw this.syntaxError();
        parts.push(Number(this.take().text));
        this.expectSymbol(']');
      } else break;
    }
    if (parts.length > MAX_PATH_STEPS)
      throw this.invalid(`The document path has too many nesting elements; nesting levels: ${parts.length}`);
    return { kind: 'path', parts };
  }

  /** Notes a rule to be checked once placeholders are bound. */
  check(check: BindingCheck): void {
    this.#checks.push(check);
  }

  /** Label, placeholders and checks gathered while reading. */
  expression(): Expression {
    return { label: this.#label, names: [...this.#names], values: [...this.#values], checks: this.#checks };
  }

  /** An error in this expression. */
  invalid(problem: string): ApiError {
    return invalidExpression(this.#label, problem);
  }

  /** A syntax error at the next token, quoted with its neighbours as DynamoDB does. */
  syntaxError(): ApiError {
    const token = this.peek();
    const before = this.tokens[Math.min(this.position, this.tokens.length - 1) - 1] ?? token;
    const near = this.#text.slice(before.start, this.peek(1).end);
    return this.invalid(`Syntax error; token: "${token.text}", near: "${near}"`);
  }

  #attributeName(): string {
    const token = this.peek();
    if (token.kind === 'namePlaceholder') this.#names.add(token.text);
    else if (token.kind !== 'name') throw this.syntaxError();
    else if (isReservedWord(token.text))
      throw this.invalid(`Attribute name is a reserved keyword; reserved keyword: ${token.text}`);
    return this.take().text;
  }
}

function tokensOf(text: string, label: ExpressionLabel): readonly Token[] {
  if (text === '') throw invalidExpression(label, 'The expression can not be empty;');
  const sizeBytes = utf8Bytes(text);
  if (sizeBytes > MAX_EXPRESSION_BYTES)
    throw invalidExpression(
      label,
      `Expression size has exceeded the maximum allowed size; expression size: ${sizeBytes}`,
    );
  return tokenize(text);
}

function invalidExpression(label: ExpressionLabel, problem: string): ApiError {
  return validationError(`Invalid ${label}: ${problem}`);
}
