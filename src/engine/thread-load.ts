// The load of one variant, or a share of it, made in this very thread: runners and loops, heat of keys
// counted around the target, and the thread's own health while it lasts.
import type { Clock } from '../clock.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { US_PER_MS } from '../units.ts';
import type { HealthProbe, HealthReadings } from './generator-health.ts';
import { HeatTrackingTarget, type ResourceHeatRecord } from './live-heat.ts';
import type { LoadKnowledge, LoadRun } from './load-run.ts';
import { plannedInFlight } from './planned-in-flight.ts';
import type { RunProgress } from './run-progress.ts';
import { type VariantMeasurement, VariantRun } from './run-variant.ts';
import type { SdkAccess, Target } from './target.ts';
import { measuredSpan } from './variant-record.ts';
import { type WorkShare, wholeWork } from './work-share.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

export interface ThreadLoadParts {
  readonly plan: RunPlan;
  readonly clock: Clock;
  readonly target: Target;
  readonly sdk: SdkAccess | undefined;
  /** Whether the target tells the heat of keys by itself. */
  readonly knowsHeat: boolean;
  readonly probe: HealthProbe;
  /** Opens connections; undefined where there are none. */
  readonly connect: ((connections: number) => Promise<void>) | undefined;
  /** Which sequences are made here; absent: all. The plan is then the one of that share. */
  readonly share?: WorkShare;
}

/** The load of a variant in a run without workers; in a worker, the share of it that is its own. */
export class ThreadLoad implements LoadRun {
  readonly #parts: ThreadLoadParts;
  readonly #heat: HeatTrackingTarget | undefined;
  readonly #run: VariantRun;
  #readings: HealthReadings | undefined;

  constructor(parts: ThreadLoadParts) {
    const { plan, clock, target, sdk, knowsHeat, share = wholeWork } = parts;
    this.#parts = parts;
    this.#heat = knowsHeat ? undefined : new HeatTrackingTarget(target, plan.tables, measuredSpan(plan));
    this.#run = new VariantRun(plan, clock, this.#heat ?? target, sdk, share);
  }

  get recorders(): readonly WorkloadRecorder[] {
    return this.#run.recorders;
  }

  setUp(): Promise<void> {
    return this.#run.setUp();
  }

  async warmUp(): Promise<void> {
    const { plan, connect } = this.#parts;
    await connect?.(plannedInFlight(plan));
  }

  /** @param originMs  when load begins; see `Clock.run` */
  async run(originMs?: number): Promise<VariantMeasurement> {
    const { probe, plan, clock } = this.#parts;
    probe.start();
    const { fromUs } = measuredSpan(plan);
    // Before the operations of that moment.
    clock.schedule(fromUs, 0, { fire: (nowUs) => probe.measure((nowUs - fromUs) / US_PER_MS) });
    const measurement = await this.#run.run(originMs);
    this.#readings = probe.finish();
    return measurement;
  }

  interrupt(): void {
    this.#run.interrupt();
  }

  progress(): RunProgress {
    return this.#run.progress();
  }

  known(): LoadKnowledge {
    return { readings: this.readings, resources: this.#heat?.resources() };
  }

  get readings(): HealthReadings {
    return this.#readings ?? this.#parts.probe.finish();
  }

  /** Heat of keys in a form that adds up with that of other threads; empty where the target tells it. */
  get heat(): readonly ResourceHeatRecord[] {
    return this.#heat?.toRecord() ?? [];
  }
}
