// What is asked of a table: the data-plane APIs and their inputs, in DynamoDB's own names; each input is
// named after its API. Values are attribute values in wire form. What is answered is api-output.ts.
// @see "Amazon DynamoDB API Reference", https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/, read 2026-11-30
import type { AttributeMap, AttributeValue } from './attribute-value.ts';

/** The APIs that read and write items, statements of PartiQL among them, by their names on the wire. */
export const dataApis = [
  'PutItem',
  'GetItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
  'ExecuteStatement',
  'BatchExecuteStatement',
  'ExecuteTransaction',
] as const;

/** One of `dataApis`. */
export type DataApi = (typeof dataApis)[number];

/** How much an answer tells of its units: nothing, one sum, or table and indexes apart. */
export type ReturnConsumedCapacity = 'NONE' | 'TOTAL' | 'INDEXES';

/** What the placeholders of an expression that begin with `#` stand for. */
export interface ExpressionNames {
  readonly [placeholder: string]: string;
}

interface Accounted {
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity;
}

/** Asks a write for the size of the item collection that it changes. */
interface Collected {
  readonly ReturnItemCollectionMetrics?: 'SIZE' | 'NONE';
}

interface Conditional {
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: ExpressionNames;
  readonly ExpressionAttributeValues?: AttributeMap;
  readonly ReturnValuesOnConditionCheckFailure?: 'NONE' | 'ALL_OLD';
}

export interface PutItemInput extends Accounted, Collected, Conditional {
  readonly TableName: string;
  readonly Item: AttributeMap;
  readonly ReturnValues?: 'NONE' | 'ALL_OLD';
}

export interface GetItemInput extends Accounted {
  readonly TableName: string;
  readonly Key: AttributeMap;
  readonly ConsistentRead?: boolean;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: ExpressionNames;
}

export interface UpdateItemInput extends Accounted, Collected, Conditional {
  readonly TableName: string;
  readonly Key: AttributeMap;
  readonly UpdateExpression?: string;
  readonly ReturnValues?: 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW';
}

export interface DeleteItemInput extends Accounted, Collected, Conditional {
  readonly TableName: string;
  readonly Key: AttributeMap;
  readonly ReturnValues?: 'NONE' | 'ALL_OLD';
}

/** What Query and Scan have in common. */
export interface ReadManyInput extends Accounted {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: ExpressionNames;
  readonly ExpressionAttributeValues?: AttributeMap;
  readonly Limit?: number;
  readonly Select?: 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES' | 'COUNT';
  readonly ConsistentRead?: boolean;
  readonly ExclusiveStartKey?: AttributeMap;
}

export interface QueryInput extends ReadManyInput {
  readonly KeyConditionExpression: string;
  readonly ScanIndexForward?: boolean;
}

export interface ScanInput extends ReadManyInput {
  readonly Segment?: number;
  readonly TotalSegments?: number;
}

/** What a BatchGetItem asks of one table. */
export interface KeysAndAttributes {
  readonly Keys: readonly AttributeMap[];
  readonly ConsistentRead?: boolean;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: ExpressionNames;
}

export interface BatchGetItemInput extends Accounted {
  readonly RequestItems: { readonly [tableName: string]: KeysAndAttributes };
}

/** One member of a BatchWriteItem: exactly one of the two is present. */
export interface WriteRequest {
  readonly PutRequest?: { readonly Item: AttributeMap };
  readonly DeleteRequest?: { readonly Key: AttributeMap };
}

export interface BatchWriteItemInput extends Accounted, Collected {
  readonly RequestItems: { readonly [tableName: string]: readonly WriteRequest[] };
}

export interface TransactGetItemsInput extends Accounted {
  readonly TransactItems: readonly {
    readonly Get: {
      readonly TableName: string;
      readonly Key: AttributeMap;
      readonly ProjectionExpression?: string;
      readonly ExpressionAttributeNames?: ExpressionNames;
    };
  }[];
}

/** One action of a transaction: exactly one of the four is present. */
export interface TransactWriteItem {
  readonly Put?: Conditional & { readonly TableName: string; readonly Item: AttributeMap };
  readonly Update?: Conditional & {
    readonly TableName: string;
    readonly Key: AttributeMap;
    readonly UpdateExpression: string;
  };
  readonly Delete?: Conditional & { readonly TableName: string; readonly Key: AttributeMap };
  readonly ConditionCheck?: Conditional & {
    readonly TableName: string;
    readonly Key: AttributeMap;
    readonly ConditionExpression: string;
  };
}

export interface TransactWriteItemsInput extends Accounted, Collected {
  readonly TransactItems: readonly TransactWriteItem[];
  readonly ClientRequestToken?: string;
}

/** A statement of PartiQL with what its `?` stand for, in order. */
export interface ParameterizedStatement {
  readonly Statement: string;
  readonly Parameters?: readonly AttributeValue[];
  readonly ReturnValuesOnConditionCheckFailure?: 'NONE' | 'ALL_OLD';
}

export interface ExecuteStatementInput extends Accounted, ParameterizedStatement {
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly NextToken?: string;
}

export interface BatchExecuteStatementInput extends Accounted {
  readonly Statements: readonly (ParameterizedStatement & { readonly ConsistentRead?: boolean })[];
}

export interface ExecuteTransactionInput extends Accounted {
  readonly TransactStatements: readonly ParameterizedStatement[];
  readonly ClientRequestToken?: string;
}

/** The input of each API. */
export interface ApiInput {
  PutItem: PutItemInput;
  GetItem: GetItemInput;
  UpdateItem: UpdateItemInput;
  DeleteItem: DeleteItemInput;
  Query: QueryInput;
  Scan: ScanInput;
  BatchGetItem: BatchGetItemInput;
  BatchWriteItem: BatchWriteItemInput;
  TransactGetItems: TransactGetItemsInput;
  TransactWriteItems: TransactWriteItemsInput;
  ExecuteStatement: ExecuteStatementInput;
  BatchExecuteStatement: BatchExecuteStatementInput;
  ExecuteTransaction: ExecuteTransactionInput;
}

/** One request of one API. `R['api']` decides the type of `R['input']`. */
export type Request = { readonly [A in DataApi]: { readonly api: A; readonly input: ApiInput[A] } }[DataApi];

/** The APIs that take statements of PartiQL in place of a table and expressions. */
export const partiqlApis = [
  'ExecuteStatement',
  'BatchExecuteStatement',
  'ExecuteTransaction',
] as const satisfies readonly DataApi[];

/** A request that holds statements of PartiQL. */
export type PartiqlRequest = Extract<Request, { api: (typeof partiqlApis)[number] }>;

/** Whether a request holds statements of PartiQL. */
export function isPartiql(request: Request): request is PartiqlRequest {
  return (partiqlApis as readonly DataApi[]).includes(request.api); // A wider list only for the question.
}
