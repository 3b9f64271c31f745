// Parses conditions and filters. Rules that need bound values are noted as checks and left to
// `checkBindingsUsed`.
import type { AttributeType } from '../../dynamodb/attribute-value.ts';
import {
  boundsProblem,
  distinctProblem,
  orderedTypes,
  prefixTypes,
  sizedTypes,
  typeNameProblem,
  typeProblem,
} from './operand-checks.ts';
import { cachedByText } from '../../dynamodb/cached-by-text.ts';
import { conditionFunctions } from '../../dynamodb/condition-functions.ts';
import type { Comparator, Condition, ConditionNode, DocumentPath, Operand } from './syntax-tree.ts';
import { TokenReader } from './token-reader.ts';

/**
 * The parsed form of a condition or filter, kept by its text.
 * @throws ApiError ValidationException for a text that DynamoDB would reject whatever is bound
 */
export function parseCondition(
  text: string,
  label: 'ConditionExpression' | 'FilterExpression' | 'KeyConditionExpression',
): ConditionNode {
  return parsers[label](text);
}

const parsers = {
  ConditionExpression: cachedByText((text) => parse(new TokenReader(text, 'ConditionExpression'))),
  FilterExpression: cachedByText((text) => parse(new TokenReader(text, 'FilterExpression'))),
  KeyConditionExpression: cachedByText((text) => parse(new TokenReader(text, 'KeyConditionExpression'))),
};

function parse(reader: TokenReader): ConditionNode {
  const parser = new ConditionParser(reader);
  const root = parser.condition();
  reader.expectEnd();
  return { ...reader.expression(), root };
}

interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly operands: readonly (Operand | Call)[];
}

/**
 * @see "Comparison operator and function reference",
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html,
 * read 2026-11-30
 */
const MAX_CANDIDATES = 100;

const comparators: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Recursive descent: OR binds loosest, then AND, then NOT. */
class ConditionParser {
  readonly #reader: TokenReader;
  /** The last group in parentheses: positions of its first token and of the one behind it. */
  #lastGroup = { start: -1, end: -1 };

  constructor(reader: TokenReader) {
    this.#reader = reader;
  }

  condition(): Condition {
    let left = this.#conjunction();
    while (this.#takeOperator('OR')) left = { kind: 'or', left, right: this.#conjunction() };
    return left;
  }

  #conjunction(): Condition {
    let left = this.#negation();
    while (this.#takeOperator('AND')) left = { kind: 'and', left, right: this.#negation() };
    return left;
  }

  #negation(): Condition {
    if (this.#takeOperator('NOT')) return { kind: 'not', condition: this.#negation() };
    return this.#reader.isSymbol('(') ? this.#group() : this.#predicate();
  }

  #takeOperator(keyword: string): boolean {
    if (!this.#reader.takeKeyword(keyword)) return false;
    this.#reader.countOperator();
    return true;
  }

  #group(): Condition {
    const reader = this.#reader;
    const start = reader.position;
    reader.openBracket();
    const condition = this.condition();
    const isRedundant = this.#lastGroup.start === start + 1 && this.#lastGroup.end === reader.position;
    reader.closeBracket();
    if (isRedundant) throw reader.redundantBrackets();
    this.#lastGroup = { start, end: reader.position };
    return condition;
  }

  #predicate(): Condition {
    const reader = this.#reader;
    const first = this.#operandOrCall();
    const { kind, text } = reader.peek();
    if (kind === 'symbol' && comparators.has(text)) {
      reader.take();
      reader.countOperator();
      // The cast holds: the set is that of all comparators.
      return this.#comparison(text as Comparator, first, this.#operandOrCall());
    }
    if (this.#takeOperator('BETWEEN')) return this.#between(first);
    if (this.#takeOperator('IN')) return this.#in(first);
    if (first.kind === 'call') return this.#callCondition(first);
    throw reader.syntaxError();
  }

  #comparison(comparator: Comparator, first: Operand | Call, second: Operand | Call): Condition {
    const left = this.#operand(first);
    const right = this.#operand(second);
    this.#checkDistinct(comparator, left, right);
    if (comparator !== '=' && comparator !== '<>')
      for (const operand of [left, right]) this.#checkType(comparator, operand, orderedTypes);
    return { kind: 'comparison', comparator, left, right };
  }

  #between(first: Operand | Call): Condition {
    const operand = this.#operand(first);
    const lower = this.#operand(this.#operandOrCall());
    if (!this.#reader.takeKeyword('AND')) throw this.#reader.syntaxError();
    const upper = this.#operand(this.#operandOrCall());
    for (const one of [operand, lower, upper]) this.#checkType('BETWEEN', one, orderedTypes);
    this.#reader.check((bindings) => boundsProblem(lower, upper, bindings));
    return { kind: 'between', operand, lower, upper };
  }

  #in(first: Operand | Call): Condition {
    const reader = this.#reader;
    const operand = this.#operand(first);
    reader.expectSymbol('(');
    const candidates = [this.#operand(this.#operandOrCall())];
    while (reader.takeSymbol(',')) candidates.push(this.#operand(this.#operandOrCall()));
    reader.expectSymbol(')');
    if (candidates.length > MAX_CANDIDATES)
      throw reader.invalid(
        `Invalid number of operands for operator or function; operator or function: IN, number of operands: ${candidates.length}`,
      );
    return { kind: 'in', operand, candidates };
  }

  #operandOrCall(): Operand | Call {
    const reader = this.#reader;
    const placeholder = reader.takeValuePlaceholder();
    if (placeholder !== undefined) return { kind: 'value', placeholder };
    return reader.peek().kind === 'name' && reader.isSymbol('(', 1) ? this.#call() : reader.path();
  }

  #call(): Call {
    const reader = this.#reader;
    const name = reader.take().text;
    reader.countOperator();
    reader.expectSymbol('(');
    const operands = [this.#operandOrCall()];
    while (reader.takeSymbol(',')) operands.push(this.#operandOrCall());
    reader.expectSymbol(')');
    const wanted = conditionFunctions.get(name);
    if (wanted === undefined) throw reader.invalid(`Invalid function name; function: ${name}`);
    if (wanted !== operands.length)
      throw reader.invalid(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
      );
    return { kind: 'call', name, operands };
  }

  /**
   * Turns what stands where a value is wanted into an operand: `size` is the one function that yields a
   * value.
   */
  #operand(operand: Operand | Call): Operand {
    if (operand.kind !== 'call') return operand;
    if (operand.name !== 'size') throw this.#misused(operand.name);
    const [inner] = this.#operandsOf(operand);
    this.#checkType('size', inner, sizedTypes);
    return { kind: 'size', operand: inner };
  }

  #callCondition(call: Call): Condition {
    const { name } = call;
    if (name === 'size') throw this.#misused(name);
    const [operand, argument] = this.#operandsOf(call);
    if (name === 'attribute_exists' || name === 'attribute_not_exists')
      return { kind: name, path: this.#pathOperand(name, operand) };
    if (argument === undefined) throw this.#misused(name);
    this.#checkDistinct(name, operand, argument);
    if (name === 'contains') return { kind: name, operand, argument };
    if (name === 'attribute_type') {
      this.#reader.check((bindings) => typeNameProblem(argument, bindings));
      return { kind: name, operand, argument };
    }
    for (const one of [operand, argument]) this.#checkType('begins_with', one, prefixTypes);
    return { kind: 'begins_with', operand, argument };
  }

  #operandsOf(call: Call): readonly [Operand, Operand | undefined] {
    const [first, second] = call.operands;
    if (first === undefined) throw this.#reader.syntaxError();
    return [this.#operand(first), second && this.#operand(second)];
  }

  #pathOperand(name: string, operand: Operand): DocumentPath {
    if (operand.kind === 'path') return operand;
    throw this.#reader.invalid(
      `Operator or function requires a document path; operator or function: ${name}`,
    );
  }

  #misused(name: string): Error {
    return this.#reader.invalid(
      `The function is not allowed to be used this way in an expression; function: ${name}`,
    );
  }

  #checkDistinct(name: string, left: Operand, right: Operand): void {
    if (left.kind !== 'path' || right.kind !== 'path') return;
    this.#reader.check((bindings) => distinctProblem(name, left, right, bindings));
  }

  #checkType(name: string, operand: Operand, allowed: readonly AttributeType[]): void {
    if (operand.kind !== 'path')
      this.#reader.check((bindings) => typeProblem(name, operand, allowed, bindings));
  }
}
