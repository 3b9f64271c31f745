// All workers of a run: they plan the scenario once, and then make one load after another. A worker that is
// gone is not replaced: the run ends.
import type { HealthProbe } from '../engine/generator-health.ts';
import type { LoadCrew, LoadOrder, LoadRun } from '../engine/load-run.ts';
import { assert, DynoLoadError } from '../errors.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { CrewLoad, type CrewTime } from './crew-load.ts';
import { errorOf, type FromWorker, type ToWorker } from './messages.ts';
import { differenceOf, type PlanDigest } from './plan-digest.ts';
import { workerLostBeforeLoad } from './worker-lost.ts';

/** A worker as the main thread sees it. */
export interface CrewMember {
  post(message: ToWorker): void;
  /** @param lost  called when the worker is gone without having been told to end, with what is known of it */
  listen(hear: (message: FromWorker) => void, lost: (why: string) => void): void;
  end(): Promise<void>;
}

export interface CrewParts {
  readonly members: readonly CrewMember[];
  readonly plans: readonly RunPlan[];
  /** Of the plans, as planned in the main thread. */
  readonly digests: readonly PlanDigest[];
  /** Of the main thread. */
  readonly probe: HealthProbe;
  readonly time: CrewTime;
}

/** The worker threads of a run, from their start to their end; each load of it is a `CrewLoad`. */
export class WorkerCrew implements LoadCrew {
  readonly #parts: CrewParts;
  readonly #lost = new Map<number, string>();
  #load: CrewLoad | undefined;
  /** By worker, while they plan. */
  readonly #planned: ((error?: Error) => void)[] = [];
  #order: LoadOrder | undefined;

  private constructor(parts: CrewParts) {
    this.#parts = parts;
  }

  /**
   * Waits until every worker has planned the same as the main thread.
   * @throws DynoLoadError PLAN_DIFFERS, WORKER_LOST, and whatever planning throws
   */
  static async start(parts: CrewParts): Promise<WorkerCrew> {
    const crew = new WorkerCrew(parts);
    try {
      await Promise.all(parts.members.map((member, worker) => crew.#plan(member, worker)));
    } catch (error) {
      await crew.close();
      throw error;
    }
    return crew;
  }

  open(order: LoadOrder): LoadRun {
    const { members, plans, probe, time } = this.#parts;
    const { threads } = order.session;
    assert(threads, 'workers are started for targets that other threads can reach');
    this.#order = order;
    this.#load = new CrewLoad({
      order,
      planIndex: plans.findIndex(({ variant }) => variant.name === order.plan.variant.name),
      threads,
      workerCount: members.length,
      probe,
      time,
      lost: this.#lost,
      post: (worker, message) => members[worker]?.post(message),
    });
    return this.#load;
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.members.map((member) => member.end()));
  }

  #plan(member: CrewMember, worker: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#planned[worker] = (error) => (error === undefined ? resolve() : reject(error));
      member.listen(
        (message) => this.#hear(worker, message),
        (why) => this.#lose(worker, why),
      );
    });
  }

  #hear(worker: number, message: FromWorker): void {
    if (message.kind === 'planned') this.#planned[worker]?.(this.#compare(message.digests));
    else if (message.kind === 'renew') this.#renew(worker);
    else {
      // Before any load, what fails is planning.
      if (message.kind === 'failed') this.#planned[worker]?.(errorOf(message.error));
      this.#load?.hear(worker, message);
    }
  }

  #renew(worker: number): void {
    const settings = this.#order?.session.threads?.renewed();
    this.#parts.members[worker]?.post({ kind: 'renewed', settings });
  }

  #lose(worker: number, why: string): void {
    this.#lost.set(worker, why);
    this.#planned[worker]?.(workerLostBeforeLoad(why));
    this.#load?.lose(worker, why);
  }

  #compare(theirs: readonly PlanDigest[]): DynoLoadError | undefined {
    for (const [index, digest] of this.#parts.digests.entries()) {
      const other = theirs[index];
      const difference = other === undefined ? 'variants' : differenceOf(digest, other);
      if (difference === undefined) continue;
      return new DynoLoadError('PLAN_DIFFERS', {
        what: `the scenario is another one each time it is loaded: ${difference} differ between two threads`,
        why: 'each worker loads the scenario file and makes its share of the same operations, so the file must give the same each time',
        fix: 'take chance from the random of an operation and not from Math.random, Date or crypto at the top of the file, or run with --workers 1',
      });
    }
    return undefined;
  }
}
