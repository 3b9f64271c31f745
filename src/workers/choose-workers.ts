// How many threads make the load: as many as the planned rate needs, or as many as the user asks for where
// that can be.
import type { WorkerChoice } from '../analysis/records/worker-health.ts';
import { DynoLoadError } from '../errors.ts';
import type { PlannedWorkload, RunPlan } from '../scenario/run-plan.ts';
import { highestPerSecond } from '../workload/arrival.ts';

/** Operations a second that one thread carries with room to spare; its limit is two to four times as many. */
const OPERATIONS_PER_WORKER = 10_000;

/** What an operation of the user's own client costs, in operations of the lean one. */
const CUSTOM_COST = 4;

export interface WorkerWishes {
  /** `--workers`. */
  readonly asked: number | undefined;
  /** Of this machine. */
  readonly coreCount: number;
  /** A capacity model shadows the target. */
  readonly hasShadow: boolean;
}

/**
 * Chooses.
 * @throws DynoLoadError USAGE where as many as asked for cannot be
 */
export function chooseWorkers(plans: readonly RunPlan[], wishes: WorkerWishes): WorkerChoice {
  const { asked } = wishes;
  if (asked !== undefined) return checkAsked(plans, asked, wishes);
  const { coreCount, hasShadow } = wishes;
  if (hasShadow) return { count: 1, why: 'the capacity model must see all requests in order' };
  const perSecond = Math.max(0, ...plans.map(weightPerSecond));
  const wanted = Math.max(1, Math.ceil(perSecond / OPERATIONS_PER_WORKER));
  const most = Math.max(1, Math.min(coreCount - 1, leastInFlight(plans)));
  const rate = `${Math.round(perSecond).toLocaleString('en-US')} operations a second are planned, and a worker takes ${OPERATIONS_PER_WORKER.toLocaleString('en-US')}`;
  if (wanted <= most) return { count: wanted, why: rate };
  const limit =
    most === leastInFlight(plans)
      ? `a workload with maxInFlight ${most}`
      : coreCount === 1
        ? 'a machine with one core'
        : `a machine with ${coreCount} cores`;
  return { count: most, why: `${rate}: ${wanted} would be wanted, and ${limit} allows ${most}` };
}

function checkAsked(
  plans: readonly RunPlan[],
  asked: number,
  { coreCount, hasShadow }: WorkerWishes,
): WorkerChoice {
  if (asked === 1) return { count: 1, why: 'as asked for' };
  if (hasShadow)
    throw new DynoLoadError('USAGE', {
      what: `--workers ${asked} with --shadow-capacity`,
      why: 'the capacity model must see all requests in the order of time, and each worker sees its own only',
      fix: 'leave one of the two away',
    });
  const most = leastInFlight(plans);
  if (asked > most)
    throw new DynoLoadError('USAGE', {
      what: `--workers ${asked}, and a workload has maxInFlight ${most}`,
      why: 'what may be in flight is shared out, and a worker that may have nothing in flight drops all that is due',
      fix: `ask for ${most} workers at most, or raise maxInFlight`,
    });
  const why = asked < coreCount ? 'as asked for' : `as asked for; with ${coreCount} cores they take turns`;
  return { count: asked, why };
}

/** Each worker needs one at least of every open loop. */
function leastInFlight(plans: readonly RunPlan[]): number {
  const open = plans.flatMap(({ workloads }) => workloads).filter(({ load }) => load.kind === 'open');
  return Math.min(Number.POSITIVE_INFINITY, ...open.map(({ policy }) => policy.maxInFlight));
}

/** Closed loops have no rate: the target sets their pace. */
function weightPerSecond({ workloads, stages }: RunPlan): number {
  const weight = ({ kind, load }: PlannedWorkload): number =>
    load.kind === 'open' ? highestPerSecond(load.shape, stages) * (kind === 'custom' ? CUSTOM_COST : 1) : 0;
  return workloads.reduce((sum, workload) => sum + weight(workload), 0);
}
