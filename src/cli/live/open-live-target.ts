// From the options of `run` to a live target that may be used: where it is, whether writes are allowed, what it
// will cost, and a yes of the user; only then is anything sent.
import { usEast1Prices } from '../../analysis/cost.ts';
import { resolveEndpoint } from '../../aws/credentials.ts';
import {
  type Endpoint,
  endpointText,
  isAwsHost,
  isLoopbackHost,
  parseEndpointUrl,
} from '../../aws/endpoint.ts';
import { EndpointProvider } from '../../aws/endpoint-provider.ts';
import type { LiveTime } from '../../aws/live-time.ts';
import { withProxy } from '../../aws/proxied.ts';
import { checkTableReuse, OWN_PREFIX, refusedWrite, writesToTables } from '../../aws/safety.ts';
import { MeteredTarget, SpendMeter } from '../../engine/spend-limit.ts';
import type { Target } from '../../engine/target.ts';
import { DynoLoadError } from '../../errors.ts';
import type { RunPlan } from '../../scenario/run-plan.ts';
import {
  type Billing,
  billingOf,
  consentNeeded,
  isYes,
  reachedMaximumCost,
  refusedConsent,
  refusedPlannedCost,
  statementText,
} from '../consent.ts';
import { visibleLines } from '../error-text.ts';
import type { Io } from '../io.ts';
import type { startWorkers } from '../start-workers.ts';
import { isObserved, type LiveOptions } from './live-options.ts';
import { runDuration, runStatement } from './run-statement.ts';

/** What stands in for the world in tests of a whole run. */
export interface LiveWorld {
  /** Treats any endpoint as AWS where rules of safety are concerned. */
  readonly isAws?: boolean;
  /** Treats any endpoint as one that is not on this machine. */
  readonly isRemote?: boolean;
  readonly time?: LiveTime;
  /** Put around whatever sends load or preloads. */
  readonly around?: (target: Target) => Target;
  /** In place of threads. */
  readonly startWorkers?: typeof startWorkers;
}

export interface LiveRequest {
  /** `aws`, or the URL of an endpoint. */
  readonly target: string;
  readonly options: LiveOptions;
  readonly plans: readonly RunPlan[];
  readonly repeats: number;
  /** For the report: what the options changed of the scenario. */
  readonly notes: readonly string[];
  readonly io: Io;
  readonly world: LiveWorld;
  /** Ends the run. */
  readonly refuse: (error: DynoLoadError) => void;
}

/**
 * Opens a live target.
 * @throws DynoLoadError USAGE, REFUSED_WRITE, REFUSED_WITHOUT_CONSENT, REFUSED_MAX_COST, and what connecting throws
 */
export async function openLiveTarget(request: LiveRequest): Promise<EndpointProvider> {
  const { target, options, notes, world } = request;
  const { table, allowWritesTo = [], keepTables = false, allowWarmThroughput = false } = options;
  checkTables(request);
  const resolved = await resolveEndpoint({ target, ...endpointOptions(options) });
  const endpoint = withProxy(resolved, request.io.env);
  const billing = billingFor(request, endpoint);
  const fixedUsd = await agree(request, endpoint, billing);
  const opened: { provider?: EndpointProvider } = {};
  const meter = spendMeter(options, fixedUsd, (error) => {
    opened.provider?.addNote(`${error.what}.`);
    request.refuse(error);
  });
  opened.provider = await EndpointProvider.connect({
    endpoint,
    keepTables,
    allowWarmThroughput,
    isBilled: billing !== 'none',
    ...(table === undefined ? {} : { table: { name: table, allowWritesTo } }),
    refuse: request.refuse,
    ...(meter === undefined && world.around === undefined ? {} : { around: aroundTargets(world, meter) }),
    ...(meter === undefined ? {} : { consumed: (units) => meter.countUnits(units) }),
    ...observation(options),
    notes,
    ...(world.time === undefined ? {} : { time: world.time }),
  });
  return opened.provider;
}

/** By all places that are sent to: the target, the proxy in front of it, and CloudWatch where it is named. */
function billingFor({ options, world }: LiveRequest, { url, proxy, isAws, credentials }: Endpoint): Billing {
  const metricsUrl = isObserved(options) ? cloudWatchUrl(options) : undefined;
  const hosts = [url, proxy, metricsUrl].filter((one) => one !== undefined).map(({ hostname }) => hostname);
  return billingOf({
    isAws: world.isAws ?? (isAws || hosts.some(isAwsHost)),
    staysHere: world.isRemote !== true && hosts.every(isLoopbackHost),
    areCredentialsMadeUp: credentials.areMadeUp,
  });
}

function cloudWatchUrl({ cloudwatchEndpoint }: LiveOptions): URL | undefined {
  return cloudwatchEndpoint === undefined ? undefined : parseEndpointUrl(cloudwatchEndpoint);
}

function aroundTargets({ around }: LiveWorld, meter: SpendMeter | undefined): (target: Target) => Target {
  return (target) => {
    const metered = meter === undefined ? target : new MeteredTarget(target, meter);
    return around?.(metered) ?? metered;
  };
}

function endpointOptions({ region, profile }: LiveOptions) {
  return {
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
  };
}

function observation(options: LiveOptions) {
  if (!isObserved(options)) return {};
  return {
    observe: {
      cloudWatch: options.cloudwatch === true,
      insights: options.contributorInsights,
      cloudWatchUrl: cloudWatchUrl(options),
    },
  };
}

/** What can be refused by looking at options and plans alone. */
function checkTables({ options, plans, repeats }: LiveRequest): void {
  const { table, allowWritesTo = [], reuseTable = false } = options;
  if (table === undefined) {
    if (allowWritesTo.length === 0 && !reuseTable) return;
    throw new DynoLoadError('USAGE', {
      what: `${reuseTable ? '--reuse-table' : '--allow-writes-to'} without --table`,
      why: 'tables that are made for the run may be written to anyhow',
      fix: 'add --table with the name of the table, or leave it away',
    });
  }
  const runs = plans.flatMap((plan) => Array.from({ length: repeats }, () => plan));
  checkTableReuse(runs, { tableName: table, isReuseAllowed: reuseTable });
  const isPossible = allowWritesTo.includes(table) || table.startsWith(OWN_PREFIX);
  if (plans.some(writesToTables) && !isPossible) throw refusedWrite(table, 'the run would write to');
}

/** Tells what a run that may be billed will do and asks for a yes. @returns USD that is due whatever its load consumes */
async function agree(request: LiveRequest, endpoint: Endpoint, billing: Billing): Promise<number> {
  const { options, plans, repeats, io } = request;
  if (billing === 'none') {
    tellDuration(request);
    return 0;
  }
  const statement = runStatement({
    billing,
    accountId: endpoint.credentials.accountId,
    region: endpoint.region,
    endpoint: endpointText(endpoint.url),
    plans,
    repeats,
    isTableExisting: options.table !== undefined,
    keepTables: options.keepTables === true,
    isWarmingAllowed: options.allowWarmThroughput === true,
    cloudWatch: options.cloudwatch === true,
    insights: options.contributorInsights,
    maximumUsd: options.maxCost,
    remarks: request.notes,
  });
  io.err(visibleLines(statementText(statement)));
  const { maxCost } = options;
  if (maxCost !== undefined && statement.cost.usd > maxCost)
    throw refusedPlannedCost(statement.cost, maxCost);
  await askForYes(options, io, billing);
  const load = statement.cost.parts.filter(({ what }) => what === 'load' || what === 'preload');
  return statement.cost.usd - load.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}

async function askForYes(
  { yes = false }: LiveOptions,
  { ask }: Io,
  billing: Exclude<Billing, 'none'>,
): Promise<void> {
  const needed = consentNeeded({ isAgreed: yes, canAsk: ask !== undefined });
  if (needed === 'given') return;
  if (needed === 'refused' || ask === undefined) throw refusedConsent('nobodyToAsk', billing);
  if (!isYes(await ask('Start it? [y/N] '))) throw refusedConsent('saidNo', billing);
}

/** On emulators nothing is billed, but minutes are spent there too. */
function tellDuration({ options, plans, repeats, io }: LiveRequest): void {
  if (!isObserved(options)) return;
  const { leastMs, mostMs } = runDuration(plans, { repeats, isObserved: true });
  const minutes = (ms: number): number => Math.ceil(ms / 60_000);
  io.err(
    `With whole and idle minutes around its load, the run takes ${minutes(leastMs)} to ${minutes(mostMs)} min.\n`,
  );
}

function spendMeter(
  { maxCost }: LiveOptions,
  fixedUsd: number,
  stop: (error: DynoLoadError) => void,
): SpendMeter | undefined {
  if (maxCost === undefined) return undefined;
  return new SpendMeter({
    maximumUsd: maxCost,
    fixedUsd,
    reached: (usd) => stop(reachedMaximumCost(usd, maxCost)),
    prices: usEast1Prices,
  });
}
