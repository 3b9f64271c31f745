// A batch of which only the first members are served, as a server that is short of something would: the rest
// comes back unprocessed.
import type { KeysAndAttributes, Request, WriteRequest } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';

type ByTable<V> = { readonly [tableName: string]: V };

export interface PartialBatch {
  /** What is served. */
  readonly request: Request;
  /** The outcome of that as the outcome of the whole. */
  whole(outcome: Outcome): Outcome;
}

/**
 * Takes a batch apart. At least one member is served and at least one comes back.
 * @param choice  a draw in [0, 1) that decides how many are served
 * @returns undefined for what is no batch of two or more
 */
export function partialBatch(request: Request, choice: number): PartialBatch | undefined {
  if (request.api === 'BatchWriteItem') {
    const { RequestItems } = request.input;
    const cut = cutAt<WriteRequest>(RequestItems, choice);
    if (cut === undefined) return undefined;
    return {
      request: { ...request, input: { ...request.input, RequestItems: cut.served } },
      whole: (outcome) =>
        partly(outcome, cut, ({ UnprocessedItems: others = {} }) => ({
          UnprocessedItems: joined(others, cut.left),
        })),
    };
  }
  if (request.api !== 'BatchGetItem') return undefined;
  const { RequestItems } = request.input;
  const cut = cutAt(
    mapped(RequestItems, ({ Keys }) => Keys),
    choice,
  );
  if (cut === undefined) return undefined;
  const withRest = (keys: ByTable<KeysAndAttributes['Keys']>) =>
    mapped(keys, (Keys, name) => ({ ...(RequestItems[name] as KeysAndAttributes), Keys }));
  return {
    request: { ...request, input: { ...request.input, RequestItems: withRest(cut.served) } },
    whole: (outcome) =>
      partly(outcome, cut, ({ UnprocessedKeys: others = {} }) => ({
        UnprocessedKeys: withRest(
          joined(
            mapped(others, ({ Keys }) => Keys),
            cut.left,
          ),
        ),
      })),
  };
}

interface Cut<V> {
  readonly served: ByTable<readonly V[]>;
  readonly left: ByTable<readonly V[]>;
  readonly count: number;
  readonly leftCount: number;
}

function cutAt<V>(byTable: ByTable<readonly V[]>, choice: number): Cut<V> | undefined {
  const members = Object.entries(byTable).flatMap(([name, list]) => list.map((member) => ({ name, member })));
  if (members.length < 2) return undefined;
  const servedCount = 1 + Math.floor(choice * (members.length - 1));
  return {
    served: grouped(members.slice(0, servedCount)),
    left: grouped(members.slice(servedCount)),
    count: members.length,
    leftCount: members.length - servedCount,
  };
}

/** Maps that inherit nothing: a table may be called `constructor` or `__proto__`. */
function grouped<V>(members: readonly { readonly name: string; readonly member: V }[]): ByTable<V[]> {
  const byName: { [tableName: string]: V[] } = Object.create(null) as { [tableName: string]: V[] };
  for (const { name, member } of members) (byName[name] ??= []).push(member);
  return byName;
}

function joined<V>(first: ByTable<readonly V[]>, second: ByTable<readonly V[]>): ByTable<readonly V[]> {
  const all = [first, second].flatMap((one) =>
    Object.entries(one).flatMap(([name, list]) => list.map((member) => ({ name, member }))),
  );
  return grouped(all);
}

function mapped<V, W>(byTable: ByTable<V>, change: (value: V, name: string) => W): ByTable<W> {
  const result: { [tableName: string]: W } = Object.create(null) as { [tableName: string]: W };
  for (const [name, value] of Object.entries(byTable)) result[name] = change(value, name);
  return result;
}

type Output = Extract<Outcome, { kind: 'ok' }>['output'];

function partly(
  outcome: Outcome,
  { count, leftCount }: Pick<Cut<unknown>, 'count' | 'leftCount'>,
  leftOver: (output: Output) => Output,
): Outcome {
  if (outcome.kind !== 'ok' && outcome.kind !== 'partial') return outcome;
  const { consumed, output } = outcome;
  const others = outcome.kind === 'partial' ? outcome.unprocessedItems : 0;
  return {
    kind: 'partial',
    sentItems: count,
    unprocessedItems: leftCount + others,
    consumed,
    output: { ...output, ...leftOver(output) },
  };
}
