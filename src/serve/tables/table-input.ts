// The requests of table administration, as far as they are read, in DynamoDB's own names.
import type { KeyType } from '../../dynamodb/attribute-value.ts';

export interface AttributeDefinition {
  readonly AttributeName: string;
  readonly AttributeType: KeyType;
}

export interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

export interface ProjectionInput {
  readonly ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  readonly NonKeyAttributes?: readonly string[];
}

/** How much throughput a table or a global index is to have. */
export interface ThroughputInput {
  readonly ProvisionedThroughput?: {
    readonly ReadCapacityUnits: number;
    readonly WriteCapacityUnits: number;
  };
  readonly OnDemandThroughput?: {
    readonly MaxReadRequestUnits?: number;
    readonly MaxWriteRequestUnits?: number;
  };
  readonly WarmThroughput?: { readonly ReadUnitsPerSecond?: number; readonly WriteUnitsPerSecond?: number };
}

export interface IndexInput extends ThroughputInput {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly Projection: ProjectionInput;
}

export type BillingMode = 'PROVISIONED' | 'PAY_PER_REQUEST';

export interface Tag {
  readonly Key: string;
  readonly Value: string;
}

/** What a table has that the simulated database does not look at. */
export interface TableTraits {
  readonly TableClass?: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS';
  readonly DeletionProtectionEnabled?: boolean;
  readonly StreamSpecification?: { readonly StreamEnabled: boolean; readonly StreamViewType?: string };
}

export interface CreateTableInput extends ThroughputInput, TableTraits {
  readonly TableName: string;
  readonly AttributeDefinitions: readonly AttributeDefinition[];
  readonly KeySchema: readonly KeySchemaElement[];
  readonly BillingMode?: BillingMode;
  readonly GlobalSecondaryIndexes?: readonly IndexInput[];
  readonly LocalSecondaryIndexes?: readonly IndexInput[];
  readonly Tags?: readonly Tag[];
}

/** One change of one global index; exactly one member is given. */
export interface IndexUpdate {
  readonly Create?: IndexInput;
  readonly Update?: ThroughputInput & { readonly IndexName: string };
  readonly Delete?: { readonly IndexName: string };
}

export interface UpdateTableInput extends ThroughputInput, TableTraits {
  readonly TableName: string;
  readonly AttributeDefinitions?: readonly AttributeDefinition[];
  readonly BillingMode?: BillingMode;
  readonly GlobalSecondaryIndexUpdates?: readonly IndexUpdate[];
}
