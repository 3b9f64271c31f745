// A DynamoDB endpoint as a target provider: fresh tables for each variant by the SDK (or one that was there
// before), load by the lean client, and what the service says of it where that is asked for.
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PrepareProgress, TargetDescription, TargetProvider, TargetSession } from '../engine/target.ts';
import { DynoLoadError } from '../errors.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { dateOfAnswer } from './answer-date.ts';
import type { InsightsMode } from './contributor-insights.ts';
import { controlClient } from './control-client.ts';
import { DynamoDbTarget } from './dynamodb-target.ts';
import { type Endpoint, endpointText } from './endpoint.ts';
import { type LiveTime, processTime, waitMs } from './live-time.ts';
import { metricsClient, ownCloudWatch } from './metrics-client.ts';
import { preload } from './preload.ts';
import { type ProbedTarget, probeCapabilities } from './probe-capabilities.ts';
import { ownTag } from './safety.ts';
import { ServiceObserver } from './service-observer.ts';
import { TableAdmin } from './table-admin.ts';
import type { VariantObservation } from './variant-observation.ts';
import { type LoadParts, loadTarget, type LoadWatchers, openSession } from './variant-session.ts';
import { prepareTables, type VariantTables } from './variant-tables.ts';

/** Which endpoint, which tables there, and what is asked of it besides answers. */
export interface EndpointProviderOptions extends LoadWatchers {
  readonly endpoint: Endpoint;
  /** Leave the tables that runs create. */
  readonly keepTables: boolean;
  /** An existing table to use instead of creating one. */
  readonly table?: { readonly name: string; readonly allowWritesTo: readonly string[] };
  /** Warm tables as the scenario says; AWS bills that, so it is off by default. */
  readonly allowWarmThroughput?: boolean;
  /** Whether somebody pays for it; then nothing is warmed unasked. */
  readonly isBilled: boolean;
  /** What to ask of the service besides answers. */
  readonly observe?: {
    readonly cloudWatch: boolean;
    readonly insights: InsightsMode | undefined;
    /** Where CloudWatch answers; undefined: AWS's own in the region, or the same `dyno-load serve`. */
    readonly cloudWatchUrl: URL | undefined;
  };
  readonly notes?: readonly string[];
  readonly time?: LiveTime;
}

const PROBE_TIMEOUT_MS = 10_000;

/** Sessions at one endpoint, one variant after the other. */
export class EndpointProvider implements TargetProvider {
  readonly #options: EndpointProviderOptions;
  readonly #endpoint: Endpoint;
  readonly #probed: ProbedTarget;
  readonly #time: LiveTime;
  readonly #client: DynamoDBClient;
  readonly #admin: TableAdmin;
  readonly #observer: ServiceObserver | undefined;
  readonly #metrics: CloudWatchClient | undefined;
  readonly #notes = new Set<string>();
  /** Existing tables that a variant has written to. */
  readonly #used = new Set<string>();

  private constructor(options: EndpointProviderOptions, probed: ProbedTarget) {
    const { endpoint, observe, isBilled, allowWarmThroughput = false } = options;
    this.#options = options;
    this.#endpoint = endpoint;
    this.#probed = probed;
    this.#time = options.time ?? processTime;
    this.#client = controlClient(endpoint);
    this.#admin = new TableAdmin({
      control: this.#client,
      endpointText: endpointText(endpoint.url),
      tags: { [ownTag.name]: ownTag.value },
      warms: canWarm(probed) && (allowWarmThroughput || (probed.isServe && !isBilled)),
      warming: canWarm(probed) ? (isBilled ? 'billed' : 'unknown') : 'none',
      pause: (delayMs) => waitMs(this.#time, delayMs),
    });
    if (observe) {
      this.#metrics = metricsClient(endpoint, observe.cloudWatchUrl ?? ownCloudWatch(endpoint, probed));
      this.#observer = new ServiceObserver({
        ...observe,
        metrics: this.#metrics,
        control: this.#client,
        time: this.#time,
        date: () => dateOfAnswer(endpoint, this.#time.wallMs),
      });
    }
    for (const note of [...endpoint.notes, ...probed.notes, ...(options.notes ?? [])]) this.#notes.add(note);
  }

  /**
   * Asks the endpoint who it is; creates nothing.
   * @throws DynoLoadError TARGET_UNREACHABLE, TARGET_NOT_DYNAMODB, TARGET_REJECTED; USAGE where nobody would
   * answer for CloudWatch
   */
  static async connect(options: EndpointProviderOptions): Promise<EndpointProvider> {
    const { endpoint } = options;
    const target = new DynamoDbTarget({ endpoint, nowUs: monotonicUs, attemptTimeoutMs: PROBE_TIMEOUT_MS });
    try {
      return new EndpointProvider(options, await probeCapabilities(endpoint, target));
    } finally {
      target.close();
    }
  }

  get description(): TargetDescription {
    return {
      kind: 'endpoint',
      time: 'wall-clock',
      label: this.#probed.label,
      capabilities: this.#probed.capabilities,
      notes: [...this.#notes],
      model: null,
    };
  }

  /** Says something of the run in its report. */
  addNote(note: string): void {
    this.#notes.add(note);
  }

  leftBehind(): readonly string[] {
    const { keepTables, endpoint } = this.#options;
    const place = `in ${endpoint.region} at ${endpointText(endpoint.url)}`;
    const tables = keepTables ? [] : this.#admin.created;
    const insights = this.#observer?.changed ?? [];
    return [
      ...(tables.length === 0 ? [] : [`Not deleted ${place}: ${tables.join(', ')}.`]),
      ...(insights.length === 0
        ? []
        : [`Contributor Insights not put back ${place}, and billed: ${insights.join(', ')}.`]),
    ];
  }

  async open(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<TargetSession> {
    progress({ what: 'create tables', done: 0, of: plan.tables.length });
    try {
      const tables = await this.#prepareTables(plan);
      await this.#preload(plan, tables, progress, signal);
      const observation = await this.#observer?.begin(plan, tables, progress, signal);
      return this.#session(plan, tables, observation);
    } catch (error) {
      // What went wrong first is told; that it left something behind is a note.
      await this.#cleanUp().catch((trouble: unknown) => this.#notes.add(troubleNote(trouble)));
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#client.destroy();
    this.#metrics?.destroy();
  }

  #prepareTables(plan: RunPlan): Promise<VariantTables> {
    return prepareTables(plan, {
      admin: this.#admin,
      control: this.#client,
      endpointText: endpointText(this.#endpoint.url),
      existing: this.#options.table,
      note: (text) => this.addNote(text),
    });
  }

  #session(plan: RunPlan, tables: VariantTables, observation: VariantObservation | undefined): TargetSession {
    const isCarriedOver = plan.tables.some(({ tableName }) => this.#used.has(tableName));
    if (tables.areShared && !plan.onlyReads)
      for (const { tableName } of plan.tables) this.#used.add(tableName);
    return openSession({
      ...this.#loadParts(plan, tables),
      observation,
      isCarriedOver,
      cleanUp: () => this.#cleanUp(),
    });
  }

  #loadParts(plan: RunPlan, tables: VariantTables): LoadParts {
    return {
      endpoint: this.#endpoint,
      probed: this.#probed,
      time: this.#time,
      watchers: this.#options,
      plan,
      tables,
    };
  }

  async #preload(
    plan: RunPlan,
    tables: VariantTables,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    // Once is enough for variants that only read one table.
    const isThere =
      tables.areShared && plan.onlyReads && plan.tables.every(({ tableName }) => this.#used.has(tableName));
    if (plan.preloads.length === 0 || isThere) return;
    const load = loadTarget(this.#loadParts(plan, tables), monotonicUs);
    const { target } = load;
    const pause = (delayMs: number) => waitMs(this.#time, delayMs, signal);
    try {
      for (const { name, tableName, count, itemAt } of plan.preloads) {
        const onProgress = (done: number) => progress({ what: `preload ${name}`, done, of: count });
        await preload({ target, tableName, count, itemAt, onProgress, signal, pause });
        if (tables.areShared) this.#used.add(tableName);
      }
    } finally {
      load.close();
    }
  }

  /** Everything back as it was: each part is tried, and the first trouble is thrown. */
  async #cleanUp(): Promise<void> {
    const deleted = this.#options.keepTables ? [] : this.#admin.created;
    const restored = this.#observer
      ?.restore(deleted)
      .then((said) => said.forEach((note) => this.addNote(note)));
    const settled = await Promise.allSettled([
      restored,
      this.#options.keepTables ? undefined : this.#admin.deleteCreated(),
    ]);
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }
}

function troubleNote(trouble: unknown): string {
  const what = trouble instanceof DynoLoadError ? trouble.what : String(trouble);
  return `Not cleaned up: ${what}.`;
}

/** Where nothing is throttled, nothing is warm or cold. */
function canWarm({ capabilities }: ProbedTarget): boolean {
  return capabilities.enforcesThroughput !== 'no';
}

function monotonicUs(): number {
  return Math.round(performance.now() * 1_000);
}
