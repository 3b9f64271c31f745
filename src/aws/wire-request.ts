// A request body that somebody else's client made → the request as the engine knows it, or nothing where it
// is none: what the rest of the code may rely on is checked here, the service checks the rest.
import { type DataApi, dataApis, type Request } from '../dynamodb/operation.ts';
import { isKnownStatement } from '../dynamodb/partiql/native-requests.ts';
import { isJsonObject, type JsonObject, textMember } from './json-object.ts';

const dataApiNames: ReadonlySet<string> = new Set(dataApis);

/**
 * The request in a body of DynamoDB's JSON protocol.
 * @returns undefined for APIs that are not for data, for the forms of old (`KeyConditions`), and for what is
 *   malformed
 */
export function wireRequest(api: string, body: JsonObject): Request | undefined {
  if (!isDataApi(api) || !isWellFormed(api, body)) return undefined;
  const request: { readonly api: DataApi; readonly input: unknown } = { api, input: body };
  // The members that code of ours reads were checked above; attribute values are the service's affair.
  return request as Request;
}

/** Whether a name is that of an API for data, PartiQL's among them. */
export function isDataApi(api: string): api is DataApi {
  return dataApiNames.has(api);
}

function isWellFormed(api: DataApi, body: JsonObject): boolean {
  switch (api) {
    case 'PutItem':
      return isPut(body);
    case 'GetItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return isKeyed(body);
    case 'Query':
      return isNamed(body) && textMember(body, 'KeyConditionExpression') !== undefined;
    case 'Scan':
      return isNamed(body);
    case 'BatchGetItem':
      return everyOf(body['RequestItems'], (keys) => isListOf(memberOf(keys, 'Keys'), isJsonObject));
    case 'BatchWriteItem':
      return everyOf(body['RequestItems'], (writes) => isListOf(writes, isBatchWrite));
    case 'TransactGetItems':
      return isListOf(body['TransactItems'], (item) => isKeyed(memberOf(item, 'Get')));
    case 'TransactWriteItems':
      return isListOf(body['TransactItems'], isTransactWrite);
    case 'ExecuteStatement':
      return isStatement(body);
    case 'BatchExecuteStatement':
      return isListOf(body['Statements'], isStatement);
    case 'ExecuteTransaction':
      return isListOf(body['TransactStatements'], isStatement);
  }
}

function isNamed(value: unknown): value is JsonObject {
  return isJsonObject(value) && textMember(value, 'TableName') !== undefined;
}

function isKeyed(value: unknown): boolean {
  return isNamed(value) && isJsonObject(value['Key']);
}

function isPut(value: unknown): boolean {
  return isNamed(value) && isJsonObject(value['Item']);
}

function isBatchWrite(write: unknown): boolean {
  if (!isJsonObject(write)) return false;
  const { PutRequest: put, DeleteRequest: remove } = write;
  if (put === undefined) return isJsonObject(memberOf(remove, 'Key'));
  return isJsonObject(memberOf(put, 'Item')) && remove === undefined;
}

function isTransactWrite(write: unknown): boolean {
  if (!isJsonObject(write)) return false;
  const { Put: put, Update: update, Delete: remove, ConditionCheck: check } = write;
  const keyed = [update, remove, check].filter((action) => action !== undefined);
  return (put === undefined || isPut(put)) && keyed.every(isKeyed);
}

function isStatement(value: unknown): boolean {
  const text = isJsonObject(value) ? textMember(value, 'Statement') : undefined;
  if (!isJsonObject(value) || text === undefined || !isKnownStatement(text)) return false;
  return value['Parameters'] === undefined || isListOf(value['Parameters'], isJsonObject);
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function isListOf(value: unknown, isOne: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((element: unknown) => isOne(element));
}

function everyOf(value: unknown, isOne: (member: unknown) => boolean): boolean {
  return isJsonObject(value) && Object.values(value).every(isOne);
}
