// A flow: several requests in the user's own order, counted as one operation.
import type { Context } from '../../workload/item.ts';
import type { Db } from '../db.ts';
import type { Load, Policy } from '../load.ts';
import { defineWorkload, type Workload } from '../workload.ts';

/**
 * Runs once for each operation. It may await `db` and nothing else: in virtual time there is no other clock
 * and no other network. A request whose outcome is not ok ends the flow, which then has that outcome, unless
 * the flow catches the `FlowStepError`.
 */
export interface FlowSpec<X> {
  run(db: Db<X>, context: Context): Promise<void>;
}

/**
 * A workload of flows; runs on every target. The index names that `db` takes come from the tables. The
 * compiler knows them in a `workloads` with at least one parameter: it reads one without any before it has
 * looked at the tables, and then takes no index name at all.
 */
export function flow<const X extends string = never>(spec: FlowSpec<X> & Load & Policy): Workload<X> {
  return defineWorkload('flow', spec);
}
