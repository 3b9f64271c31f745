// What the members of a request may be: their types in JSON, and the constraints of DynamoDB's API model on
// them. Data only; conform.ts checks types, constraints.ts the rest.

/** A string; constraints are those of the API model. */
export interface TextShape {
  readonly kind: 'text';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  readonly choices?: readonly string[];
  /** Whether an ARN may stand in its place, whatever the other constraints. */
  readonly mayBeArn?: boolean;
}

/** A whole number; `type` is the name under which DynamoDB's errors speak of it. */
export interface WholeShape {
  readonly kind: 'whole';
  readonly type: 'Integer' | 'Long';
  readonly min?: number;
  readonly max?: number;
}

export interface FlagShape {
  readonly kind: 'flag';
}

/** A list, or a map with free names. */
export interface ManyShape {
  readonly kind: 'list' | 'map';
  readonly of: Shape;
  readonly min?: number;
  readonly max?: number;
}

/** An object of fixed members; others are overlooked, as DynamoDB overlooks them. */
export interface StructureShape {
  readonly kind: 'structure';
  readonly members: ReadonlyMap<string, Member>;
  /** Those of the members that constraints bear on. */
  readonly constrained: readonly Member[];
}

/** Attributes by name: an item, a key, or expression values. Checked in attribute-values.ts. */
export interface ItemShape {
  readonly kind: 'item';
}

/** A list of attribute values, at least one. Checked in attribute-values.ts. */
export interface ValuesShape {
  readonly kind: 'values';
}

/** A member that DynamoDB takes and this server refuses, with what to do instead. */
export interface RefusedShape {
  readonly kind: 'refused';
  readonly advice: string;
}

export type Shape =
  | TextShape
  | WholeShape
  | FlagShape
  | ManyShape
  | StructureShape
  | ItemShape
  | ValuesShape
  | RefusedShape;

export interface Member {
  readonly name: string;
  /** The name in errors, which begins with a small letter. */
  readonly place: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
}

export const text: TextShape = { kind: 'text' };
export const flag: FlagShape = { kind: 'flag' };
export const item: ItemShape = { kind: 'item' };
export const values: ValuesShape = { kind: 'values' };

/** A string with constraints. */
export function textOf(constraints: Omit<TextShape, 'kind'>): TextShape {
  return { kind: 'text', ...constraints };
}

/** A string out of a fixed list. */
export function oneOf(...choices: readonly string[]): TextShape {
  return { kind: 'text', choices };
}

export function whole(type: WholeShape['type'], bounds: { min?: number; max?: number } = {}): WholeShape {
  return { kind: 'whole', type, ...bounds };
}

export function listOf(of: Shape, bounds: { min?: number; max?: number } = {}): ManyShape {
  return { kind: 'list', of, ...bounds };
}

export function mapOf(of: Shape): ManyShape {
  return { kind: 'map', of };
}

/** A structure; names of required members end with `!`. */
export function structure(members: { readonly [name: string]: Shape }): StructureShape {
  const all = Object.entries(members).map(([key, shape]): Member => {
    const isRequired = key.endsWith('!');
    const name = isRequired ? key.slice(0, -1) : key;
    return { name, place: name.charAt(0).toLowerCase() + name.slice(1), shape, isRequired };
  });
  return {
    kind: 'structure',
    members: new Map(all.map((member) => [member.name, member])),
    constrained: all.filter(({ isRequired, shape }) => isRequired || isConstrained(shape)),
  };
}

/** Whether there is anything to check in a value of a shape beyond its types. */
function isConstrained(shape: Shape): boolean {
  switch (shape.kind) {
    case 'text':
    case 'whole':
      return Object.keys(shape).length > (shape.kind === 'text' ? 1 : 2);
    case 'list':
    case 'map':
      return shape.min !== undefined || shape.max !== undefined || isConstrained(shape.of);
    case 'structure':
      return shape.constrained.length > 0;
    case 'flag':
    case 'item':
    case 'values':
    case 'refused':
      return false;
  }
}

/** A legacy parameter, with the expression that replaces it. */
export function legacy(replacement: string): RefusedShape {
  return { kind: 'refused', advice: `is a legacy parameter; use ${replacement}` };
}
