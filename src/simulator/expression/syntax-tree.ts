// What the parsers make of an expression's text. Placeholders stay unresolved, so that one tree serves every
// request with that text.
import type { AttributeMap } from '../../dynamodb/attribute-value.ts';
import type { ExpressionNames } from '../../dynamodb/operation.ts';

export type ExpressionLabel =
  | 'KeyConditionExpression'
  | 'FilterExpression'
  | 'ConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression';

/** What a request binds placeholders to. */
export interface Bindings {
  /** Attribute names by `#placeholder`. */
  readonly names?: ExpressionNames | undefined;
  /** Values by `:placeholder`. */
  readonly values?: AttributeMap | undefined;
}

/** A rule that can only be checked once placeholders are bound; returns what is wrong, without the label. */
export type BindingCheck = (bindings: Bindings) => string | undefined;

/** What all parsed expressions have in common. */
export interface Expression {
  readonly label: ExpressionLabel;
  /** The `#placeholders` used, each once. */
  readonly names: readonly string[];
  /** The `:placeholders` used, each once. */
  readonly values: readonly string[];
  readonly checks: readonly BindingCheck[];
}

/** A step of a document path: an attribute name, a `#placeholder` for one, or a list index. */
export type PathPart = string | number;

/** The place of a value in an item; the first part is never an index. */
export interface DocumentPath {
  readonly kind: 'path';
  readonly parts: readonly [string, ...PathPart[]];
}

export interface ValueReference {
  readonly kind: 'value';
  /** With its colon. */
  readonly placeholder: string;
}

export interface SizeCall {
  readonly kind: 'size';
  readonly operand: Operand;
}

export type Operand = DocumentPath | ValueReference | SizeCall;

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | {
      readonly kind: 'comparison';
      readonly comparator: Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: 'between'; readonly operand: Operand; readonly lower: Operand; readonly upper: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly candidates: readonly Operand[] }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'attribute_exists' | 'attribute_not_exists'; readonly path: DocumentPath }
  | {
      readonly kind: 'attribute_type' | 'begins_with' | 'contains';
      readonly operand: Operand;
      readonly argument: Operand;
    };

/** A parsed condition or filter. */
export interface ConditionNode extends Expression {
  readonly root: Condition;
}

/** What a key condition asks of one attribute. */
export interface KeyTerm {
  /** An attribute name or a `#placeholder`. */
  readonly attribute: string;
  readonly operator: '=' | '<' | '<=' | '>' | '>=' | 'between' | 'begins_with';
  /** Placeholders of the values: two for `between`, else one. */
  readonly values: readonly string[];
}

/** A parsed key condition. */
export interface KeyConditionNode extends Expression {
  readonly terms: readonly KeyTerm[];
}

/** A parsed projection. */
export interface ProjectionNode extends Expression {
  readonly paths: readonly DocumentPath[];
}

/** What SET may assign. */
export type SetValue =
  | DocumentPath
  | ValueReference
  | { readonly kind: 'if_not_exists'; readonly path: DocumentPath; readonly fallback: SetValue }
  | { readonly kind: 'list_append'; readonly left: SetValue; readonly right: SetValue }
  | { readonly kind: '+' | '-'; readonly left: SetValue; readonly right: SetValue };

export interface SetAction {
  readonly path: DocumentPath;
  readonly value: SetValue;
}

/** ADD or DELETE: a path and the placeholder of a number or set. */
export interface AmendAction {
  readonly path: DocumentPath;
  readonly placeholder: string;
}

/** A parsed update. */
export interface UpdateNode extends Expression {
  readonly sets: readonly SetAction[];
  readonly removes: readonly DocumentPath[];
  readonly adds: readonly AmendAction[];
  readonly deletes: readonly AmendAction[];
}
