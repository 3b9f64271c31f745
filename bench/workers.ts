// What more threads add: a closed loop against the sink, made by one worker and by two, through the whole of
// `src/workers`. The sink is one process more: where there are only two cores, two workers and the sink share
// them, and the processor time of an operation says more than the rate. Run with: node --import jiti/register
// bench/workers.ts
import { availableParallelism } from 'node:os';
import { quietNodeVersionWarning } from '../src/aws/node-version-warning.ts';
import { threadTargetSettings } from '../src/aws/thread-target.ts';
import { processScheduler, sharedOffsetMs, SystemClock } from '../src/clock.ts';
import { ProcessHealthProbe } from '../src/engine/generator-health.ts';
import type { TargetSession } from '../src/engine/target.ts';
import { US_PER_SECOND } from '../src/units.ts';
import { digestPlan } from '../src/workers/plan-digest.ts';
import { WorkerCrew } from '../src/workers/worker-crew.ts';
import { startThread } from '../src/workers/worker-threads.ts';
import { nothingObserved } from '../test/support/observation.ts';
import { plainTable } from '../test/support/plan-builder.ts';
import { median, report } from './rows.ts';
import { endpointAt, startSink } from './sink.ts';
import { closedPlan } from './workers-plan.ts';

const ROUNDS = 3;

interface Round {
  readonly perSecond: number;
  /** Processor time of an operation over all threads, µs. */
  readonly cpuUs: number;
}

async function measure(url: string, count: number): Promise<Round> {
  const entry = new URL('./workers-thread.ts', import.meta.url);
  const crew = await WorkerCrew.start({
    members: Array.from({ length: count }, (_, index) => startThread(entry, { index, count })),
    plans: [closedPlan],
    digests: [digestPlan(closedPlan)],
    probe: new ProcessHealthProbe(),
    time: { ...processScheduler, sharedOffsetMs: sharedOffsetMs() },
  });
  const load = crew.open({ plan: closedPlan, session: sessionAt(url), isDiscarded: false });
  await load.setUp();
  const { recorders, error, reachedUs } = await load.run();
  if (error !== undefined) throw error;
  const stages = recorders[0]?.stages ?? [];
  const all = stages.reduce((sum, { finished }) => sum + finished, 0);
  const { cpuSeconds } = load.known().readings;
  await crew.close();
  return { perSecond: all / (reachedUs / US_PER_SECOND), cpuUs: (cpuSeconds * US_PER_SECOND) / all };
}

/** A session of which only the threads send. */
function sessionAt(url: string): TargetSession {
  const settings = threadTargetSettings(endpointAt(url), {
    accounting: 'INDEXES',
    tables: [plainTable],
    writable: ['bench'],
    attemptTimeoutMs: 10_000,
    isTallied: false,
  });
  return {
    target: { send: () => undefined },
    clock: new SystemClock(),
    knowsHeat: false,
    threads: {
      settings: () => settings,
      renewed: () => undefined,
      consumed: () => undefined,
      refused: () => undefined,
      counted: () => undefined,
    },
    observe: () => nothingObserved,
    close: async () => undefined,
  };
}

quietNodeVersionWarning();
const sink = await startSink();
const [one, two]: [Round[], Round[]] = [[], []];
// In turns, so that a neighbour on this machine takes from both.
for (let round = 0; round < ROUNDS; round++) {
  one.push(await measure(sink.url, 1));
  two.push(await measure(sink.url, 2));
}
sink.stop();
const middle = (rounds: readonly Round[], pick: (round: Round) => number) => median(rounds.map(pick));
const [rateOfOne, rateOfTwo] = [one, two].map((rounds) => middle(rounds, (round) => round.perSecond));
const [cpuOfOne, cpuOfTwo] = [one, two].map((rounds) => middle(rounds, (round) => round.cpuUs));
report(`workers, on ${availableParallelism()} cores with the sink`, [
  { what: 'operations a second with one worker', value: rateOfOne ?? 0, unit: '/s' },
  { what: 'operations a second with two', value: rateOfTwo ?? 0, unit: '/s' },
  { what: 'the rate of two ÷ that of one', value: (rateOfTwo ?? 0) / (rateOfOne ?? 1), unit: '×' },
  { what: 'processor time of an operation with one', value: cpuOfOne ?? 0, unit: 'µs' },
  { what: 'with two ÷ with one', value: (cpuOfTwo ?? 0) / (cpuOfOne ?? 1), unit: '×' },
]);
