// The session in which one variant is measured: a clock, what sends its load, what other threads need to send theirs,
// and what is known when it is over. Tables and what the service counts are prepared by the provider.
import { SystemClock } from '../clock.ts';
import type { Units } from '../dynamodb/consumed-capacity.ts';
import type { TallyRecord } from '../engine/service-counts/request-tally.ts';
import type { SessionObservation, Target, TargetSession, ThreadAccess } from '../engine/target.ts';
import type { DynoLoadError } from '../errors.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import type { Endpoint } from './endpoint.ts';
import type { LiveTime } from './live-time.ts';
import { LoadTarget, longestTimeoutMs } from './load-target.ts';
import type { ProbedTarget } from './probe-capabilities.ts';
import type { VariantObservation } from './variant-observation.ts';
import { threadTargetSettings } from './thread-target.ts';
import type { VariantTables } from './variant-tables.ts';

/** What watches the load of a run. */
export interface LoadWatchers {
  /** Ends the run for a rule of safety; the first call counts. */
  readonly refuse?: (error: DynoLoadError) => void;
  /** Put around whatever sends load or preloads, for example to meter what it spends. */
  readonly around?: (target: Target) => Target;
  /** Told what other threads have consumed, which passes by nothing that is put around. */
  readonly consumed?: (units: Units) => void;
}

/** What load is sent with. */
export interface LoadParts {
  readonly endpoint: Endpoint;
  readonly probed: ProbedTarget;
  readonly time: LiveTime;
  readonly watchers: LoadWatchers;
  readonly plan: RunPlan;
  readonly tables: VariantTables;
}

interface SessionParts extends LoadParts {
  readonly observation: VariantObservation | undefined;
  readonly isCarriedOver: boolean;
  /** Called once the load target is closed. */
  readonly cleanUp: () => Promise<void>;
}

/** A session for a variant whose tables are ready. */
export function openSession(parts: SessionParts): TargetSession {
  const { plan, observation, isCarriedOver, cleanUp } = parts;
  const clock = new SystemClock(parts.time.scheduler);
  const load = loadTarget(parts, () => clock.nowUs());
  return {
    target: observation?.watch(load.target) ?? load.target,
    clock,
    knowsHeat: false,
    sdk: load.sdk,
    isCarriedOver,
    warmUp: (connections) => load.warmUp(connections),
    threads: threadAccess(parts),
    observe: () => ({ ...unobserved(plan), ...load.observe() }),
    ...(observation === undefined
      ? {}
      : { collect: (progress, signal) => observation.collect(progress, signal) }),
    close: async () => {
      load.close();
      await cleanUp();
    },
  };
}

/** What sends load to the tables of a variant, guarded. */
export function loadTarget(
  { endpoint, probed, time, watchers, plan, tables: { specs, writable } }: LoadParts,
  nowUs: () => number,
): LoadTarget {
  return new LoadTarget({
    endpoint,
    accounting: probed.accounting,
    tables: specs,
    writable,
    attemptTimeoutMs: longestTimeoutMs(plan),
    nowUs,
    wallMs: time.wallMs,
    refuse: watchers.refuse,
    around: watchers.around,
  });
}

/** Other threads make a target of their own; what is to be known of all requests together, they tell. */
function threadAccess({
  endpoint,
  probed,
  time,
  watchers,
  plan,
  tables,
  observation,
}: SessionParts): ThreadAccess {
  return {
    settings: () =>
      threadTargetSettings(endpoint, {
        accounting: probed.accounting,
        tables: tables.specs,
        writable: [...tables.writable],
        attemptTimeoutMs: longestTimeoutMs(plan),
        isTallied: observation !== undefined,
      }),
    renewed: () => endpoint.credentials.current(time.wallMs()),
    consumed: (units) => watchers.consumed?.(units),
    refused: (error) => watchers.refuse?.(error),
    // What `ThreadTarget.tally` gave.
    counted: (tally) => tally === undefined || observation?.add(tally as TallyRecord),
  };
}

function unobserved({ tables }: RunPlan): Pick<SessionObservation, 'tables' | 'resources' | 'placeable'> {
  return {
    tables: tables.map(({ tableName, logicalName }) => ({
      tableName,
      logicalName,
      itemCount: null,
      replacedPuts: null,
      largestItemBytes: null,
    })),
    resources: [],
    placeable: [],
  };
}
