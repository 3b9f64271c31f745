// Writes conditions, paths and values of PartiQL as expressions of the other APIs, with every name and value behind a
// placeholder. Equal statements give equal texts, so that parsed expressions are found again by their text.
import type { AttributeMap, AttributeValue } from '../attribute-value.ts';
import type { ExpressionNames } from '../operation.ts';
import { constantValue, type Parameters } from './constant-value.ts';
import type { Constant, Operand, PartiqlPath, Where } from './syntax-tree.ts';

/** The placeholders of one request; empty ones are left out, as DynamoDB wants it. */
export interface Bound {
  readonly ExpressionAttributeNames?: ExpressionNames;
  readonly ExpressionAttributeValues?: AttributeMap;
}

/** The expressions of one statement; placeholders count through all of them. */
export class ExpressionWriter {
  readonly #parameters: Parameters;
  readonly #placeholders = new Map<string, string>();
  readonly #values: { [placeholder: string]: AttributeValue } = {};
  #valueCount = 0;

  constructor(parameters: Parameters) {
    this.#parameters = parameters;
  }

  /** What the expressions written so far bind. */
  get bound(): Bound {
    const names = [...this.#placeholders].map(([name, placeholder]) => [placeholder, name] as const);
    return {
      ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(this.#valueCount > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }

  name(attribute: string): string {
    let placeholder = this.#placeholders.get(attribute);
    if (placeholder === undefined) {
      placeholder = `#n${this.#placeholders.size}`;
      this.#placeholders.set(attribute, placeholder);
    }
    return placeholder;
  }

  value(value: AttributeValue): string {
    const placeholder = `:v${this.#valueCount++}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  constant(constant: Constant): string {
    return this.value(constantValue(constant, this.#parameters));
  }

  path({ parts: [first, ...rest] }: PartiqlPath): string {
    let text = this.name(first);
    for (const part of rest) text += typeof part === 'number' ? `[${part}]` : `.${this.name(part)}`;
    return text;
  }

  operand(operand: Operand): string {
    if (operand.kind === 'path') return this.path(operand);
    return operand.kind === 'size' ? `size(${this.operand(operand.operand)})` : this.constant(operand);
  }

  /** Brackets stand only where they are needed: redundant ones are an error. */
  condition(where: Where): string {
    switch (where.kind) {
      case 'and':
        return `${this.#within(where.left, 'or')} AND ${this.#within(where.right, 'or')}`;
      case 'or':
        return `${this.condition(where.left)} OR ${this.condition(where.right)}`;
      case 'not':
        return `NOT ${this.#within(where.condition, 'or', 'and')}`;
      case 'comparison':
        return `${this.operand(where.left)} ${where.comparator} ${this.operand(where.right)}`;
      case 'between': {
        const operand = this.operand(where.operand);
        return `${operand} BETWEEN ${this.operand(where.lower)} AND ${this.operand(where.upper)}`;
      }
      case 'in': {
        const operand = this.operand(where.operand);
        return `${operand} IN (${where.candidates.map((one) => this.operand(one)).join(', ')})`;
      }
      case 'is':
        return this.#typeTest(where);
      case 'attribute_exists':
      case 'attribute_not_exists':
        return `${where.kind}(${this.path(where.path)})`;
      case 'begins_with':
      case 'contains':
      case 'attribute_type':
        return `${where.kind}(${this.operand(where.operand)}, ${this.operand(where.argument)})`;
    }
  }

  #within(where: Where, ...looser: readonly Where['kind'][]): string {
    return looser.includes(where.kind) ? `(${this.condition(where)})` : this.condition(where);
  }

  #typeTest({ path, type, isNegated }: Extract<Where, { kind: 'is' }>): string {
    if (type === 'MISSING') return `attribute_${isNegated ? '' : 'not_'}exists(${this.path(path)})`;
    return `${isNegated ? 'NOT ' : ''}attribute_type(${this.path(path)}, ${this.value({ S: type })})`;
  }
}
