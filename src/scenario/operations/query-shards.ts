// The same Query on every shard of a key, merged by the sort key: what a reader of a sharded key has to do.
import type { AttributeValue } from '../../dynamodb/attribute-value.ts';
import type { Request } from '../../dynamodb/operation.ts';
import type { Context } from '../../workload/item.ts';
import type { Shards } from '../../workload/shards.ts';
import type { Load, Policy } from '../load.ts';
import type { FanOutOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { isComputed } from './of.ts';
import { compileQueryInput, type QuerySpec } from './query.ts';
import { keysOf, type Tables, tableOf } from './table-of.ts';

/**
 * Reads all shards of a key. Each shard is asked for as many items as are wanted in the end, since all of
 * them may lie in one.
 */
export interface ShardsSpec<X> extends Omit<QuerySpec<X>, 'partition' | 'limit' | 'pages' | 'startAfter'> {
  readonly shards: Shards;
  /** Items wanted after the merge. */
  readonly items: number | 'all';
  /** Shards read at once; all of them, but at most 16, unless given. */
  readonly parallel?: number;
}

/** A workload that reads all shards of a key. */
export function queryShards<const X extends string = never>(
  spec: ShardsSpec<X> & Load & Policy,
): Workload<X> {
  return defineWorkload('queryShards', spec);
}

const DEFAULT_PARALLEL = 16;

/**
 * Makes the operations of a sharded read. One shard gives the same shape with one branch, so that variants
 * compare like with like.
 */
export function compileQueryShards(
  spec: ShardsSpec<string>,
  tables: Tables,
): (context: Context) => FanOutOperation {
  const sort = keysOf(tableOf(tables, spec), spec.index).sort?.name;
  const wantedItems = spec.items === 'all' ? Number.POSITIVE_INFINITY : spec.items;
  const limited = spec.items === 'all' ? spec : { ...spec, limit: spec.items };
  const inputOf = compileQueryInput(limited, tables, sort === undefined ? {} : { alsoProject: sort });
  const partitions = spec.shards.keys.map((key): AttributeValue => ({ S: key }));
  const parallel = spec.parallel ?? Math.min(partitions.length, DEFAULT_PARALLEL);
  const mergeBy = sort !== undefined && { attribute: sort, newestFirst: spec.newestFirst ?? false };
  const make = (context: Context): FanOutOperation => {
    const input = inputOf(context);
    const branches = partitions.map(
      (key): Extract<Request, { api: 'Query' }> => ({
        api: 'Query',
        input: input(key),
      }),
    );
    return {
      kind: 'fanOut',
      branches,
      parallel,
      maximumPages: Number.POSITIVE_INFINITY,
      wantedItems,
      ...(mergeBy && { mergeBy }),
    };
  };
  if (isComputed(spec.sort) || isComputed(spec.filter)) return make;
  // Nothing depends on the operation, so that all are one: ten shards are ten queries of eight members each.
  let made: FanOutOperation | undefined;
  return (context) => {
    made ??= make(context);
    return made;
  };
}
