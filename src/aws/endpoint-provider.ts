// A DynamoDB endpoint as a target provider: fresh tables for each variant by the SDK (or one that was there
// before), load by the lean client, and what the service says of it where that is asked for.
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SystemClock } from '../clock.ts';
import type { Units } from '../dynamodb/consumed-capacity.ts';
import type { TallyRecord } from '../engine/service-counts/request-tally.ts';
import type {
  PrepareProgress,
  SessionObservation,
  Target,
  TargetDescription,
  TargetProvider,
  TargetSession,
  ThreadAccess,
} from '../engine/target.ts';
import { DynoLoadError } from '../errors.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { dateOfAnswer } from './answer-date.ts';
import type { InsightsMode } from './contributor-insights.ts';
import { controlClient } from './control-client.ts';
import { DynamoDbTarget } from './dynamodb-target.ts';
import { type Endpoint, endpointText } from './endpoint.ts';
import { inspectExistingTable } from './existing-table.ts';
import { type LiveTime, processTime, waitMs } from './live-time.ts';
import { LoadTarget, longestTimeoutMs } from './load-target.ts';
import { metricsClient, ownCloudWatch } from './metrics-client.ts';
import { preload } from './preload.ts';
import { type ProbedTarget, probeCapabilities } from './probe-capabilities.ts';
import { ownTag, writesToTables } from './safety.ts';
import { type ObservedTables, ServiceObserver, type VariantObservation } from './service-observer.ts';
import { TableAdmin } from './table-admin.ts';
import { threadTargetSettings } from './thread-target.ts';

export interface EndpointProviderOptions {
  readonly endpoint: Endpoint;
  /** Leave the tables that runs create. */
  readonly keepTables: boolean;
  /** An existing table to use instead of creating one. */
  readonly table?: { readonly name: string; readonly allowWritesTo: readonly string[] };
  /** Warm tables as the scenario says; AWS bills that, so it is off by default. */
  readonly allowWarmThroughput?: boolean;
  /** Whether somebody pays for it; then nothing is warmed unasked. */
  readonly isBilled: boolean;
  /** Ends the run for a rule of safety; the first call counts. */
  readonly refuse?: (error: DynoLoadError) => void;
  /** Put around whatever sends load or preloads, for example to meter what it spends. */
  readonly around?: (target: Target) => Target;
  /** Told what other threads have consumed, which passes by nothing that is put around. */
  readonly consumed?: (units: Units) => void;
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

/** A variant's tables, made or found. */
interface VariantTables extends ObservedTables {
  readonly writable: ReadonlySet<string>;
}

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

  async #prepareTables(plan: RunPlan): Promise<VariantTables> {
    const { table } = this.#options;
    if (table !== undefined) return this.#findTable(plan, table.allowWritesTo);
    for (const note of await this.#admin.createTables(plan.tables)) this.#notes.add(note);
    return {
      specs: plan.tables,
      areShared: false,
      writable: new Set(plan.tables.map(({ tableName }) => tableName)),
    };
  }

  async #findTable({ tables, ...plan }: RunPlan, allowWritesTo: readonly string[]): Promise<VariantTables> {
    const specs = [];
    const writable = new Set<string>();
    for (const spec of tables) {
      const found = await inspectExistingTable({
        spec,
        description: await this.#admin.describe(spec.tableName),
        writes: writesToTables(plan),
        allowWritesTo,
        endpointText: endpointText(this.#endpoint.url),
        control: this.#client,
      });
      for (const note of found.notes) this.#notes.add(note);
      if (found.mayWrite) writable.add(spec.tableName);
      specs.push(found.spec);
    }
    return { specs, areShared: true, writable };
  }

  #session(plan: RunPlan, tables: VariantTables, observation: VariantObservation | undefined): TargetSession {
    const clock = new SystemClock(this.#time.scheduler);
    const load = this.#loadTarget(plan, tables, () => clock.nowUs());
    const isCarriedOver = plan.tables.some(({ tableName }) => this.#used.has(tableName));
    if (tables.areShared && !plan.onlyReads)
      for (const { tableName } of plan.tables) this.#used.add(tableName);
    return {
      target: observation?.watch(load.target) ?? load.target,
      clock,
      knowsHeat: false,
      sdk: load.sdk,
      isCarriedOver,
      warmUp: (connections) => load.warmUp(connections),
      threads: this.#threadAccess(plan, tables, observation),
      observe: () => ({ ...unobserved(plan), ...load.observe() }),
      ...(observation === undefined
        ? {}
        : { collect: (progress, signal) => observation.collect(progress, signal) }),
      close: async () => {
        load.close();
        await this.#cleanUp();
      },
    };
  }

  /** Other threads make a target of their own; what is to be known of all requests together, they tell. */
  #threadAccess(
    plan: RunPlan,
    { specs, writable }: VariantTables,
    observation: VariantObservation | undefined,
  ): ThreadAccess {
    const { refuse, consumed } = this.#options;
    return {
      settings: () =>
        threadTargetSettings(this.#endpoint, {
          accounting: this.#probed.accounting,
          tables: specs,
          writable: [...writable],
          attemptTimeoutMs: longestTimeoutMs(plan),
          isTallied: observation !== undefined,
        }),
      renewed: () => this.#endpoint.credentials.current(this.#time.wallMs()),
      consumed: (units) => consumed?.(units),
      refused: (error) => refuse?.(error),
      // What `ThreadTarget.tally` gave.
      counted: (tally) => tally === undefined || observation?.add(tally as TallyRecord),
    };
  }

  #loadTarget(plan: RunPlan, { specs, writable }: VariantTables, nowUs: () => number): LoadTarget {
    return new LoadTarget({
      endpoint: this.#endpoint,
      accounting: this.#probed.accounting,
      tables: specs,
      writable,
      attemptTimeoutMs: longestTimeoutMs(plan),
      nowUs,
      wallMs: this.#time.wallMs,
      refuse: this.#options.refuse,
      around: this.#options.around,
    });
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
    const load = this.#loadTarget(plan, tables, monotonicUs);
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

function unobserved({ tables }: RunPlan): Pick<SessionObservation, 'tables' | 'resources' | 'placeable'> {
  return {
    tables: tables.map(({ tableName, logicalName }) => ({
      tableName,
      logicalName,
      itemCount: null,
      replacedPuts: null,
      largestItemBytes: null,
    })),
    resources: [],
    placeable: [],
  };
}

function monotonicUs(): number {
  return Math.round(performance.now() * 1_000);
}
