// Runs every variant of a scenario against one target and makes the record: measure, observe, place anew, then analyse. Files, terminals and
// signals are for the caller; it gets the record so far after each variant.
import {
  type AnalysisOptions,
  analyzeRun,
  type MeasuredRun,
  type MeasuredVariant,
} from '../analysis/analyze-run.ts';
import type { RunResult } from '../analysis/run-result.ts';
import type { CapacityModel } from '../capacity/capacity-model.ts';
import type { HealthProbe } from '../engine/generator-health.ts';
import { HeatTrackingTarget } from '../engine/live-heat.ts';
import { type RunProgress, VariantRun } from '../engine/run-variant.ts';
import { ShadowTarget } from '../engine/shadow-capacity.ts';
import type { PrepareProgress, TargetProvider, TargetSession } from '../engine/target.ts';
import { generatorHealth, measuredSeconds, measuredSpan, workloadRecords } from '../engine/variant-record.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { placementOfVariant } from './variant-placement.ts';

/** What the caller hears while a run goes on. */
export interface RunListener {
  preparing(plan: RunPlan, state: PrepareProgress): void;
  running(plan: RunPlan, progress: () => RunProgress): void;
  /** The record as it stands; called before the first variant and after each. */
  recorded(result: RunResult): Promise<void>;
}

/** Everything of the record that does not depend on what is measured. */
export type RunFrame = Omit<MeasuredRun, 'variants' | 'status' | 'target' | 'environment'> & {
  readonly environment: Omit<RunResult['environment'], 'finishedAt'>;
};

export interface RunParts {
  readonly plans: readonly RunPlan[];
  readonly frame: RunFrame;
  readonly provider: TargetProvider;
  readonly probe: HealthProbe;
  readonly analysis: AnalysisOptions;
  /** For placing keys anew: the model behind a simulated target, or the one to shadow a live target with. */
  readonly model: CapacityModel | undefined;
  readonly listener: RunListener;
  /** Comes back after the event loop had its turn. */
  turn(): Promise<void>;
  /** The time of day as ISO text, for the environment. */
  timeOfDay(): string;
}

export interface RunEnd {
  readonly result: RunResult;
  /** What stopped the run; the result holds what was measured before. */
  readonly error?: unknown;
}

/** One run. `interrupt` may be called at any time, also before `run`. */
export class ScenarioRun {
  readonly #parts: RunParts;
  readonly #variants: MeasuredVariant[] = [];
  #current: VariantRun | undefined;
  readonly #abort = new AbortController();
  #error: unknown;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Never rejects for what happens to a variant: the error is returned beside the record of what was measured. */
  async run(): Promise<RunEnd> {
    const { plans, provider, listener } = this.#parts;
    try {
      for (const plan of plans) {
        if (this.#abort.signal.aborted || this.#error !== undefined) break;
        this.#variants.push(await this.#runVariant(plan));
        await listener.recorded(this.record());
      }
    } catch (error) {
      this.#error ??= error;
    }
    await provider.close();
    return { result: this.record(), ...(this.#error === undefined ? {} : { error: this.#error }) };
  }

  /** Ends the variant under way and begins no other. */
  interrupt(): void {
    this.#abort.abort();
    this.#current?.interrupt();
  }

  /** The record as it stands: the variants that are done. */
  record(): RunResult {
    const { frame, plans, provider, analysis, timeOfDay } = this.#parts;
    const isWhole =
      this.#variants.length === plans.length && this.#variants.every((one) => one.status === 'complete');
    return analyzeRun(
      {
        ...frame,
        status: isWhole ? 'complete' : 'interrupted',
        target: {
          ...provider.description,
          notes: [...provider.description.notes],
          model: modelRecord(provider),
        },
        variants: this.#variants,
        environment: { ...frame.environment, finishedAt: timeOfDay() },
      },
      analysis,
    );
  }

  async #runVariant(plan: RunPlan): Promise<MeasuredVariant> {
    const { provider, listener } = this.#parts;
    const session = await provider.open(plan, (state) => listener.preparing(plan, state), this.#abort.signal);
    try {
      return await this.#measure(plan, session);
    } finally {
      await session.close();
    }
  }

  /** The shadow of a live target, if one is asked for. */
  async #shadowOf(plan: RunPlan, session: TargetSession): Promise<ShadowTarget | undefined> {
    const { model, turn } = this.#parts;
    if (model === undefined || session.clock.kind === 'virtual') return undefined;
    const shadow = new ShadowTarget(session.target, plan, model);
    await shadow.preload(turn);
    return shadow;
  }

  async #measure(plan: RunPlan, session: TargetSession): Promise<MeasuredVariant> {
    const { listener, probe, model } = this.#parts;
    const shadow = await this.#shadowOf(plan, session);
    const target = shadow ?? session.target;
    const heat = session.knowsHeat
      ? undefined
      : new HeatTrackingTarget(target, plan.tables, measuredSpan(plan));
    const run = new VariantRun(plan, session.clock, heat ?? target);
    this.#current = run;
    if (this.#abort.signal.aborted) run.interrupt();
    listener.running(plan, () => run.progress());
    probe.start();
    const measurement = await run.run();
    const readings = probe.finish();
    this.#current = undefined;
    this.#error ??= measurement.error;
    const observation = session.observe();
    const shadowed = shadow?.result(measurement.reachedUs);
    const placeable = shadowed?.placeable ?? observation.placeable;
    return {
      name: plan.variant.name,
      index: plan.variant.index,
      parameters: { ...plan.variant.parameters },
      status: measurement.status,
      measuredSeconds: measuredSeconds(plan, measurement.reachedUs),
      tables: [...observation.tables],
      resources: [...(heat?.resources() ?? observation.resources)],
      workloads: workloadRecords(plan, measurement),
      goals: plan.goals,
      placement: model === undefined ? null : placementOfVariant(plan, placeable, model),
      ...(shadowed === undefined ? {} : { shadow: shadowed.shadow }),
      generatorHealth: generatorHealth(measurement, readings, observation, session.clock.kind),
    };
  }
}

function modelRecord(provider: TargetProvider): RunResult['target']['model'] {
  const { model } = provider.description;
  return model === null ? null : { preset: model.preset, constants: [...model.constants] };
}
