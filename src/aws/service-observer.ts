// Observing a run on the service: Contributor Insights switched on before a variant and put back after it,
// and an idle minute waited for before load. What is seen of one variant is in variant-observation.ts.
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { loadStart } from '../engine/service-counts/load-minutes.ts';
import { metricQueries } from '../engine/service-counts/metric-queries.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { MS_PER_MINUTE, US_PER_MS } from '../units.ts';
import { readMetrics } from './cloudwatch.ts';
import { ContributorInsights, type InsightsMode } from './contributor-insights.ts';
import type { NamedRule } from './insight-report.ts';
import { readServiceClock } from './service-clock.ts';
import {
  type ObservedTables,
  type ObserverOptions,
  type Progress,
  VariantObservation,
} from './variant-observation.ts';

/** Observes the variants of a run, one after the other. */
export class ServiceObserver {
  readonly #options: ObserverOptions;
  readonly #insights: ContributorInsights;

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#insights = new ContributorInsights(options.control, options.time);
  }

  /** Tables and indexes whose Contributor Insights are not what they were. */
  get changed(): readonly string[] {
    return this.#insights.changed;
  }

  /**
   * Switches on what is asked for and waits until load may start.
   * @throws DynoLoadError CLOUDWATCH_REFUSED, CONTRIBUTOR_INSIGHTS_FAILED; `restore` is to be called all the same
   */
  async begin(
    plan: RunPlan,
    tables: ObservedTables,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<VariantObservation> {
    const { insights, time, date, cloudWatch, metrics } = this.#options;
    const readyAtMs = time.wallMs();
    const rules = insights === undefined ? [] : await this.#enable(tables.specs, insights, progress, signal);
    const clock = await readServiceClock(date, time, signal);
    const firstMeasured = plan.stages.find(({ isMeasured }) => isMeasured);
    const start = loadStart({
      readyMs: readyAtMs + clock.offsetMs,
      nowMs: time.wallMs() + clock.offsetMs,
      leadMs: (firstMeasured?.startUs ?? 0) / US_PER_MS,
    });
    const observation = new VariantObservation(this.#options, { plan, tables, rules, clock, start });
    // Now rather than after the load: who may not read them should know before paying for it.
    const span = { fromMs: start.idleFromMs - MS_PER_MINUTE, untilMs: start.idleFromMs };
    if (cloudWatch && !signal.aborted)
      await readMetrics(metrics, metricQueries(tables.specs, []).slice(0, 1), span);
    await observation.waitUntil(
      start.loadFromMs,
      'wait for a whole minute after an idle one',
      progress,
      signal,
    );
    return observation;
  }

  /**
   * Puts Contributor Insights back; of tables that are about to go, it is only forgotten.
   * @returns what to say of it in the report, one sentence each
   */
  async restore(deletedTables: readonly string[]): Promise<readonly string[]> {
    const forgotten = deletedTables.map((tableName) => this.#insights.forget(tableName));
    const restored = await this.#insights.restore();
    if (!forgotten.includes(true)) return restored;
    return [
      'Contributor Insights was off on the tables of the run, switched on for it, and went with them when they were deleted.',
      ...restored,
    ];
  }

  #enable(
    specs: readonly TableSpec[],
    mode: InsightsMode,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<readonly NamedRule[]> {
    const resources = specs.flatMap(({ tableName, globalIndexes }) => [
      { tableName, indexName: null },
      ...globalIndexes.map(({ name }) => ({ tableName, indexName: name })),
    ]);
    progress({ what: 'switch Contributor Insights on', done: 0, of: 0 });
    return this.#insights.enable(resources, mode, signal);
  }
}
