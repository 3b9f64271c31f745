// Whether two threads have planned the same: each loads the scenario file by itself, and a file that makes
// other plans or other operations each time it is loaded cannot be shared out. What cannot be compared (the
// user's functions) is compared by what it makes.
import { hash } from 'node:crypto';
import type { PlannedOperation, PlannedWorkload, RunPlan } from '../scenario/run-plan.ts';

/** A plan in short. */
export interface PlanDigest {
  /** Tables, stages, rates, policies, goals. */
  readonly plan: string;
  /**
   * The first operations of each workload; null where they are others each time they are made, which harms no
   * share.
   */
  readonly workloads: readonly { readonly name: string; readonly operations: string | null }[];
}

const OPERATIONS_COMPARED = 16;
const US_BETWEEN_OPERATIONS = 1_000;

/** Takes the digest of a plan; makes some operations of each workload. */
export function digestPlan(plan: RunPlan): PlanDigest {
  const { workloads, preloads, ...rest } = plan;
  return {
    plan: digest({
      ...rest,
      preloads: preloads.map(({ name, tableName, count }) => ({ name, tableName, count })),
      // Functions have no JSON and fall away; notes are for readers, and not all threads make them.
      workloads: workloads.map((workload) => ({ ...workload, notes: [] })),
    }),
    workloads: workloads.map((workload) => ({ name: workload.name, operations: digestOperations(workload) })),
  };
}

/** The first operations as text, made twice: what differs is left to chance by the scenario itself. */
function digestOperations(workload: PlannedWorkload): string | null {
  const [first, second] = [sample(workload), sample(workload)];
  return first === undefined || first !== second ? null : first;
}

function sample({ createGenerator }: PlannedWorkload): string | undefined {
  const generator = createGenerator();
  const operations: PlannedOperation[] = [];
  try {
    for (let sequence = 0; sequence < OPERATIONS_COMPARED; sequence++)
      operations.push(generator.next(sequence, sequence * US_BETWEEN_OPERATIONS));
  } catch {
    // The scenario's own function threw: that is told when the operation is due.
    return undefined;
  }
  return digest(operations);
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value, asText), 'hex');
}

/** What JSON has no form for, in some form that differs where the values do. */
function asText(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Set) return [...value];
  if (value instanceof Map) return [...value];
  if (value instanceof Uint8Array) return [...value];
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

/**
 * What differs between two digests of the same plan.
 * @returns undefined where nothing does
 */
export function differenceOf(ours: PlanDigest, theirs: PlanDigest): string | undefined {
  if (ours.plan !== theirs.plan) return 'tables, stages or workloads';
  for (const [index, { name, operations }] of ours.workloads.entries()) {
    const other = theirs.workloads[index]?.operations ?? null;
    if (operations !== null && other !== null && operations !== other)
      return `operations of workload "${name}"`;
  }
  return undefined;
}
