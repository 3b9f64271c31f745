// Queries, Scans and SELECTs of more than one request as one operation: pages one after another, and several
// paged branches (shards, segments) at once.
import type { ApiOutput } from '../dynamodb/api-output.ts';
import type { AttributeMap, AttributeValue } from '../dynamodb/attribute-value.ts';
import { compareScalar } from '../dynamodb/key-text.ts';
import { type Outcome, outcomeSeverity } from '../dynamodb/outcome.ts';
import type { FanOutOperation, PagedRequest, PagesOperation } from '../scenario/run-plan.ts';
import type { Done } from './target.ts';

type Send = (request: PagedRequest, done: Done) => void;

/** A fan-out whose branches may be SELECTs too. */
interface BranchesOperation extends Omit<FanOutOperation, 'branches'> {
  readonly branches: readonly PagedRequest[];
}

interface Branch {
  request: PagedRequest;
  pages: number;
  itemCount: number;
  readonly items: AttributeMap[];
}

/**
 * Reads all branches and hands one merged outcome to `done`: ok with the merged output, or the worst outcome
 * of a branch. `keepsItems`: whether the caller wants the items themselves or only their count.
 */
export function readBranches(
  operation: BranchesOperation,
  keepsItems: boolean,
  send: Send,
  done: Done,
): void {
  new BranchedRead(operation, keepsItems, send, done).start();
}

/** Follows one Query, Scan or SELECT page by page. */
export function readPages(operation: PagesOperation, keepsItems: boolean, send: Send, done: Done): void {
  const single: BranchesOperation = {
    kind: 'fanOut',
    branches: [operation.request],
    parallel: 1,
    maximumPages: operation.maximumPages,
    wantedItems: Number.POSITIVE_INFINITY,
  };
  readBranches(single, keepsItems, send, done);
}

class BranchedRead {
  readonly #operation: BranchesOperation;
  readonly #keepsItems: boolean;
  readonly #send: Send;
  readonly #done: Done;
  readonly #branches: Branch[];
  #nextBranch = 0;
  #openBranches: number;
  #scannedCount = 0;
  #worst: Outcome | undefined;
  #last: Pick<ApiOutput, 'LastEvaluatedKey' | 'NextToken'> = {};
  #endUs = 0;

  constructor(operation: BranchesOperation, keepsItems: boolean, send: Send, done: Done) {
    this.#operation = operation;
    this.#keepsItems = keepsItems;
    this.#send = send;
    this.#done = done;
    this.#branches = operation.branches.map((request) => ({ request, pages: 0, itemCount: 0, items: [] }));
    this.#openBranches = this.#branches.length;
  }

  start(): void {
    const first = Math.min(this.#operation.parallel, this.#branches.length);
    while (this.#nextBranch < first) this.#readPage(this.#branches[this.#nextBranch++] as Branch);
  }

  #readPage(branch: Branch): void {
    this.#send(branch.request, (outcome, endUs) => {
      if (endUs > this.#endUs) this.#endUs = endUs;
      if (outcome.kind === 'ok') this.#takePage(branch, outcome.output);
      else this.#fail(outcome);
    });
  }

  #takePage(branch: Branch, output: ApiOutput): void {
    branch.pages++;
    branch.itemCount += output.Count ?? output.Items?.length ?? 0;
    this.#scannedCount += output.ScannedCount ?? 0;
    if (this.#keepsItems) branch.items.push(...(output.Items ?? []));
    const { maximumPages, wantedItems } = this.#operation;
    this.#last = output;
    const next = nextPage(branch.request, output);
    if (next === undefined || branch.pages >= maximumPages || branch.itemCount >= wantedItems) {
      this.#endBranch();
      return;
    }
    branch.request = next;
    this.#readPage(branch);
  }

  #fail(outcome: Outcome): void {
    const severity = outcomeSeverity(outcome.kind);
    if (this.#worst === undefined || severity > outcomeSeverity(this.#worst.kind)) this.#worst = outcome;
    this.#endBranch();
  }

  #endBranch(): void {
    this.#openBranches--;
    // A failed branch decides the outcome: those not begun are not begun any more, as an application would do.
    if (this.#worst !== undefined) {
      this.#openBranches -= this.#branches.length - this.#nextBranch;
      this.#nextBranch = this.#branches.length;
    }
    if (this.#nextBranch < this.#branches.length)
      this.#readPage(this.#branches[this.#nextBranch++] as Branch);
    else if (this.#openBranches === 0) this.#done(this.#worst ?? this.#merged(), this.#endUs);
  }

  #merged(): Outcome {
    const { wantedItems, mergeBy } = this.#operation;
    const itemCount = this.#branches.reduce((sum, branch) => sum + branch.itemCount, 0);
    const output: ApiOutput = {
      Count: Math.min(itemCount, wantedItems),
      ScannedCount: this.#scannedCount,
      ...(this.#branches.length === 1 ? whereItEnded(this.#last) : {}),
      ...(this.#keepsItems ? { Items: mergeItems(this.#branches, mergeBy).slice(0, wantedItems) } : {}),
    };
    return { kind: 'ok', consumed: [], output };
  }
}

function mergeItems(branches: readonly Branch[], mergeBy: FanOutOperation['mergeBy']): AttributeMap[] {
  const items = branches.flatMap((branch) => branch.items);
  if (mergeBy === undefined || branches.length === 1) return items;
  const direction = mergeBy.newestFirst ? -1 : 1;
  const sortValue = (item: AttributeMap) => item[mergeBy.attribute];
  return items.sort((a, b) => direction * compareOptional(sortValue(a), sortValue(b)));
}

/** Items without the sort attribute (projected away) keep their order. */
function compareOptional(a: AttributeValue | undefined, b: AttributeValue | undefined): number {
  return a === undefined || b === undefined ? 0 : compareScalar(a, b);
}

function whereItEnded({ LastEvaluatedKey, NextToken }: ApiOutput): ApiOutput {
  return { ...(LastEvaluatedKey && { LastEvaluatedKey }), ...(NextToken && { NextToken }) };
}

/** The request of the next page; undefined where there is none. */
function nextPage(
  request: PagedRequest,
  { LastEvaluatedKey, NextToken }: ApiOutput,
): PagedRequest | undefined {
  // A SELECT tells both, and goes on by its token.
  if (request.api === 'ExecuteStatement')
    return NextToken === undefined ? undefined : { ...request, input: { ...request.input, NextToken } };
  if (LastEvaluatedKey === undefined) return undefined;
  return request.api === 'Query'
    ? { api: 'Query', input: { ...request.input, ExclusiveStartKey: LastEvaluatedKey } }
    : { api: 'Scan', input: { ...request.input, ExclusiveStartKey: LastEvaluatedKey } };
}
