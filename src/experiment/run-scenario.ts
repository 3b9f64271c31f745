// Runs every variant of a scenario against one target, one after the other, and ends early where it must.
// Files, terminals and signals are for the caller; it gets the record so far after each variant.
import type { MeasuredVariant } from '../analysis/analyze-run.ts';
import type { RunResult } from '../analysis/run-result.ts';
import type { LoadRun } from '../engine/load-run.ts';
import type { VariantMeasurement } from '../engine/run-variant.ts';
import type { PrepareProgress, ServiceRecords, TargetSession } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { measuredVariant } from './measured-variant.ts';
import { discardedPlan, type Execution, orderRepeats } from './repeat-order.ts';
import type { RunEnd, RunPart, RunParts } from './run-parts.ts';
import { runRecord, targetRecord } from './run-record.ts';
import { headLines } from './segment-lines.ts';
import { TargetSessions } from './target-sessions.ts';
import { targetLost, whatOf } from './target-trouble.ts';
import { beginSegments, openLoad, shadowOf } from './variant-load.ts';

/** One run. `interrupt` may be called at any time, also before `run`. */
export class ScenarioRun {
  readonly #parts: RunParts;
  readonly #executions: readonly Execution[];
  readonly #discarded: RunPlan | undefined;
  readonly #variants: MeasuredVariant[] = [];
  #current: LoadRun | undefined;
  readonly #abort = new AbortController();
  readonly #sessions: TargetSessions;
  /** Trouble with cleaning up that is not what stopped the run. */
  readonly #troubles = new Set<string>();
  #error: unknown;
  /** The user ended the run before any error did. */
  #isInterrupted = false;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#executions = orderRepeats(parts.plans, this.#repeats);
    this.#sessions = new TargetSessions(parts, this.#abort.signal);
    const [baseline] = parts.plans;
    if (parts.repetition?.discardsFirst && baseline) this.#discarded = discardedPlan(baseline);
  }

  /** Never rejects for what happens to a variant: the error is returned beside the record of what was measured. */
  async run(): Promise<RunEnd> {
    const { listener } = this.#parts;
    this.#writeHead();
    try {
      if (this.#discarded !== undefined) await this.#discard(this.#discarded);
      for (const execution of this.#executions) {
        if (this.#abort.signal.aborted || this.#error !== undefined) break;
        await this.#runVariant(execution);
        await listener.recorded(this.record());
      }
    } catch (error) {
      this.#error ??= error;
    }
    const cleanedUp = this.#sessions
      .cleanedUp()
      .catch((trouble: unknown) => this.#troubled(trouble, this.#variants.at(-1)));
    await this.#sessions.inPatience(cleanedUp);
    const error = this.#error === undefined ? {} : { error: this.#error };
    return { result: this.record(), ...error, cleanedUp };
  }

  /** Ends the variant under way and begins no other, because the user says so. */
  interrupt(): void {
    this.#isInterrupted ||= this.#error === undefined;
    this.#end();
  }

  /** Ends the run for a reason that its end returns. */
  stop(error: unknown): void {
    this.#error ??= error;
    this.#end();
  }

  #end(): void {
    this.#abort.abort();
    this.#current?.interrupt();
  }

  /** The record as it stands: the variants that are done. */
  record(): RunResult {
    return runRecord(this.#parts, {
      variants: this.#variants,
      executions: this.#executions,
      discarded: this.#discarded,
      isStopped: this.#abort.signal.aborted,
      stoppedBy: this.#isInterrupted ? undefined : this.#error,
      troubles: this.#troubles,
    });
  }

  #writeHead(): void {
    const { segments, frame } = this.#parts;
    const order = this.#executions.map(({ plan }) => plan.variant.name);
    for (const line of headLines(frame, { order, repeats: this.#repeats })) segments?.(line);
  }

  get #repeats(): number {
    return this.#parts.repetition?.repeats ?? 1;
  }

  /** Runs a plan and forgets it: the tables go, and nothing of it is recorded. */
  async #discard(plan: RunPlan): Promise<void> {
    const part: RunPart = { kind: 'discarded' };
    const session = await this.#open(plan, part);
    if (session === undefined) return;
    try {
      const load = openLoad(this.#parts, { plan, session, isDiscarded: true }, session.target);
      await this.#setUp(load);
      const { error } = await this.#watch(plan, load, part);
      this.#error ??= error;
    } catch (error) {
      this.#error ??= error;
    }
    await this.#close(session);
  }

  /** @returns undefined where the run was stopped meanwhile and the target takes too long */
  #open(plan: RunPlan, part: RunPart): Promise<TargetSession | undefined> {
    return this.#sessions.open(plan, (state) => this.#parts.listener.preparing(plan, state, part));
  }

  async #close(session: TargetSession, measured?: MeasuredVariant): Promise<void> {
    try {
      await this.#sessions.close(session);
    } catch (trouble) {
      this.#troubled(trouble, measured);
    }
  }

  /** The first error of a run is what stopped it: trouble with cleaning up after another one is a note. */
  #troubled(trouble: unknown, measured: MeasuredVariant | undefined): void {
    const lost = measured === undefined ? undefined : targetLost(trouble, measured);
    if (lost === undefined && this.#error === undefined && !this.#abort.signal.aborted) {
      this.#error = trouble;
      return;
    }
    if (!this.#abort.signal.aborted) this.#error ??= lost;
    this.#troubles.add(`Not cleaned up: ${whatOf(trouble)}.`);
  }

  /** From here on an interrupt reaches the run. */
  async #setUp(load: LoadRun): Promise<void> {
    this.#current = load;
    if (this.#abort.signal.aborted) load.interrupt();
    await load.setUp();
  }

  /** Runs a variant so that its progress can be seen. */
  async #watch(plan: RunPlan, load: LoadRun, part: RunPart): Promise<VariantMeasurement> {
    this.#parts.listener.running(plan, () => load.progress(), part);
    const measurement = await load.run();
    this.#current = undefined;
    return measurement;
  }

  /** What was measured is kept before the tables go: whatever becomes of that, it is in the record. */
  async #runVariant(execution: Execution): Promise<void> {
    const session = await this.#open(execution.plan, this.#partOf(execution));
    if (session === undefined) return;
    let measured: MeasuredVariant | undefined;
    try {
      measured = await this.#measure(execution, session);
      this.#variants.push(this.#parts.redact?.(measured) ?? measured);
    } catch (error) {
      this.#error ??= error;
    }
    await this.#close(session, measured);
  }

  /** What the service counted. Where it cannot be asked, what was measured is kept, and the run ends. */
  async #collect(execution: Execution, session: TargetSession): Promise<ServiceRecords | undefined> {
    const { signal } = this.#abort;
    if (session.collect === undefined || signal.aborted || this.#error !== undefined) return undefined;
    const part = this.#partOf(execution);
    const progress = (state: PrepareProgress) => this.#parts.listener.preparing(execution.plan, state, part);
    try {
      return await session.collect(progress, signal);
    } catch (error) {
      this.#error ??= error;
      return undefined;
    }
  }

  #partOf({ repeat }: Execution): RunPart {
    return { kind: 'measured', repeat, repeats: this.#repeats };
  }

  async #measure(execution: Execution, session: TargetSession): Promise<MeasuredVariant> {
    const { plan } = execution;
    const { model, provider, segments: write } = this.#parts;
    const shadow = await shadowOf(this.#parts, plan, session);
    const load = openLoad(this.#parts, { plan, session, isDiscarded: false }, shadow ?? session.target);
    await this.#setUp(load);
    await this.#sessions.inPatience(load.warmUp());
    const target = targetRecord(provider, this.#troubles);
    const segments = write && beginSegments({ execution, target, load, clock: session.clock, write });
    const measurement = await this.#watch(plan, load, this.#partOf(execution));
    segments?.finish(measurement);
    this.#error ??= measurement.error;
    const known = load.known();
    const observation = { ...session.observe(measurement.reachedUs), ...known.connections };
    const service = await this.#collect(execution, session);
    return measuredVariant({ execution, session, measurement, known, observation, shadow, service, model });
  }
}
