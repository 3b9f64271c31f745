// What may be written to and deleted on an account that is not ours alone. Rules as functions of facts; looking
// the facts up, and asking the user, is for others.
import type { Request } from '../dynamodb/operation.ts';
import { statementUses } from '../dynamodb/partiql/native-requests.ts';
import type { Done, Target, TargetRequest } from '../engine/target.ts';
import { DynoLoadError } from '../errors.ts';
import type { RunPlan } from '../scenario/run-plan.ts';

/** Names of tables that dyno-load creates begin so. */
export const OWN_PREFIX = 'dyno-load-';

/** The tag of tables that dyno-load creates. */
export const ownTag = { name: 'created-by', value: 'dyno-load' } as const;

/** What is known of an existing table, and what the user said of it. */
export interface ExistingTableFacts {
  readonly tableName: string;
  /** Tags by name; undefined where nobody has looked, or the server has none. */
  readonly tags: Readonly<Record<string, string>> | undefined;
  /** Tables that `--allow-writes-to` names. */
  readonly allowWritesTo: readonly string[];
}

/** Whether dyno-load created a table: its name begins as ours do, and its tag says so. One alone is not enough. */
export function isOwnTable({ tableName, tags }: Pick<ExistingTableFacts, 'tableName' | 'tags'>): boolean {
  return tableName.startsWith(OWN_PREFIX) && tags?.[ownTag.name] === ownTag.value;
}

/** Whether writes may go to an existing table: one of ours, or one that the user named twice. */
export function mayWrite(facts: ExistingTableFacts): boolean {
  return facts.allowWritesTo.includes(facts.tableName) || isOwnTable(facts);
}

/**
 * Whether a plan would put anything into its tables. A flow or the user's own client may, so it counts as one
 * that does.
 */
export function writesToTables({ onlyReads, preloads }: Pick<RunPlan, 'onlyReads' | 'preloads'>): boolean {
  return !onlyReads || preloads.some(({ count }) => count > 0);
}

/** The refusal of writes to a table. */
export function refusedWrite(tableName: string, what: string): DynoLoadError {
  return new DynoLoadError('REFUSED_WRITE', {
    what: `${what} table "${tableName}", and it may not be written to`,
    why: `dyno-load writes to tables that it created (name "${OWN_PREFIX}…", tag ${ownTag.name}=${ownTag.value}) or that are named twice`,
    fix: `leave --table away for a table of its own, or add --allow-writes-to ${tableName} if losing what is in it would not matter`,
  });
}

/**
 * Whether one existing table may serve these variants one after another: each finds what the one before left.
 * @throws DynoLoadError USAGE
 */
export function checkTableReuse(
  plans: readonly Pick<RunPlan, 'onlyReads' | 'sharesTables' | 'tables'>[],
  { tableName, isReuseAllowed }: { readonly tableName: string; readonly isReuseAllowed: boolean },
): void {
  const tables = plans[0]?.tables ?? [];
  if (tables.length !== 1)
    throw new DynoLoadError('USAGE', {
      what: `--table ${tableName} stands for one table, and the scenario has ${tables.length}`,
      why: 'which of them it should be is not said',
      fix: 'leave --table away, so that all are created for the run',
    });
  if (plans.length <= 1 || isReuseAllowed || plans.every(({ sharesTables }) => sharesTables)) return;
  const how = plans.every(({ onlyReads }) => onlyReads) ? 'put other items into' : 'write to';
  throw new DynoLoadError('USAGE', {
    what: `${plans.length} variants would ${how} one table, ${tableName}`,
    why: 'each would find the items, the heat and the splits that the one before left',
    fix: 'choose one variant with --set, or add --reuse-table, and the result is marked suspect',
  });
}

/** Calls `each` with the tables that a request writes to, until it returns true. @returns whether it did */
export function someWrittenTable(request: Request, each: (tableName: string) => boolean): boolean {
  switch (request.api) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return each(request.input.TableName);
    case 'BatchWriteItem':
      return Object.keys(request.input.RequestItems).some(each);
    case 'TransactWriteItems':
      // A check writes nothing, and a table of others may be asked.
      return request.input.TransactItems.some(({ Put, Update, Delete }) => {
        const part = Put ?? Update ?? Delete;
        return part !== undefined && each(part.TableName);
      });
    case 'ExecuteStatement':
    case 'BatchExecuteStatement':
    case 'ExecuteTransaction':
      // What cannot be read as a statement might be understood elsewhere: it counts as a write to a table without a
      // name.
      return statementUses(request).some(
        ({ verb, tableName }) => verb !== 'select' && verb !== 'check' && each(tableName),
      );
    case 'GetItem':
    case 'Query':
    case 'Scan':
    case 'BatchGetItem':
    case 'TransactGetItems':
      return false;
  }
}

/**
 * Lets only those writes through that go to allowed tables, whatever a scenario's own functions make of table
 * names. The first other one is told to `refuse`, and all such end as `failed` with REFUSED_WRITE, unsent.
 */
export class WriteGuard implements Target {
  readonly #inner: Target;
  readonly #allowed: ReadonlySet<string>;
  readonly #refuse: (error: DynoLoadError) => void;
  readonly #isForeign = (tableName: string): boolean => !this.#allowed.has(tableName);

  constructor(inner: Target, allowed: ReadonlySet<string>, refuse: (error: DynoLoadError) => void) {
    this.#inner = inner;
    this.#allowed = allowed;
    this.#refuse = refuse;
  }

  send(request: TargetRequest, startUs: number, done: Done): void {
    if (!someWrittenTable(request.request, this.#isForeign)) {
      this.#inner.send(request, startUs, done);
      return;
    }
    const names: string[] = [];
    someWrittenTable(request.request, (name) => {
      if (this.#isForeign(name)) names.push(name);
      return false;
    });
    const error = refusedWrite(names[0] ?? '', `a ${request.request.api} of the scenario names`);
    done({ kind: 'failed', code: error.code, message: error.what }, startUs);
    this.#refuse(error);
  }
}
