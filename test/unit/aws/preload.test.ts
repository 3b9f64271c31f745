// Aim: a preload stores every item through throttles and lost connections, and stops at what repeating cannot cure.
// Method: a target in memory that refuses by script; waits are counted, not spent.
import { expect, test } from 'vitest';
import { type PreloadTask, preload } from '../../../src/aws/preload.ts';
import type { AttributeMap } from '../../../src/dynamodb/attribute-value.ts';
import type { Request, WriteRequest } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import type { Target } from '../../../src/engine/target.ts';

const ok: Outcome = { kind: 'ok', consumed: [], output: {} };
const throttled: Outcome = { kind: 'throttled', exception: 'ThrottlingException', reasons: [] };

/** Stores what it is sent unless `refuse` answers for it; the batch's writes are `left` where it is partial. */
class MemoryTarget implements Target {
  readonly stored: string[] = [];
  underWay = 0;
  maxUnderWay = 0;
  readonly #refuse: (request: Request, writes: readonly WriteRequest[]) => Outcome | undefined;

  constructor(
    refuse: (request: Request, writes: readonly WriteRequest[]) => Outcome | undefined = () => undefined,
  ) {
    this.#refuse = refuse;
  }

  send(
    { request }: { readonly request: Request },
    _startUs: number,
    done: (outcome: Outcome, endUs: number) => void,
  ) {
    this.underWay += 1;
    this.maxUnderWay = Math.max(this.maxUnderWay, this.underWay);
    queueMicrotask(() => {
      this.underWay -= 1;
      done(this.#answer(request), 0);
    });
  }

  #answer(request: Request): Outcome {
    const writes = writesOf(request);
    const refusal = this.#refuse(request, writes);
    const left =
      refusal?.kind === 'partial' ? (refusal.output.UnprocessedItems?.['t'] ?? []) : refusal ? writes : [];
    for (const write of writes) if (!left.includes(write)) this.stored.push(keyOf(write.PutRequest?.Item));
    return refusal ?? ok;
  }
}

function writesOf(request: Request): readonly WriteRequest[] {
  if (request.api === 'BatchWriteItem') return request.input.RequestItems['t'] ?? [];
  return request.api === 'PutItem' ? [{ PutRequest: { Item: request.input.Item } }] : [];
}

function keyOf(item: AttributeMap | undefined): string {
  return item?.['pk']?.S ?? '';
}

function task(target: Target, more: Partial<PreloadTask> = {}): PreloadTask {
  return {
    target,
    tableName: 't',
    count: 60,
    itemAt: (index) => ({ pk: { S: `${index}` } }),
    pause: async () => undefined,
    ...more,
  };
}

const all = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`).sort();

test('stores every item once, in batches of 25, no more batches at a time than asked', async () => {
  const target = new MemoryTarget();
  const progress: number[] = [];
  await preload(task(target, { count: 260, parallel: 3, onProgress: (done) => progress.push(done) }));
  expect(target.stored.toSorted()).toEqual(all(260));
  expect(target.maxUnderWay).toBe(3);
  expect(progress).toEqual([25, 50, 75, 100, 125, 150, 175, 200, 225, 250, 260]);
});

test('sends unprocessed items again until they are stored', async () => {
  const target = new MemoryTarget((_request, writes) => {
    const left = writes.slice(4);
    if (left.length === 0) return undefined;
    const output = { UnprocessedItems: { t: left } };
    return { kind: 'partial', sentItems: writes.length, unprocessedItems: left.length, consumed: [], output };
  });
  await preload(task(target));
  expect(target.stored.toSorted()).toEqual(all(60));
});

test('waits longer and longer while nothing is stored, and less after progress', async () => {
  let refusals = 4;
  const pauses: number[] = [];
  const target = new MemoryTarget(() => (refusals-- > 0 ? throttled : undefined));
  await preload(task(target, { count: 5, pause: async (delayMs) => void pauses.push(delayMs) }));
  expect(pauses).toEqual([50, 100, 200, 400]);
});

test.each([
  ['a lost connection', { kind: 'failed', code: 'ECONNRESET', message: '' }],
  ['a server error', { kind: 'failed', code: 'InternalServerError', message: '', httpStatus: 500 }],
] satisfies [string, Outcome][])('tries again after %s', async (_name, refusal) => {
  let refusals = 1;
  const target = new MemoryTarget(() => (refusals-- > 0 ? refusal : undefined));
  await preload(task(target));
  expect(target.stored.toSorted()).toEqual(all(60));
});

test('stops at the first refusal that repeating cannot cure', async () => {
  let requests = 0;
  const target = new MemoryTarget(() => {
    requests += 1;
    return { kind: 'failed', code: 'ValidationException', message: 'no key', httpStatus: 400 };
  });
  await expect(preload(task(target, { count: 10_000, parallel: 2 }))).rejects.toMatchObject({
    code: 'PRELOAD_FAILED',
    what: expect.stringMatching(/items 0 .* of 10000 .*"t": ValidationException, no key/),
  });
  expect(requests).toBeLessThan(5);
});

test('gives up on a table that throttles without end', async () => {
  await expect(preload(task(new MemoryTarget(() => throttled)))).rejects.toMatchObject({
    code: 'PRELOAD_FAILED',
    why: expect.stringContaining('throttling'),
  });
});

test('keys that come twice in one batch are stored one by one, in order', async () => {
  const target = new MemoryTarget((request) =>
    request.api === 'BatchWriteItem'
      ? {
          kind: 'failed',
          code: 'ValidationException',
          message: 'Provided list of item keys contains duplicates',
        }
      : undefined,
  );
  await preload(task(target, { count: 3, itemAt: (index) => ({ pk: { S: `${index}` } }) }));
  expect(target.stored).toEqual(['0', '1', '2']);
});

test('ends early and quietly when asked to', async () => {
  const abort = new AbortController();
  const target = new MemoryTarget();
  await preload(
    task(target, { count: 10_000, parallel: 1, signal: abort.signal, onProgress: () => abort.abort() }),
  );
  expect(target.stored).toHaveLength(25);
});
