// One operation on its way: its times, its place in the list of what is in flight, and the requests it sends
// one after another or at once.
import type { RequestOperation } from '../scenario/run-plan.ts';
import type { OperationTimes } from './workload-recorder.ts';

/** An operation in flight. Also a node of the list that timeouts are swept from, oldest first. */
export class Execution implements OperationTimes {
  readonly sequence: number;
  readonly stageIndex: number;
  readonly dueUs: number;
  readonly startedUs: number;
  /** Number of the next request it sends. */
  nextPart = 0;
  /** Ended, or given up by timeout: late answers are counted as requests and otherwise ignored. */
  isOver = false;
  /** Time spent on attempts that were sent again, and on waiting to do so. */
  waitedUs = 0;
  #waitedUntilUs = 0;
  older: Execution | undefined = undefined;
  newer: Execution | undefined = undefined;
  readonly ended: (() => void) | undefined;
  /** What it carries out, where that is a single request. */
  operation: RequestOperation | undefined = undefined;
  /** Tells the user's own code that nobody waits any more. */
  giveUp: (() => void) | undefined = undefined;

  constructor(
    sequence: number,
    stageIndex: number,
    dueUs: number,
    startedUs: number,
    ended: (() => void) | undefined,
  ) {
    this.sequence = sequence;
    this.stageIndex = stageIndex;
    this.dueUs = dueUs;
    this.startedUs = startedUs;
    this.ended = ended;
  }

  /**
   * An attempt that began at `fromUs` is sent again at `untilUs`. Of requests side by side, what overlaps
   * counts once.
   */
  waited(fromUs: number, untilUs: number): void {
    this.waitedUs += Math.max(0, untilUs - Math.max(fromUs, this.#waitedUntilUs));
    this.#waitedUntilUs = Math.max(this.#waitedUntilUs, untilUs);
  }
}

/** What is in flight, in the order of start. */
export class InFlightList {
  #oldest: Execution | undefined;
  #newest: Execution | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get oldest(): Execution | undefined {
    return this.#oldest;
  }

  add(execution: Execution): void {
    execution.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = execution;
    else this.#newest.newer = execution;
    this.#newest = execution;
    this.#size++;
  }

  remove(execution: Execution): void {
    const { older, newer } = execution;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    execution.older = undefined;
    execution.newer = undefined;
    this.#size--;
  }
}
