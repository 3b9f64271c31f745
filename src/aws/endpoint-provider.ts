// A DynamoDB endpoint as a target provider: tables by the SDK, load by the lean client, and what the service says of
// it where that is asked for.
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
import { RunTables } from './run-tables.ts';
import { ownTag } from './safety.ts';
import { ServiceObserver } from './service-observer.ts';
import { TableAdmin } from './table-admin.ts';
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
  readonly #tables: RunTables;
  readonly #notes = new Set<string>();

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
    this.#tables = new RunTables({
      admin: this.#admin,
      keepTables: options.keepTables,
      isThrottling: canWarm(probed),
      prepare: (plan) => this.#prepareTables(plan),
      fill: (plan, tables, progress, signal) => this.#preload(plan, tables, progress, signal),
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
      notes: [...this.#notes, ...this.#tables.notes],
      model: null,
    };
  }

  /** Says something of the run in its report. */
  addNote(note: string): void {
    this.#notes.add(note);
  }

  leftBehind(): readonly string[] {
    const { endpoint } = this.#options;
    const place = `in ${endpoint.region} at ${endpointText(endpoint.url)}`;
    const tables = this.#tables.leaving;
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
    try {
      const opened = await this.#tables.open(plan, progress, signal);
      const observation = await this.#observer?.begin(plan, opened.tables, progress, signal);
      return openSession({
        ...this.#loadParts(plan, opened.tables),
        observation,
        isCarriedOver: opened.isCarriedOver,
        cleanUp: () => this.#endVariant(),
      });
    } catch (error) {
      // What went wrong first is told; that it left something behind is a note.
      await this.#cleanUp().catch((trouble: unknown) => this.#notes.add(troubleNote(trouble)));
      throw error;
    }
  }

  /** Rejects where what all variants shared cannot be deleted. */
  async close(): Promise<void> {
    try {
      if (this.#tables.areShared) await this.#cleanUp();
    } finally {
      this.#client.destroy();
      this.#metrics?.destroy();
    }
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
    if (plan.preloads.length === 0) return;
    const load = loadTarget(this.#loadParts(plan, tables), monotonicUs);
    const { target } = load;
    const pause = (delayMs: number) => waitMs(this.#time, delayMs, signal);
    try {
      for (const { name, tableName, count, itemAt } of plan.preloads) {
        const onProgress = (done: number) => progress({ what: `preload ${name}`, done, of: count });
        await preload({ target, tableName, count, itemAt, onProgress, signal, pause });
      }
    } finally {
      load.close();
    }
  }

  /** What is shared stays as it is, Contributor Insights included: switching it takes minutes. */
  async #endVariant(): Promise<void> {
    if (!(await this.#tables.areKept())) await this.#cleanUp();
  }

  /** Everything back as it was: each part is tried, and the first trouble is thrown. */
  async #cleanUp(): Promise<void> {
    const restored = this.#observer
      ?.restore(this.#tables.leaving)
      .then((said) => said.forEach((note) => this.addNote(note)));
    const settled = await Promise.allSettled([restored, this.#tables.remove()]);
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
