// Queries and Scans of more than one request as one operation: pages one after another, and several paged branches (shards, segments) at once.
import type { AttributeMap, AttributeValue } from '../dynamodb/attribute-value.ts';
import { compareScalar } from '../dynamodb/key-text.ts';
import type { ApiOutput, Request } from '../dynamodb/operation.ts';
import { type Outcome, outcomeSeverity } from '../dynamodb/outcome.ts';
import type { FanOutOperation, PagesOperation } from '../scenario/run-plan.ts';
import type { Done } from './target.ts';

type ReadRequest = Extract<Request, { api: 'Query' | 'Scan' }>;
type Send = (request: ReadRequest, done: Done) => void;

interface Branch {
  request: ReadRequest;
  pages: number;
  itemCount: number;
  readonly items: AttributeMap[];
}

/**
 * Reads all branches and hands one merged outcome to `done`: ok with the merged output, or the worst outcome of a branch.
 * `keepsItems`: whether the caller wants the items themselves or only their count.
 */
export function readBranches(operation: FanOutOperation, keepsItems: boolean, send: Send, done: Done): void {
  new BranchedRead(operation, keepsItems, send, done).start();
}

/** Follows one Query or Scan page by page. */
export function readPages(operation: PagesOperation, keepsItems: boolean, send: Send, done: Done): void {
  const single: FanOutOperation = {
    kind: 'fanOut',
    branches: [operation.request],
    parallel: 1,
    maximumPages: operation.maximumPages,
    wantedItems: Number.POSITIVE_INFINITY,
  };
  readBranches(single, keepsItems, send, done);
}

class BranchedRead {
  readonly #operation: FanOutOperation;
  readonly #keepsItems: boolean;
  readonly #send: Send;
  readonly #done: Done;
  readonly #branches: Branch[];
  #nextBranch = 0;
  #openBranches: number;
  #scannedCount = 0;
  #worst: Outcome | undefined;
  #lastKey: AttributeMap | undefined;
  #endUs = 0;

  constructor(operation: FanOutOperation, keepsItems: boolean, send: Send, done: Done) {
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
    branch.itemCount += output.Count ?? 0;
    this.#scannedCount += output.ScannedCount ?? 0;
    if (this.#keepsItems) branch.items.push(...(output.Items ?? []));
    const { maximumPages, wantedItems } = this.#operation;
    this.#lastKey = output.LastEvaluatedKey;
    if (
      output.LastEvaluatedKey === undefined ||
      branch.pages >= maximumPages ||
      branch.itemCount >= wantedItems
    ) {
      this.#endBranch();
      return;
    }
    branch.request = nextPage(branch.request, output.LastEvaluatedKey);
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
      ...(this.#branches.length === 1 && this.#lastKey ? { LastEvaluatedKey: this.#lastKey } : {}),
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

function nextPage(request: ReadRequest, lastKey: AttributeMap): ReadRequest {
  return request.api === 'Query'
    ? { api: 'Query', input: { ...request.input, ExclusiveStartKey: lastKey } }
    : { api: 'Scan', input: { ...request.input, ExclusiveStartKey: lastKey } };
}
