// `dyno-load serve`: the simulated database on the wall clock, behind DynamoDB's wire protocol, until a
// signal ends it.
import { isLoopbackHost } from '../../aws/endpoint.ts';
import { capacityModels, describeModel, type ModelPreset } from '../../capacity/capacity-model.ts';
import { exitCodes } from '../../errors.ts';
import type { Latency } from '../../serve/data-plane.ts';
import { type ServerSettings, startServer } from '../../serve/start-server.ts';
import type { Io } from '../io.ts';
import { packageVersion } from '../package-version.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly preset: ModelPreset;
  readonly seed?: number;
  readonly throughputScale: number;
  readonly latency: Latency;
}

/**
 * Serves until SIGINT or SIGTERM. A server that is stopped has done what it was for, so that this is a
 * success.
 * @throws DynoLoadError SERVE_PORT_TAKEN, SERVE_CANNOT_LISTEN
 */
export async function serveCommand(options: ServeOptions, io: Io): Promise<number> {
  const server = await startServer({
    ...settingsOf(options),
    onBug: (error) => io.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`),
  });
  if (isReachedByOthers(server.url)) io.err(`${exposureWarning(options.host)}\n`);
  // Listened for before anybody can know that it runs: who reads its address may send a signal at once.
  const stopped = new Promise<string>((resolve) => {
    const unwatch = io.onSignal((received) => {
      unwatch();
      resolve(received);
    });
  });
  io.out(`${startLines(server.url, options).join('\n')}\n`);
  const signal = await stopped;
  await server.stop();
  io.out(`Stopped on ${signal}; the tables are gone.\n`);
  return exitCodes.success;
}

/** Whether a server listens on more than this machine, going by the address in its URL. */
function isReachedByOthers(url: string): boolean {
  return !URL.canParse(url) || !isLoopbackHost(new URL(url).hostname);
}

function exposureWarning(host: string): string {
  return (
    `Warning: --host ${host} is not this machine alone. Anybody who reaches the port may read, write and delete ` +
    'all tables; no signatures are checked.'
  );
}

/** The server that these options ask for. */
function settingsOf(options: ServeOptions): ServerSettings {
  const { host, port, preset, seed, throughputScale, latency } = options;
  return {
    host,
    port,
    model: capacityModels[preset],
    throughputScale,
    latency,
    version: packageVersion(),
    ...(seed !== undefined && { seed }),
  };
}

/** The preset has a name of its own in the line, and partitions of a running server are never split. */
const unsaid: readonly string[] = ['preset', 'splitThresholdRatio'];

/** What it is and where, and which constants of the model are guesses. */
function startLines(url: string, { preset, throughputScale, latency }: ServeOptions): string[] {
  const guesses = describeModel(capacityModels[preset])
    .filter(({ isPublished, name }) => !isPublished && !unsaid.includes(name))
    .map(({ name, value, unit }) => `${name} ${String(value)}${unit === '' ? '' : ` ${unit}`}`);
  return [
    `Simulated DynamoDB (no AWS, nothing is kept) at ${url}; model "${preset}", not published by AWS: ${guesses.join(', ')}`,
    ...(throughputScale === 1
      ? []
      : [
          `Throughput limits are multiplied by ${throughputScale}: partitions, quotas, provisioned units, maxima.`,
        ]),
    ...(latency === 'none' ? [] : ['Answers wait for modelled service times.']),
  ];
}
