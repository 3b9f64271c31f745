// Aim: which requests meet a fault follows from the seed and their number alone, as often as was asked for;
// batches are cut so that something is served and something comes back. Method: many requests against a
// count, and laws.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Request } from '../../../../src/dynamodb/operation.ts';
import { FaultInjector } from '../../../../src/serve/faults/fault-injector.ts';
import { type FaultRule, parseFaultRule } from '../../../../src/serve/faults/fault-rule.ts';
import { partialBatch } from '../../../../src/serve/faults/partial-batch.ts';

const ruleOf = (text: string): FaultRule => {
  const rule = parseFaultRule(text);
  if (typeof rule === 'string') throw new Error(rule);
  return rule;
};
const injector = (seed: number, ...texts: string[]) => new FaultInjector(texts.map(ruleOf), seed);
const put: Request = { api: 'PutItem', input: { TableName: 'orders', Item: { pk: { S: 'a' } } } };
const get: Request = { api: 'GetItem', input: { TableName: 'users', Key: { pk: { S: 'a' } } } };

describe('faults', () => {
  test('are met as often as their probability says', () => {
    const faults = injector(1, 'throttle:0.1');
    for (let count = 0; count < 100_000; count++) faults.next(put);
    // Of 100,000 draws at 0.1 the standard deviation is 95.
    expect(faults.counts[0]?.count).toBeGreaterThan(9_600);
    expect(faults.counts[0]?.count).toBeLessThan(10_400);
    expect(faults.requestCount).toBe(100_000);
  });

  test('are the same for the same seed, and others for another', () => {
    const sequence = (seed: number) => {
      const faults = injector(seed, 'latency=1s:0.2', '5xx:0.2', 'drop:0.2');
      return Array.from({ length: 500 }, () => faults.next(put));
    };
    expect(sequence(7)).toEqual(sequence(7));
    expect(sequence(8)).not.toEqual(sequence(7));
  });

  test('of a request do not depend on what was asked before it, nor on further rules', () => {
    const alone = injector(3, '5xx:0.3');
    const among = injector(3, '5xx:0.3', 'latency=1s:0.5', 'drop:0.3');
    for (let count = 0; count < 200; count++) {
      const first = alone.next(put);
      const second = among.next(count % 2 === 0 ? put : get);
      expect(second?.ending === '5xx').toBe(first?.ending === '5xx');
    }
  });

  test('are about the operation and the table that they name', () => {
    const faults = injector(1, 'throttle:1@PutItem', '5xx:1/users', 'partial:1');
    expect(faults.next(put)?.ending).toBe('throttle');
    expect(faults.next(get)?.ending).toBe('5xx');
    expect(faults.next({ api: 'GetItem', input: { TableName: 'others', Key: {} } })).toBeUndefined();
    expect(faults.counts.map(({ count }) => count)).toEqual([1, 1, 0]);
  });

  test('add up where they are latencies, and of several endings the first holds', () => {
    const faults = injector(1, 'latency=100ms:1', 'drop=after:1', 'latency=50ms:1', 'throttle:1');
    expect(faults.next(put)).toMatchObject({ latencyUs: 150_000, ending: 'drop', takesEffect: true });
    expect(faults.counts.map(({ count }) => count)).toEqual([1, 1, 1, 0]);
  });

  test('before and after come half and half unless one is asked for', () => {
    const faults = injector(1, 'drop:1');
    const after = Array.from({ length: 2_000 }, () => faults.next(put)).filter((fault) => fault?.takesEffect);
    expect(after.length).toBeGreaterThan(900);
    expect(after.length).toBeLessThan(1_100);
  });
});

describe('a batch', () => {
  const tables = fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '__proto__'), fc.nat({ max: 6 }), {
    noNullPrototype: false,
  });
  const choices = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

  test('is cut into what is served and what comes back, both of them something, nothing lost', () => {
    fc.assert(
      fc.property(tables, choices, (sizes, choice) => {
        const RequestItems = Object.fromEntries(
          Object.entries(sizes).map(([name, size]) => [
            name,
            Array.from({ length: size }, (_, index) => ({
              DeleteRequest: { Key: { pk: { S: `${name}${index}` } } },
            })),
          ]),
        );
        const all = Object.values(RequestItems).flat();
        const part = partialBatch({ api: 'BatchWriteItem', input: { RequestItems } }, choice);
        expect(part === undefined).toBe(all.length < 2);
        if (part?.request.api !== 'BatchWriteItem') return;
        const served = Object.values(part.request.input.RequestItems).flat();
        const whole = part.whole({ kind: 'ok', consumed: [], output: {} });
        const left =
          whole.kind === 'partial' ? Object.values(whole.output.UnprocessedItems ?? {}).flat() : [];
        expect(served.length).toBeGreaterThan(0);
        expect(left.length).toBeGreaterThan(0);
        expect([...served, ...left]).toEqual(all);
        expect(whole).toMatchObject({ sentItems: all.length, unprocessedItems: left.length });
      }),
    );
  });

  test('of reads comes back with the rest of its request, and with what the database left', () => {
    const Keys = ['a', 'b', 'c', 'd'].map((pk) => ({ pk: { S: pk } }));
    const part = partialBatch(
      { api: 'BatchGetItem', input: { RequestItems: { orders: { Keys, ConsistentRead: true } } } },
      0.5,
    );
    expect(part?.request.input).toEqual({
      RequestItems: Object.assign(Object.create(null) as object, {
        orders: { Keys: Keys.slice(0, 2), ConsistentRead: true },
      }),
    });
    const whole = part?.whole({
      kind: 'partial',
      sentItems: 2,
      unprocessedItems: 1,
      consumed: [],
      output: { UnprocessedKeys: { orders: { Keys: [{ pk: { S: 'b' } }] } } },
    });
    expect(whole).toMatchObject({
      kind: 'partial',
      sentItems: 4,
      unprocessedItems: 3,
      output: { UnprocessedKeys: { orders: { Keys: Keys.slice(1), ConsistentRead: true } } },
    });
  });

  test('that fails as a whole fails as it did', () => {
    const part = partialBatch({ api: 'BatchWriteItem', input: { RequestItems: { a: [{}, {}] } } }, 0);
    const failed = { kind: 'failed', code: 'ValidationException', message: 'no' } as const;
    expect(part?.whole(failed)).toBe(failed);
  });
});
