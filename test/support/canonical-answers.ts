// Answers of the simulator and of a server over the wire in one form, in which what has no order has a fixed one.
import type { ApiOutput } from '../../src/dynamodb/api-output.ts';
import type { AttributeMap } from '../../src/dynamodb/attribute-value.ts';
import { toWireConsumedCapacity } from '../../src/dynamodb/consumed-capacity.ts';
import type { Request } from '../../src/dynamodb/operation.ts';
import type { Outcome } from '../../src/dynamodb/outcome.ts';
import { callServer } from './wire-calls.ts';

/** What either side answered, in one form. */
export interface Answer {
  readonly result: string;
  readonly output?: unknown;
  readonly consumed?: unknown;
  readonly reasons?: readonly string[];
  readonly lastKey?: AttributeMap | undefined;
  /** Ours only: an update whose document path leads nowhere. */
  readonly isLostPath?: boolean;
}

/** What the simulator answered. */
export function answerOf(request: Request, outcome: Outcome): Answer {
  switch (outcome.kind) {
    case 'ok':
    case 'partial': {
      const isTransactional = request.api.startsWith('Transact');
      const consumed = outcome.consumed.map((one) =>
        toWireConsumedCapacity(one, request.input.ReturnConsumedCapacity, { isTransactional }),
      );
      return {
        result: 'ok',
        output: canonicalOutput(request, outcome.output),
        lastKey: outcome.output.LastEvaluatedKey,
        consumed: canonicalConsumed(consumed),
      };
    }
    case 'conditionFailed':
      if (outcome.cancellationReasons)
        return {
          result: 'TransactionCanceledException',
          reasons: outcome.cancellationReasons.map(({ Code }) => Code),
        };
      return { result: 'ConditionalCheckFailedException', output: canonical(outcome.item ?? null) };
    case 'failed':
      if (outcome.cancellationReasons)
        return {
          result: 'TransactionCanceledException',
          reasons: outcome.cancellationReasons.map(({ Code }) => Code),
          isLostPath: outcome.cancellationReasons.some(({ Message = '' }) => isLostPath(Message)),
        };
      return { result: outcome.code, isLostPath: isLostPath(outcome.message) };
    default:
      return { result: outcome.kind };
  }
}

function isLostPath(message: string): boolean {
  return message.includes('document path provided in the update expression is invalid');
}

/** What a server answered. */
export async function theirAnswer(url: string, request: Request): Promise<Answer> {
  const { errorType, body } = await callServer(url, request.api, request.input);
  if (errorType === 'ConditionalCheckFailedException')
    return { result: errorType, output: canonical(body.Item ?? null) };
  if (errorType === 'TransactionCanceledException')
    return {
      result: errorType,
      reasons: (body.CancellationReasons as { Code: string }[]).map(({ Code }) => Code),
    };
  if (errorType !== undefined) return { result: errorType };
  const { ConsumedCapacity: consumed, ...output } = body;
  const list = consumed === undefined ? [] : Array.isArray(consumed) ? consumed : [consumed];
  return { result: 'ok', output: canonicalOutput(request, output), consumed: canonicalConsumed(list) };
}

/**
 * An output with everything in a fixed order whose order means nothing, without empty members that say nothing
 * and without ItemCollectionMetrics: the service tells whole gigabytes (`paritysuite/dynamodb-conformance
 * tests/tier1/putItem/itemCollectionMetrics.test.ts`, captures of 2026-10-09), Dynoxide fractions.
 */
function canonicalOutput(request: Request, output: ApiOutput): unknown {
  const { UnprocessedItems, UnprocessedKeys, ItemCollectionMetrics: _, ...rest } = output;
  const kept = {
    ...rest,
    ...(UnprocessedItems && Object.keys(UnprocessedItems).length > 0 && { UnprocessedItems }),
    ...(UnprocessedKeys && Object.keys(UnprocessedKeys).length > 0 && { UnprocessedKeys }),
  };
  if (request.api === 'Scan') return canonical({ ...kept, Items: kept.Items && sortedItems(kept.Items) });
  if (request.api === 'BatchGetItem' && kept.Responses)
    return canonical({
      ...kept,
      Responses: Object.fromEntries(
        Object.entries(kept.Responses).map(([table, items]) => [table, sortedItems(items as AttributeMap[])]),
      ),
    });
  return canonical(kept);
}

function canonicalConsumed(consumed: readonly unknown[]): unknown {
  return consumed.map((one) => JSON.stringify(canonical(one))).sort(byText);
}

/** Items as texts, in an order of their own. */
export function sortedItems(items: readonly AttributeMap[]): readonly unknown[] {
  return items.map((item) => JSON.stringify(canonical(item))).sort(byText);
}

/** The same value with members in alphabetical order and set members in order. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [two]) => (one < two ? -1 : 1))
      .map(([name, member]) => [
        name,
        /^[SNB]S$/.test(name) && Array.isArray(member)
          ? [...(member as string[])].sort(byText)
          : canonical(member),
      ]),
  );
}

function byText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
