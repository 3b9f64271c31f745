// Attribute values in DynamoDB's own wire form, which every target takes as it is: the live client writes it out, the simulator stores it.
// One extension: `fillerBytes`, a string of that many ASCII characters that is counted and not materialised until it must cross a wire.

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
