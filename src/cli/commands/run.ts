// `dyno-load run`: scenario file → plans → every variant against the target → run folder and report → exit code.
import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { getHeapStatistics } from 'node:v8';
import { type GoalGate, statusWithGates } from '../../analysis/compare-gate.ts';
import { exitCodeOf } from '../../analysis/exit-code.ts';
import type { RunResult } from '../../analysis/run-result.ts';
import { RUN_SCHEMA_VERSION } from '../../analysis/run-result.ts';
import { capacityModels, type ModelPreset } from '../../capacity/capacity-model.ts';
import { processScheduler } from '../../clock.ts';
import { ProcessHealthProbe } from '../../engine/generator-health.ts';
import { SimulatedProvider } from '../../engine/simulated-provider.ts';
import type { TargetProvider } from '../../engine/target.ts';
import type { MeasuredVariant } from '../../analysis/analyze-run.ts';
import { redactKeys } from '../../analysis/redact-keys.ts';
import { DynoLoadError } from '../../errors.ts';
import { type RunEnd, type RunFrame, ScenarioRun } from '../../experiment/run-scenario.ts';
import { tryOperations } from '../../experiment/try-operations.ts';
import { checkOperations } from '../../scenario/check-operations.ts';
import type { SetParameter } from '../../scenario/parameters.ts';
import { type PlannedRuns, planRuns } from '../../scenario/plan.ts';
import type { RunPlan } from '../../scenario/run-plan.ts';
import { validateScenario } from '../../scenario/validate.ts';
import { wholeMinuteStages } from '../../scenario/whole-minutes.ts';
import { type BaselineOptions, holdAgainst, readBaseline, tellResult } from '../baseline.ts';
import { tellEarlySignals } from '../early-signals.ts';
import { errorText } from '../error-text.ts';
import type { Io } from '../io.ts';
import { isObserved, type LiveOptions, refuseLiveOptions } from '../live/live-options.ts';
import type { LiveRequest, LiveWorld } from '../live/open-live-target.ts';
import { loadScenario } from '../load-scenario.ts';
import { packageVersion, sdkVersion } from '../package-version.ts';
import type { Compared } from '../print-comparison.ts';
import { printResult } from '../print-result.ts';
import { ProgressLine } from '../progress.ts';
import { writeReport } from '../publish.ts';
import { renderRun } from '../report-format.ts';
import { visibleText } from '../../report/visible-text.ts';
import { resolveScenario, type ScenarioFile } from '../resolve-scenario.ts';
import { RunFolder } from '../run-folder.ts';
import { SegmentFiles } from '../segment-files.ts';

export interface RunOptions extends BaselineOptions, LiveOptions {
  readonly target?: string;
  readonly set: readonly SetParameter[];
  /** Length of each measured stage, µs. */
  readonly duration?: number;
  readonly rateFactor?: number;
  readonly seed?: number;
  readonly preset: ModelPreset;
  /** true: all variants; names: those. */
  readonly gate?: boolean | readonly string[];
  /** Where to write an HTML report; true: in the folder of the run. */
  readonly html?: string | true;
  readonly json?: boolean;
  readonly out: string;
  /** Runs of each variant on a wall clock. */
  readonly repeat?: number;
  /** false: nothing runs before the first variant. */
  readonly discard: boolean;
  /** Shadow a live target with the capacity model; `gate`: judge throttling goals by it. */
  readonly shadowCapacity?: true | 'gate';
}

const SIMULATED = 'simulated';
/** The simulated table behind the wire protocol, in this process. */
const SERVED = 'serve';
const BASE_36 = 36;

/** How long a run that was stopped waits for its target before its report is printed. */
const PATIENCE_MS = 400;

/** How long deleting may take after that report. */
const LONGEST_CLEAN_UP_MS = 3_000;

/** Runs a scenario. @returns the exit code; errors before load starts are thrown as DynoLoadError */
export async function runCommand(
  scenarioName: string,
  options: RunOptions,
  io: Io,
  world: LiveWorld = {},
): Promise<number> {
  const endStartUp = tellEarlySignals(io);
  try {
    return await runScenario({ scenarioName, options, io, world, endStartUp });
  } finally {
    endStartUp();
  }
}

interface Command {
  readonly scenarioName: string;
  readonly options: RunOptions;
  readonly io: Io;
  readonly world: LiveWorld;
  /** To be called once signals are minded by the run itself. */
  readonly endStartUp: () => void;
}

async function runScenario({ scenarioName, options, io, world, endStartUp }: Command): Promise<number> {
  const startedAt = new Date();
  const isSimulated = options.target === undefined || options.target === SIMULATED;
  if (isSimulated) {
    refuseRepeats(options);
    refuseLiveOptions(options);
  }
  const tableSuffix = isSimulated ? '' : startedAt.getTime().toString(BASE_36);
  const scenario = await resolveScenario(scenarioName, io.cwd);
  const planned = await planScenario(scenario, options, { wallClock: !isSimulated, tableSuffix });
  const gate = gateOf(options, planned.plans);
  const baseline = await readBaseline(options, planned.plans, io);
  const stop: { run?: ScenarioRun } = {};
  const provider = isSimulated
    ? simulated(options)
    : await live({ options, planned, io, world, refuse: (error) => stop.run?.stop(error) });
  const folder = await RunFolder.create(options.out, scenario.name, startedAt);
  const progress = new ProgressLine(io, planned.plans.length, isSimulated);
  const firstStart = planned.plans[0]?.startsAtMs ?? 0;
  const segments = new SegmentFiles({
    folder: folder.path,
    startMs: isSimulated ? () => firstStart : Date.now,
  });
  const session = new RunSession({
    folder,
    segments,
    progress,
    io,
    leftBehind: () => provider.leftBehind?.() ?? [],
  });
  const run = (stop.run = new ScenarioRun({
    plans: planned.plans,
    frame: frameOf(scenario, planned, options, { startedAt, tableSuffix }),
    provider,
    probe: new ProcessHealthProbe(),
    analysis: { gate, gateOnShadow: options.shadowCapacity === 'gate' },
    model: isSimulated || options.shadowCapacity ? capacityModels[options.preset] : undefined,
    turn: () => new Promise((resolve) => processScheduler.soon(resolve)),
    listener: session,
    segments: segments.write,
    ...(isSimulated ? {} : { repetition: repetitionOf(options), patience }),
    ...(options.redactKeys ? { redact: (variant: MeasuredVariant) => redactKeys(variant, shortHash) } : {}),
    timeOfDay: () => new Date().toISOString(),
  }));
  endStartUp();
  const end = await session.watch(run);
  printResult(end.result, { json: options.json, folder: folder.shownFrom(io.cwd) }, io);
  // What ended the run early; what was measured until then stands above it.
  if (end.error instanceof DynoLoadError) io.err(`${errorText(end.error)}\n`);
  session.tellUnwritten();
  const isCleanedUp = await session.cleanUp(end);
  const compared = holdAgainst(baseline, end.result);
  const areGoalsGated = options.gate !== undefined;
  await tellResult(end.result, compared, { ...options, areGoalsGated }, io);
  await writePage(end.result, options, folder, io);
  const code = endCode(end, compared, { session, areGoalsGated });
  // A request that hangs would keep the process alive.
  return isCleanedUp ? code : io.exit(code);
}

/** Keeps no process alive that has nothing else to wait for. */
function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
}

/** The HTML report, where it was asked for: in the run's folder unless a file is named. */
async function writePage(result: RunResult, { html }: RunOptions, folder: RunFolder, io: Io): Promise<void> {
  if (html === undefined) return;
  const path = html === true ? join(folder.shownFrom(io.cwd), 'report.html') : html;
  await writeReport(path, await renderRun(result, 'html'));
  io.err(`HTML report: ${path}\n`);
}

/** Loads, validates and plans, and checks sample operations: what can be known before anything is touched. */
async function planScenario(
  { path, name, shownPath }: ScenarioFile,
  options: RunOptions,
  { wallClock, tableSuffix }: { wallClock: boolean; tableSuffix: string },
): Promise<PlannedRuns & { readonly notes: readonly string[] }> {
  const valid = validateScenario(await loadScenario(path, { shownPath }), { file: shownPath });
  // CloudWatch sums by the minute: stages that are to be held against it fill whole ones.
  const { stages, notes } = isObserved(options)
    ? wholeMinuteStages(valid.stages, options.duration)
    : { stages: valid.stages, notes: [] };
  const planned = planRuns(
    { ...valid, stages },
    {
      scenarioName: name,
      setParameters: options.set,
      wallClock,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.duration === undefined || isObserved(options)
        ? {}
        : { measuredDurationUs: options.duration }),
      ...(options.rateFactor === undefined ? {} : { rateFactor: options.rateFactor }),
      ...(tableSuffix === '' ? {} : { tableSuffix }),
      ...(keepsItems(options) ? { memoryBytes: getHeapStatistics().heap_size_limit } : {}),
      ...(options.table === undefined ? {} : { existingTable: options.table }),
    },
  );
  await checkOperations(planned.plans, { file: shownPath });
  tryOperations(planned.plans, { file: shownPath, model: capacityModels[options.preset] });
  const plans =
    options.preload === false ? planned.plans.map((plan) => ({ ...plan, preloads: [] })) : planned.plans;
  return { ...planned, plans, notes };
}

/** Whether the table lies in this process. */
function keepsItems({ target, preload }: RunOptions): boolean {
  return (target === undefined || target === SIMULATED || target === SERVED) && preload !== false;
}

/** Where minutes are waited for anyhow, and where it would leave traces in a table that stays, nothing is discarded. */
function repetitionOf(options: RunOptions): { readonly repeats: number; readonly discardsFirst: boolean } {
  const discardsFirst = options.discard && !isObserved(options) && options.table === undefined;
  return { repeats: options.repeat ?? 1, discardsFirst };
}

/** A short text that tells keys apart and is the same in every run. */
function shortHash(key: string): string {
  return `key-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}

function refuseRepeats({ repeat = 1 }: RunOptions): void {
  if (repeat === 1) return;
  throw new DynoLoadError('USAGE', {
    what: `--repeat ${repeat} on the simulated table`,
    why: 'equal seeds give equal figures there, so a second run would tell nothing new',
    fix: 'leave --repeat out, run with other values of --seed, or name a --target that runs on a wall clock',
  });
}

function gateOf({ gate }: RunOptions, plans: readonly RunPlan[]): boolean | readonly string[] {
  if (gate === undefined || typeof gate === 'boolean') return gate ?? false;
  const names = plans.map((plan) => plan.variant.name);
  const unknown = gate.filter((name) => !names.includes(name));
  if (unknown.length === 0) return gate;
  throw new DynoLoadError('USAGE', {
    what: `--gate names ${unknown.map((name) => `"${name}"`).join(', ')}, and there is no such variant`,
    why: `the variants of this run are ${names.map((name) => `"${name}"`).join(', ')}`,
    fix: 'give --gate alone for all variants, or names as above, each in quotes if it has spaces',
  });
}

function simulated({ preset }: RunOptions): TargetProvider {
  return new SimulatedProvider(capacityModels[preset], processScheduler);
}

interface LiveParts extends Pick<LiveRequest, 'io' | 'world' | 'refuse'> {
  readonly options: RunOptions;
  readonly planned: PlannedRuns & { readonly notes: readonly string[] };
}

async function live({ options, planned, ...parts }: LiveParts): Promise<TargetProvider> {
  const { target = '', preset, seed, region = 'us-east-1' } = options;
  // The AWS SDK takes longer to load than a simulated run takes to start: it is loaded for live targets only.
  const { openLiveTarget } = await import('../live/open-live-target.ts');
  const connect = (url: string) =>
    openLiveTarget({
      ...parts,
      target: url,
      options,
      plans: planned.plans,
      notes: planned.notes,
      repeats: options.repeat ?? 1,
    });
  if (target !== SERVED) return connect(target);
  const { ServedProvider } = await import('../served-provider.ts');
  const model = capacityModels[preset];
  const server = { model, region, version: packageVersion(), ...(seed === undefined ? {} : { seed }) };
  return ServedProvider.start(server, connect);
}

function frameOf(
  scenario: ScenarioFile,
  { question, plans }: PlannedRuns,
  options: RunOptions,
  { startedAt, tableSuffix }: { startedAt: Date; tableSuffix: string },
): RunFrame {
  const first = plans[0] as RunPlan;
  return {
    schemaVersion: RUN_SCHEMA_VERSION,
    tool: { name: 'dyno-load', version: packageVersion() },
    scenario: {
      name: scenario.name,
      question,
      seed: first.seed,
      startsAt: new Date(first.startsAtMs).toISOString(),
      parameters: parameterValues(plans),
      stages: first.stages.map(({ name, startUs, endUs, isMeasured, rateFactor }) => ({
        name,
        durationUs: endUs - startUs,
        isMeasured,
        rateFactor,
      })),
      goals: [...new Set(plans.flatMap((plan) => plan.goals.map((goal) => goal.text)))],
      rateFactor: options.rateFactor ?? 1,
    },
    environment: {
      startedAt: startedAt.toISOString(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cpuCount: cpus().length,
      sdkVersion: sdkVersion(),
      tableNameSuffix: tableSuffix === '' ? null : tableSuffix,
    },
  };
}

/** Values by parameter, in the order in which variants use them. */
function parameterValues(plans: readonly RunPlan[]): RunResult['scenario']['parameters'] {
  // Names are the user's: in a plain object `constructor` would be there already.
  const values = new Map<string, (string | number | boolean)[]>();
  for (const { variant } of plans) {
    for (const [name, value] of Object.entries(variant.parameters)) {
      const known = values.get(name) ?? [];
      if (!known.includes(value)) known.push(value);
      values.set(name, known);
    }
  }
  return Object.fromEntries(values);
}

function endCode(
  { result, error }: RunEnd,
  compared: readonly Compared[],
  { session, areGoalsGated }: { readonly session: RunSession } & GoalGate,
): number {
  const { signal, unwritten } = session;
  if (error !== undefined && !(error instanceof DynoLoadError)) throw error;
  const gates = compared.map(({ gate }) => gate);
  const status = statusWithGates(result, gates, { areGoalsGated });
  const errors = [error, unwritten].filter((one) => one !== undefined).map(({ code }) => code);
  return exitCodeOf({ signal, errors, verdict: { status } });
}

interface SessionParts {
  readonly folder: RunFolder;
  readonly segments: SegmentFiles;
  readonly progress: ProgressLine;
  readonly io: Io;
  /** What would stay on the target if the process ended now. */
  readonly leftBehind: () => readonly string[];
}

/** The outer life of one run: its folder, its progress line, and the signals that end it early. */
class RunSession {
  readonly #io: Io;
  readonly #folder: RunFolder;
  readonly #segments: SegmentFiles;
  readonly #progress: ProgressLine;
  readonly #leftBehind: () => readonly string[];
  #unwatch: () => void = () => undefined;
  signal: 'SIGINT' | 'SIGTERM' | null = null;
  /** The first file of the run that could not be written. The run goes on: its report is still printed. */
  unwritten: DynoLoadError | undefined;

  constructor({ folder, segments, progress, io, leftBehind }: SessionParts) {
    this.#io = io;
    this.#folder = folder;
    this.#segments = segments;
    this.#progress = progress;
    this.#leftBehind = leftBehind;
  }

  preparing: ProgressLine['preparing'] = (plan, state, part) => this.#progress.preparing(plan, state, part);

  running: ProgressLine['running'] = (plan, progress, part) => this.#progress.running(plan, progress, part);

  async recorded(result: RunResult): Promise<void> {
    try {
      await this.#folder.write(result);
    } catch (error) {
      if (!(error instanceof DynoLoadError)) throw error;
      this.unwritten ??= error;
    }
  }

  /** Runs it; signals are minded until `cleanUp` is over. */
  async watch(run: ScenarioRun): Promise<RunEnd> {
    this.#unwatch = this.#io.onSignal((signal) => this.#interrupted(run, signal));
    try {
      const end = await run.run();
      await this.recorded(end.result);
      const failure = await this.#segments.finish();
      if (failure !== undefined) this.unwritten ??= this.#folder.unwritable(failure);
      return end;
    } finally {
      this.#progress.stop();
    }
  }

  /** What could not be written, and what is on the disk nevertheless. */
  tellUnwritten(): void {
    if (this.unwritten === undefined) return;
    this.#io.err(`${errorText(this.unwritten)}\n${visibleText(this.#folder.contents(this.#io.cwd))}\n`);
  }

  /** Waits for what a stopped run left to be deleted, and tells what stays. @returns whether it came to its end */
  async cleanUp({ cleanedUp }: RunEnd): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, LONGEST_CLEAN_UP_MS, false);
    });
    const isOver = await Promise.race([cleanedUp.then(() => true), limit]);
    clearTimeout(timer);
    this.#tellLeftBehind();
    this.#unwatch();
    return isOver;
  }

  #tellLeftBehind(): void {
    for (const line of this.#leftBehind()) this.#io.err(`${visibleText(line)}\n`);
  }

  /** The first signal ends the run with a report; a second one ends the process, with what is known written down. */
  #interrupted(run: ScenarioRun, signal: 'SIGINT' | 'SIGTERM'): void {
    if (this.signal !== null) {
      this.#writeNow(run.record());
      this.#tellLeftBehind();
      this.#io.err(`${visibleText(this.#folder.contents(this.#io.cwd))}\n`);
      this.#io.exit(exitCodeOf({ signal: this.signal, errors: [], verdict: null }));
    }
    this.signal = signal;
    run.interrupt();
  }

  /** Whatever becomes of it, the process ends. */
  #writeNow(result: RunResult): void {
    try {
      this.#folder.writeNow(result);
    } catch (error) {
      if (!(error instanceof DynoLoadError)) throw error;
      this.#io.err(`${errorText(error)}\n`);
    }
  }
}
