// `dyno-load run`: scenario file → plans → every variant against the target → run folder and report → exit code.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { MeasuredVariant } from '../../analysis/analyze-run.ts';
import { type GoalGate, statusWithGates } from '../../analysis/compare-gate.ts';
import { exitCodeOf } from '../../analysis/exit-code.ts';
import { redactKeys } from '../../analysis/redact-keys.ts';
import type { RunResult } from '../../analysis/run-result.ts';
import { processScheduler } from '../../clock.ts';
import { ProcessHealthProbe } from '../../engine/generator-health.ts';
import { DynoLoadError } from '../../errors.ts';
import type { RunEnd } from '../../experiment/run-parts.ts';
import { ScenarioRun } from '../../experiment/run-scenario.ts';
import { plannedOperations } from '../../scenario/run-size.ts';
import { type Baseline, holdAgainst, readBaseline, tellResult } from '../baseline.ts';
import { crewFor, type CrewRequest, workersFor } from '../crew-of-run.ts';
import { tellEarlySignals } from '../early-signals.ts';
import { errorText } from '../error-text.ts';
import { HeapGrowth } from '../heap-growth.ts';
import type { Io } from '../io.ts';
import { isObserved, refuseLiveOptions } from '../live/live-options.ts';
import type { LiveWorld } from '../live/open-live-target.ts';
import { gateOf, modelOfRun, planScenario } from '../plan-run.ts';
import { liveProvider, simulatedProvider } from '../open-provider.ts';
import type { Compared } from '../print-comparison.ts';
import { printResult } from '../print-result.ts';
import { tellMemory } from '../memory-of-run.ts';
import { ProgressLine, whilePlanning } from '../progress.ts';
import { writeReport } from '../publish.ts';
import { renderRun } from '../report-format.ts';
import { resolveScenario } from '../resolve-scenario.ts';
import { RunFolder } from '../run-folder.ts';
import { frameOf } from '../run-frame.ts';
import { type RunOptions, SIMULATED } from '../run-options.ts';
import { RunSession } from '../run-session.ts';
import { SegmentFiles } from '../segment-files.ts';

const BASE_36 = 36;

/** How long a run that was stopped waits for its target before its report is printed. */
const PATIENCE_MS = 400;

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
  const facts = { wallClock: !isSimulated, tableSuffix };
  const planned = await whilePlanning(io, (progress) =>
    planScenario(scenario, options, { ...facts, progress }),
  );
  tellMemory(planned.plans, { ...options, file: scenario.shownPath }, io);
  const gate = gateOf(options, planned.plans);
  const baseline = await readBaseline(options, planned.plans, io);
  const workers = isSimulated ? undefined : workersFor(planned.plans, options);
  const stop: { run?: ScenarioRun } = {};
  const { provider, crew, folder } = await open({
    command: { options, io, world },
    isSimulated,
    planned,
    scenario,
    workers,
    tableSuffix,
    startedAt,
    refuse: (error) => stop.run?.stop(error),
  });
  const progress = new ProgressLine(io, planned.plans.length, isSimulated);
  const firstStart = planned.plans[0]?.startsAtMs ?? 0;
  const segments = new SegmentFiles({
    folder: folder.path,
    startMs: isSimulated ? () => firstStart : Date.now,
  });
  const heap = new HeapGrowth(plannedOperations(planned.plans));
  const session = new RunSession({
    folder,
    segments,
    progress,
    io,
    leftBehind: () => provider.leftBehind?.() ?? [],
  });
  const run = (stop.run = new ScenarioRun({
    plans: planned.plans,
    frame: frameOf(scenario, planned, options, { startedAt, tableSuffix, workers }),
    provider,
    ...(crew === undefined ? {} : { crew }),
    probe: new ProcessHealthProbe(),
    analysis: { gate, gateOnShadow: options.shadowCapacity === 'gate' },
    model: isSimulated || options.shadowCapacity ? modelOfRun(options, planned) : undefined,
    turn: () => new Promise((resolve) => processScheduler.soon(resolve)),
    listener: session,
    segments: (line) => {
      heap.look();
      segments.write(line);
    },
    ...(isSimulated ? {} : { repetition: repetitionOf(options), patience }),
    ...(options.redactKeys ? { redact: (variant: MeasuredVariant) => redactKeys(variant, shortHash) } : {}),
    timeOfDay: () => new Date().toISOString(),
  }));
  endStartUp();
  const end = await session.watch(run);
  return conclude(end, { folder, session, baseline, options, io });
}

interface Opening extends Pick<CrewRequest, 'planned' | 'scenario' | 'workers' | 'tableSuffix'> {
  readonly command: Pick<Command, 'options' | 'io' | 'world'>;
  readonly isSimulated: boolean;
  readonly startedAt: Date;
  /** Ends the run. */
  readonly refuse: (error: DynoLoadError) => void;
}

/** Target, workers and folder of a run. Where one of them cannot be opened, those before it are closed. */
async function open({ command, isSimulated, startedAt, refuse, ...crewParts }: Opening) {
  const { options, io, world } = command;
  const { planned, scenario } = crewParts;
  const provider = isSimulated
    ? simulatedProvider(options, planned)
    : await liveProvider({ ...command, planned, refuse });
  const crew = await crewFor({ ...crewParts, provider, options, io, world });
  try {
    return { provider, crew, folder: await RunFolder.create(options.out, scenario.name, startedAt) };
  } catch (error) {
    // Threads, connections and a server of our own would keep the process alive.
    await crew?.close();
    await provider.close();
    throw error;
  }
}

interface Conclusion extends Pick<Command, 'options' | 'io'> {
  readonly folder: RunFolder;
  readonly session: RunSession;
  readonly baseline: Baseline | undefined;
}

/** Tells what a run came to, by all ways that were asked for. @returns the exit code */
async function conclude(
  end: RunEnd,
  { folder, session, baseline, options, io }: Conclusion,
): Promise<number> {
  printResult(end.result, { json: options.json, record: folder.recordOf(end.result, io.cwd) }, io);
  // What ended the run early; what was measured until then stands above it.
  if (end.error instanceof DynoLoadError) io.err(`${errorText(end.error)}\n`);
  session.tellUnwritten(end.result);
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
