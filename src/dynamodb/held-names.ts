// The attributes that an index holds, and the refusal of requests that ask it for others.
import { validationError } from './api-error.ts';
import { keyAttributes, type KeySchema, type Projection } from './table-spec.ts';

/** Names of what an index holds: its own keys, those of the table, and what it includes; undefined: everything. */
export function heldNamesOf(
  { keys, projection }: { readonly keys: KeySchema; readonly projection: Projection },
  tableKeys: KeySchema,
): readonly string[] | undefined {
  if (projection.kind === 'ALL') return undefined;
  const names = [...keyAttributes(keys), ...keyAttributes(tableKeys)].map(({ name }) => name);
  if (projection.kind === 'INCLUDE') names.push(...projection.attributes);
  return [...new Set(names)];
}

/**
 * A global index cannot reach what it does not hold; a local one, which is not checked, fetches it from the table.
 * @throws ApiError ValidationException
 * @see "Query", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html (Select), read
 *   2026-11-30; the message as quoted in localstack/localstack#478
 */
export function checkProjectedNames(
  indexName: string,
  heldNames: readonly string[] | undefined,
  names: readonly string[],
): void {
  const lacking = lackingOf(names, heldNames);
  if (lacking.length > 0)
    throw validationError(
      `One or more parameter values were invalid: Global secondary index ${indexName} does not project [${lacking.join(', ')}]`,
    );
}

/**
 * No index filters by what it does not hold, not even where a local one would fetch it.
 * @throws ApiError ValidationException
 * @see dynamodb-toolbox/dynamodb-toolbox#1195, which quotes the message; `nubo-db/dynoxide` has it from captures
 */
export function checkFilterNames(
  indexName: string,
  heldNames: readonly string[] | undefined,
  names: readonly string[],
): void {
  const lacking = lackingOf(names, heldNames);
  if (lacking.length > 0)
    throw validationError(
      `One or more parameter values were invalid: Secondary index ${indexName} does not project one or more filter attributes: [${lacking.join(', ')}]`,
    );
}

function lackingOf(names: readonly string[], heldNames: readonly string[] | undefined): readonly string[] {
  if (heldNames === undefined) return [];
  return [...new Set(names.filter((name) => !heldNames.includes(name)))];
}
