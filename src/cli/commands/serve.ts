// `dyno-load serve`: the simulated database on the wall clock, behind DynamoDB's wire protocol, until a
// signal ends it.
import { resolve } from 'node:path';
import { isLoopbackHost } from '../../aws/endpoint.ts';
import { type CapacityModel, describeModel } from '../../capacity/capacity-model.ts';
import { DynoLoadError, exitCodes } from '../../errors.ts';
import type { AccessKey } from '../../serve/signature/signature-check.ts';
import { type RunningServer, type ServerSettings, startServer } from '../../serve/start-server.ts';
import { US_PER_MS } from '../../units.ts';
import { errorText } from '../error-text.ts';
import type { Io } from '../io.ts';
import { type LatencyChoice, readLatency } from '../latency-file.ts';
import { modelOf, ownConstants } from '../model-options.ts';
import { packageVersion } from '../package-version.ts';
import { accessKeysOf } from '../serve/access-keys.ts';
import type { ServeOptions } from '../serve/serve-options.ts';

/** What the options come to. */
interface Plan {
  readonly options: ServeOptions;
  readonly model: CapacityModel;
  readonly latency: LatencyChoice;
  readonly accessKeys: readonly AccessKey[] | undefined;
}

/**
 * Serves until SIGINT or SIGTERM. A server that is stopped has done what it was for, so that this is a
 * success.
 * @throws DynoLoadError USAGE, LATENCY_FILE_INVALID, SERVE_PORT_TAKEN, SERVE_CANNOT_LISTEN, SERVE_SNAPSHOT_DAMAGED,
 *   SERVE_SNAPSHOT_UNWRITABLE
 */
export async function serveCommand(options: ServeOptions, io: Io): Promise<number> {
  checkPersists(options);
  const plan: Plan = {
    options,
    model: modelOf(options),
    latency: readLatency(options.latency),
    accessKeys: accessKeysOf(options, io.env),
  };
  const server = await startServer(settingsOf(plan, io));
  if (isReachedByOthers(server.url)) io.err(`${exposureWarning(plan)}\n`);
  // Listened for before anybody can know that it runs: who reads its address may send a signal at once.
  const stopped = new Promise<string>((resolve) => {
    const unwatch = io.onSignal((received) => {
      unwatch();
      resolve(received);
    });
  });
  io.out(`${startLines(server, plan).join('\n')}\n`);
  const signal = await stopped;
  return stop(server, plan, signal, io);
}

/** @throws DynoLoadError USAGE where tables would be lost that somebody takes to be kept */
function checkPersists({ persist, persistEvery }: ServeOptions): void {
  if (persistEvery === undefined || persist !== undefined) return;
  throw new DynoLoadError('USAGE', {
    what: '--persist-every is given without --persist',
    why: 'it says how often tables are saved, and no file is named to save them in',
    fix: 'add --persist tables.snapshot, or leave --persist-every out',
  });
}

async function stop(server: RunningServer, { options }: Plan, signal: string, io: Io): Promise<number> {
  try {
    const saved = await server.stop();
    const end =
      saved === undefined ? 'the tables are gone' : `${contents(saved)} kept in ${options.persist ?? ''}`;
    io.out([...faultLines(server), `Stopped on ${signal}; ${end}.`, ''].join('\n'));
    return exitCodes.success;
  } catch (error) {
    if (!(error instanceof DynoLoadError)) throw error;
    io.out([...faultLines(server), `Stopped on ${signal}.`, ''].join('\n'));
    throw error;
  }
}

/** Whether a server listens on more than this machine, going by the address in its URL. */
function isReachedByOthers(url: string): boolean {
  return !URL.canParse(url) || !isLoopbackHost(new URL(url).hostname);
}

function exposureWarning({ options, accessKeys }: Plan): string {
  return accessKeys === undefined
    ? `Warning: --host ${options.host} is not this machine alone. Anybody who reaches the port may read, write and delete ` +
        'all tables; no signatures are checked.'
    : `Warning: --host ${options.host} is not this machine alone, and there is no TLS: requests are signed, and can be read by others.`;
}

/** The server that these options ask for. */
function settingsOf({ options, model, latency, accessKeys }: Plan, io: Io): ServerSettings {
  const { host, port, seed, throughputScale, fault, persist, persistEvery } = options;
  return {
    host,
    port,
    model,
    throughputScale,
    ...(latency.times && { times: latency.times }),
    faults: fault,
    version: packageVersion(),
    ...(accessKeys && { accessKeys }),
    ...(seed !== undefined && { seed }),
    ...(persist !== undefined && {
      snapshot: {
        path: resolve(io.cwd, persist),
        ...(persistEvery !== undefined && { everyMs: persistEvery / US_PER_MS }),
        onFailure: (error) => io.err(`${errorText(error)}\n`),
      },
    }),
    onBug: (error) => io.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`),
  };
}

/** What it is and where, which constants of the model are guesses, and everything that was asked for. */
function startLines({ url, loaded }: RunningServer, plan: Plan): string[] {
  const { options, latency, accessKeys } = plan;
  const { throughputScale, fault, persist } = options;
  const kept = persist === undefined ? 'nothing is kept' : `kept in ${persist}`;
  return [
    `Simulated DynamoDB (no AWS, ${kept}) at ${url}; model ${modelText(plan)}`,
    ...(throughputScale === 1
      ? []
      : [
          `Throughput limits are multiplied by ${throughputScale}: partitions, quotas, provisioned units, maxima.`,
        ]),
    ...(latency.kind === 'none' ? [] : [`Answers wait for ${latency.label} service times.`]),
    ...(fault.length === 0
      ? []
      : [`Faults are made on purpose: ${fault.map(({ text }) => text).join(', ')}.`]),
    ...(accessKeys === undefined
      ? []
      : [`Signatures are checked, for ${accessKeys.map(({ accessKeyId }) => accessKeyId).join(', ')}.`]),
    ...(persist === undefined
      ? []
      : [loaded === undefined ? `${persist} is new.` : `Loaded ${contents(loaded)} from ${persist}.`]),
  ];
}

function modelText({ model }: Plan): string {
  const own = ownConstants(model);
  const rows = describeModel(model).filter(({ name }) => name !== 'preset');
  const text = (wanted: (row: (typeof rows)[number]) => boolean) =>
    rows
      .filter(wanted)
      .map(({ name, value, unit }) => `${name} ${String(value)}${unit === '' ? '' : ` ${unit}`}`)
      .join(', ');
  const isOwn = ({ name }: { readonly name: string }) => own.includes(name);
  const set = own.length === 0 ? '' : ` with ${text(isOwn)}`;
  return `"${model.preset}"${set}, not published by AWS: ${text((row) => !row.isPublished && !isOwn(row))}`;
}

function faultLines(server: RunningServer): string[] {
  const { requestCount, counts } = server.faults();
  return counts.map(({ rule, count }) => `Fault ${rule}: ${count} of ${requestCount} requests.`);
}

function contents({ tables, items }: { readonly tables: number; readonly items: number }): string {
  return `${tables} ${tables === 1 ? 'table' : 'tables'} with ${items} ${items === 1 ? 'item' : 'items'}`;
}
