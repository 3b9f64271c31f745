// The outer life of a run: its folder, its progress line, the signals that end it early, and what it leaves behind.
import { exitCodeOf } from '../analysis/exit-code.ts';
import type { RunResult } from '../analysis/run-result.ts';
import { DynoLoadError } from '../errors.ts';
import type { RunEnd } from '../experiment/run-parts.ts';
import type { ScenarioRun } from '../experiment/run-scenario.ts';
import { visibleText } from '../report/visible-text.ts';
import { errorText } from './error-text.ts';
import type { Io } from './io.ts';
import type { ProgressLine } from './progress.ts';
import type { RunFolder } from './run-folder.ts';
import type { SegmentFiles } from './segment-files.ts';
import { strayError } from './stray-error.ts';

/** How long deleting may take after the report of a run that was stopped. */
const LONGEST_CLEAN_UP_MS = 3_000;

/** What a session asks of a run. */
type WatchedRun = Pick<ScenarioRun, 'run' | 'record' | 'interrupt' | 'stop'>;

interface SessionParts {
  readonly folder: RunFolder;
  readonly segments: SegmentFiles;
  readonly progress: ProgressLine;
  readonly io: Io;
  /** What would stay on the target if the process ended now. */
  readonly leftBehind: () => readonly string[];
}

/** One run as the process sees it; also the listener of the run. */
export class RunSession {
  readonly #io: Io;
  readonly #folder: RunFolder;
  readonly #segments: SegmentFiles;
  readonly #progress: ProgressLine;
  readonly #leftBehind: () => readonly string[];
  #unwatch: () => void = () => undefined;
  #isOver = false;
  signal: 'SIGINT' | 'SIGTERM' | null = null;
  /** The first file of the run that could not be written. The run goes on: its report is still printed. */
  unwritten: DynoLoadError | undefined;

  constructor({ folder, segments, progress, io, leftBehind }: SessionParts) {
    this.#io = io;
    this.#folder = folder;
    this.#segments = segments;
    this.#progress = progress;
    this.#leftBehind = leftBehind;
  }

  preparing: ProgressLine['preparing'] = (plan, state, part) => this.#progress.preparing(plan, state, part);

  running: ProgressLine['running'] = (plan, progress, part) => this.#progress.running(plan, progress, part);

  async recorded(result: RunResult): Promise<void> {
    try {
      await this.#folder.write(result);
    } catch (error) {
      if (!(error instanceof DynoLoadError)) throw error;
      this.unwritten ??= error;
    }
  }

  /** Runs it; signals and errors that nothing caught are minded until `cleanUp` is over. */
  async watch(run: WatchedRun): Promise<RunEnd> {
    const endSignals = this.#io.onSignal((signal) => this.#interrupted(run, signal));
    const endStray = this.#io.onStray?.((error) => this.#strayed(run, error));
    this.#unwatch = () => {
      endSignals();
      endStray?.();
    };
    try {
      const end = await run.run();
      this.#isOver = true;
      await this.recorded(end.result);
      const failure = await this.#segments.finish();
      if (failure !== undefined) this.unwritten ??= this.#folder.unwritable(failure);
      return end;
    } finally {
      this.#progress.stop();
    }
  }

  /** What could not be written, and what is on the disk nevertheless. */
  tellUnwritten(result: RunResult): void {
    if (this.unwritten === undefined) return;
    const told = this.#folder.contents(this.#io.cwd, result);
    this.#io.err(`${errorText(this.unwritten)}\n${visibleText(told)}\n`);
  }

  /** Waits for what a stopped run left to be deleted, and tells what stays. @returns whether it came to its end */
  async cleanUp({ cleanedUp }: RunEnd): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, LONGEST_CLEAN_UP_MS, false);
    });
    const isOver = await Promise.race([cleanedUp.then(() => true), limit]);
    clearTimeout(timer);
    this.#tellLeftBehind();
    this.#unwatch();
    return isOver;
  }

  #tellLeftBehind(): void {
    for (const line of this.#leftBehind()) this.#io.err(`${visibleText(line)}\n`);
  }

  /** The first signal ends the run with a report; a second one ends the process, with what is known written down. */
  #interrupted(run: WatchedRun, signal: 'SIGINT' | 'SIGTERM'): void {
    if (this.signal !== null) {
      this.#writeNow(run.record());
      this.#tellLeftBehind();
      this.#io.err(`${visibleText(this.#folder.contents(this.#io.cwd))}\n`);
      this.#io.exit(exitCodeOf({ signal: this.signal, errors: [], verdict: null }));
    }
    this.signal = signal;
    run.interrupt();
  }

  /**
   * Ends the run. Requests that the scenario's own code left to themselves fail when it is interrupted, and may fail
   * after its end: that changes nothing. A bug of ours is never passed over.
   */
  #strayed(run: WatchedRun, error: unknown): void {
    const told = strayError(error);
    const isTheirs = told instanceof DynoLoadError;
    if (!this.#isOver) {
      if (this.signal === null || !isTheirs) run.stop(told);
      return;
    }
    if (!isTheirs) throw told;
    this.#io.err(`${errorText(told)}\n`);
  }

  /** Whatever becomes of it, the process ends. */
  #writeNow(result: RunResult): void {
    try {
      this.#folder.writeNow(result);
    } catch (error) {
      if (!(error instanceof DynoLoadError)) throw error;
      this.#io.err(`${errorText(error)}\n`);
    }
  }
}
