// Puts a server together and starts it: the simulated database on the wall clock, or on any clock it is
// given, behind DynamoDB's wire protocol and CloudWatch's three.
import { type CapacityModel, capacityModels } from '../capacity/capacity-model.ts';
import { MAX_BATCH_BYTES } from '../dynamodb/limits.ts';
import type { DatabaseLimits } from '../simulator/database-limits.ts';
import { SimulatedDatabase } from '../simulator/simulated-database.ts';
import { ServiceActivity } from '../simulator/metrics/service-activity.ts';
import type { ServiceTimes } from '../simulator/service-times.ts';
import { US_PER_MS } from '../units.ts';
import { DataPlane } from './data-plane.ts';
import { type FaultCount, FaultInjector } from './faults/fault-injector.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import type { FinishedListener } from './finished-request.ts';
import { listen } from './listen.ts';
import { BrowserDoor } from './page/browser-door.ts';
import { TrafficCounts } from './page/traffic-counts.ts';
import { Service } from './service.ts';
import { createServiceReports } from './service-reports.ts';
import { type AccessKey, SignatureCheck } from './signature/signature-check.ts';
import type { SnapshotCounts } from './snapshot/snapshot-file.ts';
import { SnapshotKeeper, type SnapshotSettings } from './snapshot/snapshot-keeper.ts';
import type { Administration } from './tables/administration.ts';
import { scaledModel } from './tables/scaled-spec.ts';
import { TableRegistry } from './tables/table-registry.ts';
import { ResponseWriter } from './wire/http-response.ts';

/** What a server is started with. */
export interface ServerSettings {
  /** Default: loopback. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default: the preset `default`. */
  readonly model?: CapacityModel;
  /** Decides where keys fall, and request ids; default 1. */
  readonly seed?: number;
  readonly region?: string;
  readonly accountId?: string;
  /** Multiplies every limit of throughput; default 1. */
  readonly throughputScale?: number;
  /** How long requests take; default: answers come at once. */
  readonly times?: ServiceTimes;
  /** Faults to make; default: none. */
  readonly faults?: readonly FaultRule[];
  /** Keys that requests have to be signed with; absent: signatures are not looked at. */
  readonly accessKeys?: readonly AccessKey[];
  /** Keeps the tables in a file; default: they end with the server. */
  readonly snapshot?: SnapshotSettings;
  /** How long tables and indexes stay CREATING, UPDATING or DELETING; default 0. */
  readonly transitionMs?: number;
  /** Limits of the database that differ from the usual: item collections, delay of expiry. */
  readonly limits?: Partial<DatabaseLimits>;
  /** Time between the end of a minute and the publication of its metrics; see service-reports.ts. */
  readonly publicationDelayMs?: number;
  /** Time that Contributor Insights takes to switch; see service-activity.ts. */
  readonly insightsSwitchDelayMs?: number;
  /** The version of dyno-load, for the header `Server`. */
  readonly version: string;
  /** Time of the database in µs, from 0 on, never going back; default: this process's monotonic clock. */
  readonly nowUs?: () => number;
  /** Time of day in ms since 1970, in step with `nowUs`; default: from the day's time at the start. */
  readonly wallMs?: () => number;
  /** Is told of each finished request of the data plane. */
  readonly onFinished?: FinishedListener;
  /** Is told of errors that are ours; default: silence, as the client is answered 500. */
  readonly onBug?: (error: unknown) => void;
}

/** A server that takes requests. */
export interface RunningServer {
  /** For example `http://127.0.0.1:8000`. */
  readonly url: string;
  /** What was loaded of the snapshot; undefined where there was none. */
  readonly loaded: SnapshotCounts | undefined;
  /** How often each fault was made until now, and in how many requests it could have been. */
  faults(): FaultSummary;
  /**
   * Takes no more requests, lets those under way end (5 s at most), and closes; then saves the snapshot.
   * @returns what was saved; undefined where nothing is
   * @throws DynoLoadError SERVE_SNAPSHOT_UNWRITABLE
   */
  stop(): Promise<SnapshotCounts | undefined>;
}

export interface FaultSummary {
  readonly requestCount: number;
  readonly counts: readonly FaultCount[];
}

/**
 * Starts a server.
 * @throws DynoLoadError SERVE_PORT_TAKEN, SERVE_CANNOT_LISTEN, SERVE_SNAPSHOT_DAMAGED, SERVE_SNAPSHOT_UNWRITABLE
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 0 } = settings;
  let address = '';
  const { service, writer, snapshot, faults } = assemble(settings, () => address);
  const http = await listen({
    host,
    port,
    maxBodyBytes: MAX_BATCH_BYTES,
    handle: (request, respond) => service.handle(request, respond),
    refuse: Service.refuse,
    bytesOf: (response, isLast) => writer.bytesOf(response, isLast),
  }).catch((error: unknown) => {
    snapshot?.keeper.abandon();
    throw error;
  });
  address = `${host.includes(':') ? `[${host}]` : host}:${http.port}`;
  return {
    url: `http://${address}`,
    loaded: snapshot?.loaded,
    faults: () => ({ requestCount: faults?.requestCount ?? 0, counts: faults?.counts ?? [] }),
    stop: async () => {
      await http.stop();
      return snapshot?.keeper.close();
    },
  };
}

/** All that answers requests, before anything listens. @param address  known once something does */
function assemble(settings: ServerSettings, address: () => string) {
  const { host = '127.0.0.1', seed = 1, version, accessKeys, onBug = () => undefined } = settings;
  const nowUs = settings.nowUs ?? monotonicUs();
  const wallMs = settings.wallMs ?? wallClock(nowUs);
  const wallMsAtZero = wallMs() - nowUs() / US_PER_MS;
  const { insightsSwitchDelayMs, publicationDelayMs } = settings;
  const activity = new ServiceActivity({
    wallMsAtZero,
    ...(insightsSwitchDelayMs !== undefined && { insightsSwitchDelayMs }),
  });
  const surroundings = { seed, nowUs, wallMs, wallMsAtZero, activity, address };
  const administration = administrationOf(settings, surroundings);
  const snapshot = settings.snapshot && SnapshotKeeper.open(administration, settings.snapshot);
  const faults = settings.faults?.length ? new FaultInjector(settings.faults, seed) : undefined;
  const traffic = new TrafficCounts();
  const onFinished: FinishedListener = (finished) => {
    activity.record(finished);
    traffic.record(finished);
    snapshot?.keeper.noteRequest(finished.api);
    settings.onFinished?.(finished);
  };
  const dataPlane = new DataPlane({ administration, times: settings.times, faults, seed, onBug, onFinished });
  const writer = new ResponseWriter({ server: `dyno-load/${version}`, seed, wallMs });
  const reports = createServiceReports({
    activity,
    nowMs: wallMs,
    nextRequestId: () => writer.nextRequestId(),
    ...(publicationDelayMs !== undefined && { publicationDelayMs }),
  });
  // Who cannot sign is not to see the tables; who is at this machine may.
  const isOpen = accessKeys === undefined || isLoopback(host);
  const browsers = new BrowserDoor({ administration, traffic, faults, host, isOpen });
  const signatures = accessKeys && new SignatureCheck(accessKeys, wallMs);
  return {
    service: new Service({ administration, dataPlane, reports, browsers, signatures, onBug }),
    writer,
    snapshot,
    faults,
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

interface Surroundings extends Pick<Administration, 'nowUs' | 'wallMs' | 'address'> {
  readonly seed: number;
  readonly wallMsAtZero: number;
  readonly activity: ServiceActivity;
}

function administrationOf(
  {
    model = capacityModels.default,
    region,
    accountId,
    throughputScale = 1,
    transitionMs = 0,
    limits,
  }: ServerSettings,
  { seed, activity, nowUs, wallMs, wallMsAtZero, address }: Surroundings,
): Administration {
  const place = { region: region ?? 'us-east-1', accountId: accountId ?? '000000000000' };
  return {
    database: new SimulatedDatabase({
      model: scaledModel(model, throughputScale),
      seed,
      ...place,
      listener: activity,
      wallMsAtZero,
      ...(limits && { limits }),
    }),
    tables: new TableRegistry(),
    activity,
    place,
    model,
    throughputScale,
    transitionUs: transitionMs * US_PER_MS,
    nowUs,
    wallMs,
    address,
  };
}

function monotonicUs(): () => number {
  const startMs = performance.now();
  return () => Math.round((performance.now() - startMs) * US_PER_MS);
}

/** The time of day at the start, moved on by the database's own clock: the two never drift apart. */
function wallClock(nowUs: () => number): () => number {
  const startMs = Date.now() - nowUs() / US_PER_MS;
  return () => startMs + nowUs() / US_PER_MS;
}
