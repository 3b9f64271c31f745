// Requests of table administration: by name to the function that carries them out.
import { ApiError } from '../dynamodb/api-error.ts';
import { conformStructure } from './input/conform.ts';
import { checkConstraints } from './input/constraints.ts';
import { type ControlApi, controlShapes } from './input/control-shapes.ts';
import { parseBody } from './input/parse-body.ts';
import { plainTableName } from './table-names.ts';
import type { Administration } from './tables/administration.ts';
import { createTable, deleteTable, listTables } from './tables/create-table.ts';
import { describeTable } from './tables/describe-table.ts';
import { describeEndpoints, describeLimits } from './tables/limits.ts';
import { listTagsOfResource, tagResource, untagResource } from './tables/tags.ts';
import { describeTimeToLive, updateTimeToLive } from './tables/time-to-live.ts';
import { updateTable } from './tables/update-table.ts';
import { apiErrorAnswer, emptySuccess, success, type WireAnswer } from './wire-answer.ts';

/** What an operation answers; nothing: an empty body. */
type Operation = (administration: Administration, input: never) => object | undefined | void;

const operations: Readonly<Record<ControlApi, Operation>> = {
  CreateTable: createTable,
  UpdateTable: updateTable,
  DescribeTable: (administration, { TableName }: { readonly TableName: string }) => ({
    Table: describeTable(administration, administration.tables.get(TableName, administration.nowUs())),
  }),
  DeleteTable: deleteTable,
  ListTables: listTables,
  UpdateTimeToLive: updateTimeToLive,
  DescribeTimeToLive: describeTimeToLive,
  TagResource: tagResource,
  UntagResource: untagResource,
  ListTagsOfResource: listTagsOfResource,
  DescribeLimits: describeLimits,
  DescribeEndpoints: ({ address }) => describeEndpoints(address()),
};

export const controlApis = Object.keys(operations) as readonly ControlApi[]; // Object.keys widens to string.

/** Answers one request. */
export function handleControl(api: ControlApi, body: Buffer, administration: Administration): WireAnswer {
  try {
    const shape = controlShapes[api];
    const input = conformStructure(parseBody(body), shape);
    checkConstraints(input, shape);
    if (typeof input['TableName'] === 'string') input['TableName'] = plainTableName(input['TableName']);
    // The shape of each operation is that of its input.
    const output = operations[api](administration, input as never);
    return output === undefined ? emptySuccess : success(output);
  } catch (error) {
    return refusedAdministration(error, administration);
  }
}

/**
 * The answer to a request that broke a rule, which is counted among the mistakes of the account's users.
 * @throws anything that is no ApiError
 */
export function refusedAdministration(error: unknown, administration: Administration): WireAnswer {
  if (!(error instanceof ApiError)) throw error;
  const answer = apiErrorAnswer(error);
  countRefusal(administration, answer.status);
  return answer;
}

/** Counts a request that is none of the data plane and was refused. */
export function countRefusal({ activity, nowUs }: Administration, httpStatus: number): void {
  const atUs = nowUs();
  activity.record({
    request: undefined,
    outcome: { kind: 'failed', code: '', message: '', httpStatus },
    startUs: atUs,
    endUs: atUs,
  });
}
