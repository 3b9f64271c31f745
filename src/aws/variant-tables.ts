// The tables of one variant on the service: made by us, or one that was there before and is looked at.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { RunPlan } from '../scenario/run-plan.ts';
import { inspectExistingTable } from './existing-table.ts';
import { writesToTables } from './safety.ts';
import type { ObservedTables } from './variant-observation.ts';
import type { TableAdmin } from './table-admin.ts';

/** A variant's tables, made or found. */
export interface VariantTables extends ObservedTables {
  /** Names of those that load may write to. */
  readonly writable: ReadonlySet<string>;
}

interface Preparation {
  readonly admin: TableAdmin;
  readonly control: DynamoDBClient;
  readonly endpointText: string;
  /** An existing table to use instead of creating one. */
  readonly existing: { readonly allowWritesTo: readonly string[] } | undefined;
  readonly note: (text: string) => void;
}

/**
 * Creates the tables of a plan, or looks at the one that is to be used instead.
 * @throws DynoLoadError what stands in the way
 */
export async function prepareTables(plan: RunPlan, preparation: Preparation): Promise<VariantTables> {
  const { admin, existing, note } = preparation;
  if (existing !== undefined) return findTables(plan, existing.allowWritesTo, preparation);
  for (const text of await admin.createTables(plan.tables)) note(text);
  return {
    specs: plan.tables,
    wereThere: false,
    writable: new Set(plan.tables.map(({ tableName }) => tableName)),
  };
}

async function findTables(
  { tables, ...plan }: RunPlan,
  allowWritesTo: readonly string[],
  { admin, control, endpointText, note }: Preparation,
): Promise<VariantTables> {
  const specs = [];
  const writable = new Set<string>();
  for (const spec of tables) {
    const found = await inspectExistingTable({
      spec,
      description: await admin.describe(spec.tableName),
      writes: writesToTables(plan),
      allowWritesTo,
      endpointText,
      control,
    });
    for (const text of found.notes) note(text);
    if (found.mayWrite) writable.add(spec.tableName);
    specs.push(found.spec);
  }
  return { specs, wereThere: true, writable };
}
