// The tables of a run, from the first variant to the last: a fresh set for each, one set for all that only read, or
// a table that was there before. Making and filling one set is for others.
import type { PrepareProgress } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { writesToTables } from './safety.ts';
import { sharingNote } from './sharing-note.ts';
import type { TableAdmin } from './table-admin.ts';
import type { VariantTables } from './variant-tables.ts';

interface RunTablesParts {
  readonly admin: TableAdmin;
  /** Leave the tables that are created. */
  readonly keepTables: boolean;
  /** Whether what throttling depends on lives on in a table that is shared. */
  readonly isThrottling: boolean;
  /** Creates the tables of a plan, or finds the one to be used instead. */
  prepare(plan: RunPlan): Promise<VariantTables>;
  /** Puts the items of a plan into its tables. */
  fill(
    plan: RunPlan,
    tables: VariantTables,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Tables that are ready for a variant. */
export interface OpenedTables {
  readonly tables: VariantTables;
  /** Whether an earlier variant wrote to them. */
  readonly isCarriedOver: boolean;
}

/** Makes, shares and deletes the tables of one run; one object serves all of its variants and repeats. */
export class RunTables {
  readonly #parts: RunTablesParts;
  /** What all variants read, once it is filled. */
  #shared: VariantTables | undefined;
  /** The plan that filled what is shared, and how many runs found it filled. */
  #saved: { readonly plan: RunPlan; runs: number } | undefined;
  /** Tables that were there before and that a variant has written to. */
  readonly #written = new Set<string>();

  constructor(parts: RunTablesParts) {
    this.#parts = parts;
  }

  /** Whether tables stay for the next variant. */
  get areShared(): boolean {
    return this.#shared !== undefined;
  }

  /** Tables that go at the end of a variant, or of the run where they are shared. */
  get leaving(): readonly string[] {
    return this.#parts.keepTables ? [] : this.#parts.admin.created;
  }

  /** What to say in the report: of sharing, where something was saved, and of tables that were created and stay. */
  get notes(): readonly string[] {
    const { isThrottling, keepTables, admin } = this.#parts;
    const notes: string[] = [];
    if (this.#saved !== undefined && this.#saved.runs > 0)
      notes.push(sharingNote({ ...this.#saved, isThrottling }));
    if (keepTables && admin.created.length > 0)
      notes.push(`Tables that --keep-tables left, until you delete them: ${admin.created.join(', ')}.`);
    return notes;
  }

  /** Makes the tables of a variant ready. @throws DynoLoadError what stands in the way */
  async open(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<OpenedTables> {
    if (plan.sharesTables && this.#shared !== undefined) {
      if (this.#saved !== undefined) this.#saved.runs++;
      return { tables: this.#shared, isCarriedOver: false };
    }
    progress({ what: 'create tables', done: 0, of: plan.tables.length });
    const tables = await this.#parts.prepare(plan);
    const isCarriedOver = plan.tables.some(({ tableName }) => this.#written.has(tableName));
    await this.#parts.fill(plan, tables, progress, signal);
    if (plan.sharesTables) return { tables: this.#share(plan, tables), isCarriedOver: false };
    if (tables.wereThere && writesToTables(plan))
      for (const { tableName } of plan.tables) this.#written.add(tableName);
    return { tables, isCarriedOver };
  }

  /** Whether shared tables can be kept for the next variant: they still answer. */
  async areKept(): Promise<boolean> {
    if (this.#shared === undefined) return false;
    try {
      for (const { tableName } of this.#shared.specs) await this.#parts.admin.describe(tableName);
      return true;
    } catch {
      // What is wrong is told by deleting them, which is tried next.
      return false;
    }
  }

  /** Deletes what was created, unless it is to be kept, and shares nothing any more. */
  async remove(): Promise<void> {
    this.#shared = undefined;
    if (!this.#parts.keepTables) await this.#parts.admin.deleteCreated();
  }

  /** From here on nothing may be written to them: the next variant is to find what this one found. */
  #share(plan: RunPlan, tables: VariantTables): VariantTables {
    this.#saved = { plan, runs: 0 };
    this.#shared = { ...tables, writable: new Set() };
    return this.#shared;
  }
}
