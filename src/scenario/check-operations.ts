// Before load: a thousand operations of each workload and variant are generated and checked, so that what
// cannot work is said within a moment and not after minutes of load. Generators made here belong to a run of
// their own and disturb no other.
import { DynoLoadError } from '../errors.ts';
import type { ApiOutput } from '../dynamodb/api-output.ts';
import type { Request } from '../dynamodb/operation.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { isPoolEmpty } from '../workload/pool.ts';
import type { Report } from './check-item.ts';
import { checkRequest } from './check-request.ts';
import { IssueList } from './issues.ts';
import { KeyChoices } from './key-choices.ts';
import { thrownIssue } from './user-function.ts';
import type {
  FlowOperation,
  FlowPort,
  OperationGenerator,
  PlannedPreload,
  PlannedWorkload,
  RequestsOperation,
  RunPlan,
} from './run-plan.ts';

const OPERATIONS = 1_000;

/**
 * Generates and checks operations and preloaded items of all variants. Those of `custom` workloads are left out:
 * what they send shows only when their own client runs.
 * @param options.file  the scenario file as the user named it
 * @param options.choices  is told how keys are chosen
 * @throws DynoLoadError ITEM_TOO_LARGE, OPERATION_INVALID, SCENARIO_FUNCTION_THREW or FLOW_AWAITED_OUTSIDE;
 * SCENARIO_INVALID where several kinds meet
 */
export async function checkOperations(
  plans: readonly RunPlan[],
  { file, choices = new KeyChoices() }: { readonly file: string; readonly choices?: KeyChoices },
): Promise<void> {
  const issues = new IssueList(file);
  for (const plan of plans) await new VariantCheck(plan, issues, choices).check();
  issues.throwIfAny();
}

class VariantCheck {
  readonly #plan: RunPlan;
  readonly #issues: IssueList;
  readonly #specs: ReadonlyMap<string, TableSpec>;
  /** Faults already told: one operation stands for all with the same fault. */
  readonly #told = new Set<string>();

  readonly #choices: KeyChoices;

  constructor(plan: RunPlan, issues: IssueList, choices: KeyChoices) {
    this.#plan = plan;
    this.#issues = issues;
    this.#choices = choices;
    this.#specs = new Map(plan.tables.map((table) => [table.tableName, table]));
  }

  async check(): Promise<void> {
    this.#issues.enterVariant(this.#plan.variant.name);
    for (const preload of this.#plan.preloads) this.#checkPreload(preload);
    const generators = this.#plan.workloads.map((workload) => ({
      workload,
      generator: workload.createGenerator((choice) => this.#choices.add(this.#plan, workload.name, choice)),
    }));
    // Writers first, so that pools have something for readers.
    const inOrder = [...generators].sort((a, b) => Number(b.workload.isWrite) - Number(a.workload.isWrite));
    for (const { workload, generator } of inOrder) await this.#checkWorkload(workload, generator);
    this.#issues.enterVariant(undefined);
  }

  #checkPreload({ name, count, itemAt }: PlannedPreload): void {
    const length = Math.min(count, OPERATIONS);
    for (let number = 0; number < length; number++) {
      const index = Math.floor((number * count) / length);
      try {
        itemAt(index);
      } catch (error) {
        this.#addError(`data.${name}`, error);
        return;
      }
    }
  }

  async #checkWorkload(workload: PlannedWorkload, generator: OperationGenerator): Promise<void> {
    const { endUs } = this.#plan.stages.at(-1) ?? { endUs: 0 };
    let sent = 0;
    for (let sequence = 0; sequence < OPERATIONS; sequence++) {
      // Over the whole of the load: what depends on the time of day shows too.
      const dueUs = Math.floor((sequence * endUs) / OPERATIONS);
      try {
        const operation = generator.next(sequence, dueUs);
        const report = this.#reportAt(`workloads.${workload.name}`, `operation ${sequence}`);
        const check = (request: Request) => checkRequest(request, this.#specs, report);
        if (operation.kind === 'flow') sent += await checkFlow(operation, check);
        else if (operation.kind === 'custom') return;
        else if (operation.kind !== 'skipped') requestsOf(operation).forEach(check);
        generator.acknowledge(operation, sequence, dueUs);
      } catch (error) {
        this.#addError(`workloads.${workload.name}`, error);
        return;
      }
    }
    if (workload.kind === 'flow' && sent === 0) this.#addIdleFlow(workload.name);
  }

  #addIdleFlow(name: string): void {
    this.#issues.add({
      at: `workloads.${name}.run`,
      is: `makes no request in any of its first ${OPERATIONS.toLocaleString('en-US')} operations`,
      why: 'a flow without requests is no load; all of it would be skipped',
      fix: "write for example await db.get('find order', { key: { … } })",
      code: 'OPERATION_INVALID',
    });
  }

  #reportAt(at: string, which: string): Report {
    return ({ code, is, why, fix }) => {
      const kind = `${at}\n${code}\n${why}`;
      if (this.#told.has(kind)) return;
      this.#told.add(kind);
      this.#issues.add({ at, is: `(${which}) ${is}`, why, fix, code });
    };
  }

  #addError(at: string, error: unknown): void {
    this.#issues.add(thrownIssue(at, this.#issues.file, error));
  }
}

function requestsOf(operation: RequestsOperation): readonly Request[] {
  return operation.kind === 'fanOut' ? operation.branches : [operation.request];
}

/**
 * Turns of the promise queue that a flow may take without sending anything. In virtual time a flow that needs
 * more waits for something outside.
 */
const IDLE_TURNS = 1_000;

/**
 * Runs a flow on a port that finds nothing. What the flow makes of missing items is its own affair: once a
 * request was sent, its exceptions are ignored.
 * @returns requests sent; one where a pool was empty, since then it is not known
 * @throws DynoLoadError FLOW_AWAITED_OUTSIDE, FLOW_NOT_AWAITED
 */
async function checkFlow(operation: FlowOperation, check: (request: Request) => void): Promise<number> {
  const port = new EmptyPort(check);
  let isSettled = false;
  let thrown: unknown;
  operation.run(port).then(
    () => {
      isSettled = true;
    },
    (error: unknown) => {
      isSettled = true;
      thrown = error;
    },
  );
  for (let idle = 0, seen = 0; !isSettled; idle++) {
    await Promise.resolve();
    if (port.sent > seen) idle = 0;
    seen = port.sent;
    if (idle > IDLE_TURNS) throw awaitsOutside();
  }
  const isOurs = thrown instanceof DynoLoadError;
  if (isPoolEmpty(thrown)) return 1;
  if (thrown !== undefined && (isOurs || port.sent === 0)) throw thrown;
  return port.sent;
}

function awaitsOutside(): DynoLoadError {
  return new DynoLoadError('FLOW_AWAITED_OUTSIDE', {
    what: 'its flow waits for something that is not its db',
    why: 'a flow runs in virtual time as well, where timers and other networks never answer',
    fix: 'await calls of db only',
  });
}

/** Turns of the promise queue until an answer comes; an async function without any await ends within three. */
const ANSWER_TURNS = 10;

/** Answers every request with nothing. */
class EmptyPort implements FlowPort {
  readonly #check: (request: Request) => void;
  sent = 0;

  constructor(check: (request: Request) => void) {
    this.#check = check;
  }

  async send(_label: string, operation: RequestsOperation): Promise<ApiOutput> {
    this.sent++;
    const requests = requestsOf(operation);
    for (const request of requests) this.#check(request);
    // Late enough for a flow that does not wait to have ended.
    for (let turn = 0; turn < ANSWER_TURNS; turn++) await Promise.resolve();
    return emptyAnswer(requests[0]);
  }
}

function emptyAnswer(request: Request | undefined): ApiOutput {
  switch (request?.api) {
    case 'Query':
    case 'Scan':
      return { Items: [], Count: 0, ScannedCount: 0 };
    case 'BatchGetItem':
      return { Responses: {} };
    case 'TransactGetItems':
      return { Responses: request.input.TransactItems.map(() => ({})) };
    case 'ExecuteStatement':
      return { Items: [] };
    case 'BatchExecuteStatement':
      return { Responses: request.input.Statements.map(() => ({})) };
    case 'ExecuteTransaction':
      return { Responses: request.input.TransactStatements.map(() => ({})) };
    default:
      return {};
  }
}
