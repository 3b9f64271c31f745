// A DynamoDB endpoint as a target provider: fresh tables for each variant by the SDK, load by the
// lean client.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SystemClock } from '../clock.ts';
import type {
  PrepareProgress,
  SessionObservation,
  TargetDescription,
  TargetProvider,
  TargetSession,
} from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { US_PER_MS } from '../units.ts';
import { controlClient } from './control-client.ts';
import { resolveEndpoint } from './credentials.ts';
import { DynamoDbTarget } from './dynamodb-target.ts';
import { type Endpoint, endpointText } from './endpoint.ts';
import { preload } from './preload.ts';
import { type ProbedTarget, probeCapabilities } from './probe-capabilities.ts';
import { TableAdmin } from './table-admin.ts';

export interface EndpointProviderOptions {
  /** URL of the endpoint. */
  readonly target: string;
  readonly region?: string;
  /** Leave the tables that runs create. */
  readonly keepTables: boolean;
}

const PROBE_TIMEOUT_MS = 10_000;

export class EndpointProvider implements TargetProvider {
  readonly #endpoint: Endpoint;
  readonly #probed: ProbedTarget;
  readonly #client: DynamoDBClient;
  readonly #admin: TableAdmin;
  readonly #keepTables: boolean;
  readonly #notes = new Set<string>();

  private constructor(endpoint: Endpoint, probed: ProbedTarget, keepTables: boolean) {
    this.#endpoint = endpoint;
    this.#probed = probed;
    this.#keepTables = keepTables;
    this.#client = controlClient(endpoint);
    this.#admin = new TableAdmin({
      control: this.#client,
      endpointText: endpointText(endpoint.url),
      tags: { 'created-by': 'dyno-load' },
    });
    for (const note of [...endpoint.notes, ...probed.notes]) this.#notes.add(note);
  }

  /**
   * Finds credentials and region and asks the endpoint who it is; creates nothing.
   * @throws DynoLoadError USAGE, REGION_MISSING, CREDENTIALS_MISSING, TARGET_UNREACHABLE, TARGET_NOT_DYNAMODB, TARGET_REJECTED
   */
  static async connect(options: EndpointProviderOptions): Promise<EndpointProvider> {
    const endpoint = await resolveEndpoint(options);
    const target = new DynamoDbTarget({ endpoint, nowUs: monotonicUs, attemptTimeoutMs: PROBE_TIMEOUT_MS });
    try {
      return new EndpointProvider(endpoint, await probeCapabilities(endpoint, target), options.keepTables);
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

  async open(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<TargetSession> {
    progress({ what: 'create tables', done: 0, of: plan.tables.length });
    try {
      for (const note of await this.#admin.createTables(plan.tables)) this.#notes.add(note);
      await this.#preload(plan, progress, signal);
    } catch (error) {
      await this.#deleteTables();
      throw error;
    }
    return this.#session(plan);
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #session(plan: RunPlan): TargetSession {
    const clock = new SystemClock();
    const target = this.#createTarget(plan, () => clock.nowUs());
    return {
      target,
      clock,
      knowsHeat: false,
      observe: () => observe(plan, target),
      close: async () => {
        target.close();
        await this.#deleteTables();
      },
    };
  }

  #createTarget(plan: RunPlan, nowUs: () => number): DynamoDbTarget {
    const timeoutUs = Math.max(...plan.workloads.map((workload) => workload.policy.timeoutUs));
    return new DynamoDbTarget({
      endpoint: this.#endpoint,
      nowUs,
      attemptTimeoutMs: timeoutUs / US_PER_MS,
      accounting: this.#probed.accounting,
    });
  }

  async #preload(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (plan.preloads.length === 0) return;
    const target = this.#createTarget(plan, monotonicUs);
    try {
      for (const { name, tableName, count, itemAt } of plan.preloads) {
        const onProgress = (done: number) => progress({ what: `preload ${name}`, done, of: count });
        await preload({ target, tableName, count, itemAt, onProgress, signal });
      }
    } finally {
      target.close();
    }
  }

  async #deleteTables(): Promise<void> {
    if (!this.#keepTables) await this.#admin.deleteCreated();
  }
}

function observe(plan: RunPlan, target: DynamoDbTarget): SessionObservation {
  return {
    tables: plan.tables.map(({ tableName, logicalName }) => ({
      tableName,
      logicalName,
      itemCount: null,
      replacedPuts: null,
      largestItemBytes: null,
    })),
    resources: [],
    placeable: [],
    connectionsOpened: target.counters.opened,
    resentRequests: target.counters.resent,
  };
}

function monotonicUs(): number {
  return Math.round(performance.now() * 1_000);
}
