// Runs every variant of a scenario against one target and makes the record: measure, observe, place anew, then analyse. Files, terminals and
// signals are for the caller; it gets the record so far after each variant.
import { analyzeRun, type MeasuredVariant } from '../analysis/analyze-run.ts';
import type { Repetition } from '../analysis/records/repetition.ts';
import type { RunResult } from '../analysis/run-result.ts';
import type { Clock } from '../clock.ts';
import type { LoadOrder, LoadRun } from '../engine/load-run.ts';
import type { VariantMeasurement } from '../engine/run-variant.ts';
import { SegmentRecorder } from '../engine/segment-recorder.ts';
import { ShadowTarget } from '../engine/shadow-capacity.ts';
import type {
  PrepareProgress,
  ServiceRecords,
  Target,
  TargetProvider,
  TargetSession,
} from '../engine/target.ts';
import { ThreadLoad } from '../engine/thread-load.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { measuredVariant } from './measured-variant.ts';
import { discardedPlan, type Execution, orderRepeats } from './repeat-order.ts';
import type { RunEnd, RunPart, RunParts } from './run-parts.ts';
import { headLines, variantLine } from './segment-lines.ts';
import { targetLost, whatOf } from './target-trouble.ts';

/** One run. `interrupt` may be called at any time, also before `run`. */
export class ScenarioRun {
  readonly #parts: RunParts;
  readonly #executions: readonly Execution[];
  readonly #discarded: RunPlan | undefined;
  readonly #variants: MeasuredVariant[] = [];
  #current: LoadRun | undefined;
  readonly #abort = new AbortController();
  /** Resolves, with nothing, some time after the run was stopped: what still takes longer is waited for no more. */
  readonly #outOfPatience: Promise<undefined>;
  /** What the target was asked to do and may still be about. */
  readonly #underWay: Promise<unknown>[] = [];
  /** Trouble with cleaning up that is not what stopped the run. */
  readonly #troubles = new Set<string>();
  #error: unknown;
  /** The user ended the run before any error did. */
  #isInterrupted = false;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#executions = orderRepeats(parts.plans, this.#repeats);
    this.#outOfPatience = new Promise((resolve) => {
      const wait = () => void parts.patience?.().then(() => resolve(undefined));
      this.#abort.signal.addEventListener('abort', wait);
    });
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
    const cleanedUp = this.#cleanedUp();
    await Promise.race([cleanedUp, this.#outOfPatience]);
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
    const { frame, analysis, timeOfDay } = this.#parts;
    const isWhole =
      !this.#abort.signal.aborted &&
      this.#variants.length === this.#executions.length &&
      this.#variants.every((one) => one.status === 'complete');
    return analyzeRun(
      {
        ...frame,
        status: isWhole ? 'complete' : 'interrupted',
        ...(this.#error === undefined || this.#isInterrupted ? {} : { stoppedBy: whatOf(this.#error) }),
        target: this.#targetRecord(),
        variants: this.#variants,
        environment: { ...frame.environment, finishedAt: timeOfDay(), ...this.#repetitionRecord() },
      },
      analysis,
    );
  }

  #writeHead(): void {
    const { segments, frame } = this.#parts;
    const order = this.#executions.map(({ plan }) => plan.variant.name);
    for (const line of headLines(frame, { order, repeats: this.#repeats })) segments?.(line);
  }

  /** What a report needs to know of a variant that never came to its end; undefined where nobody keeps segments. */
  #beginSegments(execution: Execution, load: LoadRun, clock: Clock): SegmentRecorder | undefined {
    const { segments } = this.#parts;
    if (segments === undefined) return undefined;
    segments(variantLine(execution, this.#targetRecord()));
    const endUs = execution.plan.stages.at(-1)?.endUs ?? 0;
    const recorder = new SegmentRecorder({ clock, recorders: load.recorders, endUs, write: segments });
    recorder.start();
    return recorder;
  }

  #targetRecord(): RunResult['target'] {
    const { description } = this.#parts.provider;
    return {
      ...description,
      notes: [...description.notes, ...this.#troubles],
      model: modelRecord(this.#parts.provider),
    };
  }

  get #repeats(): number {
    return this.#parts.repetition?.repeats ?? 1;
  }

  #repetitionRecord(): { repetition?: Repetition } {
    if (this.#parts.repetition === undefined) return {};
    const endUs = this.#discarded?.stages[0]?.endUs ?? 0;
    return {
      repetition: {
        repeats: this.#repeats,
        order: this.#executions.map(({ plan }) => plan.variant.name),
        discarded:
          this.#discarded === undefined ? null : { variant: this.#discarded.variant.name, durationUs: endUs },
      },
    };
  }

  /** Runs a plan and forgets it: the tables go, and nothing of it is recorded. */
  async #discard(plan: RunPlan): Promise<void> {
    const part: RunPart = { kind: 'discarded' };
    const session = await this.#open(plan, part);
    if (session === undefined) return;
    try {
      const load = this.#load({ plan, session, isDiscarded: true }, session.target);
      await this.#setUp(load);
      const { error } = await this.#watch(plan, load, part);
      this.#error ??= error;
    } catch (error) {
      this.#error ??= error;
    }
    await this.#close(session);
  }

  /** @returns undefined where the run was stopped meanwhile and the target takes too long; what it makes then goes at once */
  async #open(plan: RunPlan, part: RunPart): Promise<TargetSession | undefined> {
    const { provider, listener } = this.#parts;
    const progress = (state: PrepareProgress) => listener.preparing(plan, state, part);
    const opening = provider.open(plan, progress, this.#abort.signal);
    const session = await Promise.race([opening, this.#outOfPatience]);
    if (session === undefined)
      this.#underWay.push(opening.then((late) => late.close()).catch(() => undefined));
    return session;
  }

  /** The first error of a run is what stopped it: trouble with cleaning up after another one is a note. */
  async #close(session: TargetSession, measured?: MeasuredVariant): Promise<void> {
    const closing = session.close();
    this.#underWay.push(closing);
    try {
      await Promise.race([closing, this.#outOfPatience]);
    } catch (trouble) {
      const lost = measured === undefined ? undefined : targetLost(trouble, measured);
      if (lost === undefined && this.#error === undefined && !this.#abort.signal.aborted) {
        this.#error = trouble;
        return;
      }
      if (!this.#abort.signal.aborted) this.#error ??= lost;
      this.#troubles.add(`Not cleaned up: ${whatOf(trouble)}.`);
    }
  }

  async #cleanedUp(): Promise<void> {
    await Promise.allSettled([...this.#underWay, this.#parts.crew?.close()]);
    await this.#parts.provider.close();
  }

  /** From here on an interrupt reaches the run. */
  async #setUp(load: LoadRun): Promise<void> {
    this.#current = load;
    if (this.#abort.signal.aborted) load.interrupt();
    await load.setUp();
  }

  /** Where load is made: by others if there are any, else here. */
  #load(order: LoadOrder, target: Target): LoadRun {
    const { crew, probe } = this.#parts;
    if (crew !== undefined) return crew.open(order);
    const { plan, session, isDiscarded } = order;
    return new ThreadLoad({
      plan,
      clock: session.clock,
      target,
      sdk: session.sdk,
      knowsHeat: session.knowsHeat || isDiscarded,
      probe,
      connect: session.warmUp,
    });
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

  /** The shadow of a live target, if one is asked for. */
  async #shadowOf(plan: RunPlan, session: TargetSession): Promise<ShadowTarget | undefined> {
    const { model, turn } = this.#parts;
    if (model === undefined || session.clock.kind === 'virtual') return undefined;
    const shadow = new ShadowTarget(session.target, plan, model);
    await shadow.preload(turn);
    return shadow;
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
    const { model } = this.#parts;
    const shadow = await this.#shadowOf(plan, session);
    const load = this.#load({ plan, session, isDiscarded: false }, shadow ?? session.target);
    await this.#setUp(load);
    await Promise.race([load.warmUp(), this.#outOfPatience]);
    const segments = this.#beginSegments(execution, load, session.clock);
    const measurement = await this.#watch(plan, load, this.#partOf(execution));
    segments?.finish(measurement);
    this.#error ??= measurement.error;
    const known = load.known();
    const observation = { ...session.observe(measurement.reachedUs), ...known.connections };
    const service = await this.#collect(execution, session);
    return measuredVariant({ execution, session, measurement, known, observation, shadow, service, model });
  }
}

function modelRecord(provider: TargetProvider): RunResult['target']['model'] {
  const { model } = provider.description;
  return model === null ? null : { preset: model.preset, constants: [...model.constants] };
}
