// Attribute values in DynamoDB's own wire form, which every target takes as it is: the live client writes it
// out, the simulator stores it. One extension: `fillerBytes`, a string of that many ASCII characters that is
// counted and not materialised until it must cross a wire.

/** One value; exactly one member is present. `B` and the members of `BS` are base64 text. */
export interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly BOOL?: boolean;
  readonly NULL?: true;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
  readonly L?: readonly AttributeValue[];
  readonly M?: AttributeMap;
  readonly fillerBytes?: number;
}

/** An item, a key, or expression values: attributes by name. */
export interface AttributeMap {
  readonly [name: string]: AttributeValue;
}

/** The scalar types a key attribute may have. */
export type KeyType = 'S' | 'N' | 'B';

/** The ten types of DynamoDB. */
export type AttributeType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M';

/** The type of a value; a filler is a string. */
export function attributeTypeOf(value: AttributeValue): AttributeType {
  if (value.S !== undefined || value.fillerBytes !== undefined) return 'S';
  if (value.N !== undefined) return 'N';
  if (value.BOOL !== undefined) return 'BOOL';
  if (value.M !== undefined) return 'M';
  if (value.L !== undefined) return 'L';
  if (value.NULL !== undefined) return 'NULL';
  if (value.B !== undefined) return 'B';
  if (value.SS !== undefined) return 'SS';
  return value.NS !== undefined ? 'NS' : 'BS';
}

/**
 * One attribute of a map. Names such as `constructor`, which every object inherits, are absent unless the map
 * has them of its own.
 */
export function attributeOf(map: AttributeMap, name: string): AttributeValue | undefined {
  const value: unknown = map[name];
  if (typeof value !== 'object' || value === null || value === Object.prototype) return undefined;
  return value; // Inherited members are functions or Object.prototype itself; what is left is an attribute.
}

/**
 * Sets one attribute of a map under construction. Plain assignment to `__proto__` would set the prototype
 * instead.
 */
export function setAttribute<V>(map: { [name: string]: V }, name: string, value: V): void {
  if (name !== '__proto__') map[name] = value;
  else Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
}
