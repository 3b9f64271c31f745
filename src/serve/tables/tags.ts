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
  if (tags.length > MAX_TAGS) throw validationError(`Too many tags: the limit is ${MAX_TAGS} for each table`);
  const names = tags.map(({ Key }) => Key);
  if (new Set(names).size < names.length) throw validationError('Duplicate tag keys are not allowed');
}

interface TagInput {
  readonly ResourceArn: string;
  readonly Tags: readonly Tag[];
}

/** @throws ApiError ValidationException, ResourceNotFoundException */
export function tagResource(administration: Administration, { ResourceArn, Tags }: TagInput): void {
  const table = taggedTable(administration, ResourceArn);
  if (Tags.length === 0) throw validationError('At least one tag must be given');
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
  if (TagKeys.length === 0) throw validationError('At least one tag key must be given');
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
