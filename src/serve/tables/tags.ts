// TagResource, UntagResource, ListTagsOfResource.
// @see "Tagging restrictions in DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TaggingRestrictions.html, read 2026-11-30
import { validationError } from '../../dynamodb/api-error.ts';
import type { Administration } from './administration.ts';
import type { ServedTable } from './served-table.ts';
import type { Tag } from './table-input.ts';

const MAX_TAGS = 50;

/** @throws ApiError ValidationException */
export function checkTags(tags: readonly Tag[]): void {
  if (tags.length > MAX_TAGS)
    throw validationError('Number of Tags exceed the current limit for the provided ResourceArn');
  const names = tags.map(({ Key }) => Key);
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  if (repeated !== undefined)
    throw validationError(`Duplicate Tag Keys provided as input: Duplicate Tag Key found ${repeated}`);
  const reserved = names.find((name) => name.startsWith('aws:'));
  if (reserved !== undefined) throw validationError(`Tag Key cannot be prefixed with aws:, Key: ${reserved}`);
}

interface TagInput {
  readonly ResourceArn: string;
  readonly Tags: readonly Tag[];
}

/** @throws ApiError ValidationException, ResourceNotFoundException */
export function tagResource(administration: Administration, { ResourceArn, Tags }: TagInput): void {
  const table = taggedTable(administration, ResourceArn);
  if (Tags.length === 0) throw validationError('Atleast one Tag needs to be provided as Input.');
  checkTags(Tags);
  const after = new Map(table.tags);
  for (const { Key, Value } of Tags) after.set(Key, Value);
  checkTags([...after].map(([Key, Value]) => ({ Key, Value })));
  for (const { Key, Value } of Tags) table.tags.set(Key, Value);
}

interface UntagInput {
  readonly ResourceArn: string;
  readonly TagKeys: readonly string[];
}

/** @throws ApiError ValidationException, ResourceNotFoundException */
export function untagResource(administration: Administration, { ResourceArn, TagKeys }: UntagInput): void {
  const table = taggedTable(administration, ResourceArn);
  if (TagKeys.length === 0) throw validationError('Atleast one Tag Key needs to be provided as Input.');
  for (const key of TagKeys) table.tags.delete(key);
}

/** All tags at once: there are 50 at most. @throws ApiError ValidationException, ResourceNotFoundException */
export function listTagsOfResource(
  administration: Administration,
  { ResourceArn }: { readonly ResourceArn: string },
): object {
  const { tags } = taggedTable(administration, ResourceArn);
  return { Tags: [...tags].map(([Key, Value]) => ({ Key, Value })) };
}

function taggedTable({ tables, nowUs }: Administration, arn: string): ServedTable {
  if (!/^arn:[^:]*:dynamodb:[^:]*:[^:]*:table\/[^/]+$/.test(arn))
    throw validationError(`Invalid TableArn: Invalid ResourceArn provided as input ${arn.slice(0, 300)}`);
  return tables.getByArn(arn, nowUs());
}
