// `--target serve`: starts the simulated database behind DynamoDB's wire protocol in this process, on a free
// port, and drives it like any other endpoint.
import { modelRecord } from '../engine/model-record.ts';
import type { PrepareProgress, TargetDescription, TargetProvider, TargetSession } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { type RunningServer, type ServerSettings, startServer } from '../serve/start-server.ts';

type Settings = ServerSettings & Required<Pick<ServerSettings, 'model'>>;

/** An endpoint whose server lives as long as the run. */
export class ServedProvider implements TargetProvider {
  readonly #inner: TargetProvider;
  readonly #server: RunningServer;
  readonly #settings: Settings;

  private constructor(inner: TargetProvider, server: RunningServer, settings: Settings) {
    this.#inner = inner;
    this.#server = server;
    this.#settings = settings;
  }

  /**
   * Starts the server and connects to it.
   * @param connect  makes a provider for the server's URL
   * @throws DynoLoadError SERVE_CANNOT_LISTEN, and whatever connecting throws
   */
  static async start(
    settings: Settings,
    connect: (url: string) => Promise<TargetProvider>,
  ): Promise<ServedProvider> {
    const server = await startServer(settings);
    try {
      return new ServedProvider(await connect(server.url), server, settings);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get description(): TargetDescription {
    return {
      ...this.#inner.description,
      label: `simulated table behind dyno-load serve, in this process, at ${this.#server.url}`,
      model: modelRecord(this.#settings.model),
    };
  }

  open(
    plan: RunPlan,
    progress: (state: PrepareProgress) => void,
    signal: AbortSignal,
  ): Promise<TargetSession> {
    return this.#inner.open(plan, progress, signal);
  }

  async close(): Promise<void> {
    try {
      await this.#inner.close();
    } finally {
      await this.#server.stop();
    }
  }
}
