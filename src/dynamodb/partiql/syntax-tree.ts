// What the parser makes of a PartiQL statement. Parameters stay unresolved, so that one tree serves every request
// with that text.
// @see "PartiQL - a SQL-compatible query language for Amazon DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html, read 2026-11-30
import type { AttributeType, AttributeValue } from '../attribute-value.ts';

/** The place of a value in an item; the first part is never an index. */
export interface PartiqlPath {
  readonly kind: 'path';
  readonly parts: readonly [string, ...(string | number)[]];
}

/** A `?`, counted from 0 in the order of the text. */
export interface Parameter {
  readonly kind: 'parameter';
  readonly index: number;
}

/** A map literal, with its members in the order of the text. */
export interface MapLiteral {
  readonly kind: 'map';
  readonly members: readonly (readonly [name: string, value: Constant])[];
}

/** What has a value without any item: literals, and parameters within them. */
export type Constant =
  | { readonly kind: 'value'; readonly value: AttributeValue }
  | Parameter
  | MapLiteral
  | { readonly kind: 'list' | 'set'; readonly elements: readonly Constant[] };

export interface SizeOf {
  readonly kind: 'size';
  readonly operand: Operand;
}

export type Operand = PartiqlPath | Constant | SizeOf;

export type PartiqlComparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** What follows WHERE, or a part of it. */
export type Where =
  | { readonly kind: 'and' | 'or'; readonly left: Where; readonly right: Where }
  | { readonly kind: 'not'; readonly condition: Where }
  | {
      readonly kind: 'comparison';
      readonly comparator: PartiqlComparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: 'between'; readonly operand: Operand; readonly lower: Operand; readonly upper: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly candidates: readonly Operand[] }
  | {
      readonly kind: 'is';
      readonly path: PartiqlPath;
      readonly type: AttributeType | 'MISSING';
      readonly isNegated: boolean;
    }
  | { readonly kind: 'attribute_exists' | 'attribute_not_exists'; readonly path: PartiqlPath }
  | {
      readonly kind: 'begins_with' | 'contains' | 'attribute_type';
      readonly operand: Operand;
      readonly argument: Operand;
    };

/** ORDER BY one attribute. */
export interface Order {
  readonly attribute: string;
  readonly isDescending: boolean;
}

export interface SelectStatement {
  readonly kind: 'select';
  readonly paths: readonly PartiqlPath[] | 'all';
  readonly table: string;
  readonly index: string | undefined;
  readonly where: Where | undefined;
  readonly orders: readonly Order[];
}

export interface InsertStatement {
  readonly kind: 'insert';
  readonly table: string;
  readonly item: MapLiteral;
}

/** What SET may assign. */
export type Assigned =
  | PartiqlPath
  | Constant
  | { readonly kind: '+' | '-' | 'list_append'; readonly left: Assigned; readonly right: Assigned }
  | { readonly kind: 'if_not_exists'; readonly path: PartiqlPath; readonly fallback: Assigned }
  /** To or from the attribute that is assigned to. */
  | { readonly kind: 'set_add' | 'set_delete'; readonly members: Constant };

export type ItemChange =
  | { readonly kind: 'set'; readonly path: PartiqlPath; readonly value: Assigned }
  | { readonly kind: 'remove'; readonly path: PartiqlPath };

/** RETURNING … *: all of the item or what was changed, before or after. */
export interface Returning {
  readonly extent: 'ALL' | 'MODIFIED';
  readonly moment: 'OLD' | 'NEW';
}

export interface UpdateStatement {
  readonly kind: 'update';
  readonly table: string;
  readonly changes: readonly ItemChange[];
  readonly where: Where;
  readonly returning: Returning | undefined;
}

export interface DeleteStatement {
  readonly kind: 'delete';
  readonly table: string;
  readonly where: Where;
  readonly returning: Returning | undefined;
}

/** EXISTS(SELECT …): a check within a transaction of writes. */
export interface ExistsStatement {
  readonly kind: 'exists';
  readonly select: SelectStatement;
}

export type Statement =
  | SelectStatement
  | InsertStatement
  | UpdateStatement
  | DeleteStatement
  | ExistsStatement;

/** A statement with the number of parameters that it takes. */
export interface ParsedStatement {
  readonly statement: Statement;
  readonly parameterCount: number;
}
