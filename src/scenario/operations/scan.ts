// Scan: a table or index from end to end, in one stream or in parallel segments.
import type { ScanInput, Request } from '../../dynamodb/operation.ts';
import type { Context } from '../../workload/item.ts';
import type { Random } from '../../prng.ts';
import type { Load, Policy } from '../load.ts';
import type { FanOutOperation, PagesOperation, RequestOperation } from '../run-plan.ts';
import { defineWorkload, type Workload } from '../workload.ts';
import { compileRead, maximumPages, type ReadMany } from './read-many.ts';
import { keysOf, type Tables, tableOf } from './table-of.ts';

/** Reads everything, page by page. With two `segments` or more, that many streams read a part each. */
export interface ScanSpec<X> extends ReadMany<X> {
  readonly segments?: number;
  /** Segments read at once; all of them unless given. */
  readonly parallel?: number;
}

/** A workload of Scan. */
export function scan<const X extends string = never>(spec: ScanSpec<X> & Load & Policy): Workload<X> {
  return defineWorkload('scan', spec);
}

/** Makes the operations of a scan. */
export function compileScan(
  spec: ScanSpec<string>,
  tables: Tables,
): (context: Context) => RequestOperation | PagesOperation | FanOutOperation {
  keysOf(tableOf(tables, spec), spec.index); // An index that does not exist is an error here and not at the first request.
  const read = compileRead(spec, tables);
  const pages = maximumPages(spec);
  const segments = spec.segments ?? 1;
  if (segments >= 2) return (context) => segmented(read(context, {}), spec, segments, context.random);
  return (context) => {
    const request: ScanRequest = { api: 'Scan', input: read(context, {}) };
    return pages === 1 ? { kind: 'request', request } : { kind: 'pages', request, maximumPages: pages };
  };
}

type ScanRequest = Extract<Request, { api: 'Scan' }>;

/**
 * Segments start in random order: neighbours share partitions, and readers that all begin with segment 0 heat
 * one of them.
 */
function segmented(
  input: ScanInput,
  spec: ScanSpec<string>,
  segments: number,
  random: Random,
): FanOutOperation {
  const branches = Array.from(
    { length: segments },
    (_, Segment): ScanRequest => ({ api: 'Scan', input: { ...input, Segment, TotalSegments: segments } }),
  );
  shuffle(branches, random);
  return {
    kind: 'fanOut',
    branches,
    parallel: spec.parallel ?? segments,
    maximumPages: maximumPages(spec),
    wantedItems: Number.POSITIVE_INFINITY,
  };
}

/** Fisher and Yates. */
function shuffle(list: ScanRequest[], random: Random): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = random.int(last + 1);
    [list[last], list[other]] = [list[other] as ScanRequest, list[last] as ScanRequest]; // Both indexes lie within the list.
  }
}
