// Key schemas and attribute definitions, as requests give them. Messages by captures of the service of October
// 2026 ("ack-api-quirks dynamodb", findings DDB-TABLE-123, 124 and 127), read 2026-11-30.
import { validationError } from '../../dynamodb/api-error.ts';
import { MAX_KEY_ATTRIBUTES } from '../../dynamodb/limits.ts';
import type { KeyAttribute, KeySchema } from '../../dynamodb/table-spec.ts';
import { invalid } from './invalid.ts';
import type { AttributeDefinition, KeySchemaElement } from './table-input.ts';

/**
 * Checks that keys and definitions name the same attributes.
 * @throws ApiError ValidationException
 */
export function checkDefinitionsUsed(
  definitions: readonly AttributeDefinition[],
  keyed: readonly { readonly KeySchema: readonly KeySchemaElement[] }[],
): void {
  const names = definitions.map(({ AttributeName }) => AttributeName);
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  if (repeated !== undefined) throw validationError(`Attribute Name is duplicated: ${repeated}`);
  const used = new Set(keyed.flatMap(({ KeySchema }) => KeySchema.map(({ AttributeName }) => AttributeName)));
  const unused = names.filter((name) => !used.has(name));
  if (unused.length > 0 && keyed.length === 1)
    throw invalid(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  if (unused.length > 0)
    throw invalid(
      `Some AttributeDefinitions are not used. AttributeDefinitions: [${names.join(', ')}], keys used: [${[...used].join(', ')}]`,
    );
}

/**
 * The key of a table or a local index: one attribute of each kind.
 * @throws ApiError ValidationException
 */
export function keySchemaOf(
  elements: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): KeySchema {
  const [first, second] = elements;
  if (first?.KeyType !== 'HASH')
    throw validationError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  const partition = keyAttributeOf(first, definitions);
  if (second === undefined) return { partition };
  if (second.KeyType !== 'RANGE')
    throw validationError('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  if (second.AttributeName === first.AttributeName)
    throw validationError('Both the Hash Key and the Range Key element in the KeySchema have the same name');
  return { partition, sort: keyAttributeOf(second, definitions) };
}

/**
 * The key of a global index: up to four attributes of each kind, those of the partition key first.
 * @throws ApiError ValidationException
 */
export function globalKeySchemaOf(
  elements: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): KeySchema {
  if (elements[0]?.KeyType !== 'HASH')
    throw validationError('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  const hashes = elements.filter(({ KeyType }) => KeyType === 'HASH');
  const ranges = elements.filter(({ KeyType }) => KeyType === 'RANGE');
  if (elements.slice(0, hashes.length).some(({ KeyType }) => KeyType === 'RANGE'))
    throw invalid('All HASH key attributes must precede RANGE key attributes in the KeySchema');
  for (const [kind, count] of [
    ['HASH', hashes.length],
    ['RANGE', ranges.length],
  ] as const)
    if (count > MAX_KEY_ATTRIBUTES)
      throw invalid(`The KeySchema exceeds the maximum allowed number of ${kind} key attributes`);
  const names = elements.map(({ AttributeName }) => AttributeName);
  if (new Set(names).size < names.length)
    throw validationError(
      elements.length === 2
        ? 'Both the Hash Key and the Range Key element in the KeySchema have the same name'
        : 'The KeySchema contains multiple key attributes with the same name',
    );
  const attributesOf = (of: readonly KeySchemaElement[]) =>
    of.map((element) => keyAttributeOf(element, definitions));
  const [partition, ...furtherPartition] = attributesOf(hashes);
  const [sort, ...furtherSort] = attributesOf(ranges);
  return {
    partition: partition as KeyAttribute, // There is one: hashes is not empty.
    ...(sort && { sort }),
    ...(furtherPartition.length > 0 && { furtherPartition }),
    ...(furtherSort.length > 0 && { furtherSort }),
  };
}

function keyAttributeOf(
  { AttributeName: name }: KeySchemaElement,
  definitions: readonly AttributeDefinition[],
): KeyAttribute {
  const definition = definitions.find(({ AttributeName }) => AttributeName === name);
  if (definition !== undefined) return { name, type: definition.AttributeType };
  const defined = definitions.map(({ AttributeName }) => AttributeName).join(', ');
  throw invalid(
    `Some index key attributes are not defined in AttributeDefinitions. Keys: [${name}], AttributeDefinitions: [${defined}]`,
  );
}
