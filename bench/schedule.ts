// How late the wall clock fires and how late requests are written, at steady rates, and what that costs in
// processor time. The engine, its clock and the lean client run in this process, the sink in another. A busy
// loop that does nothing but look at the time says how late the machine itself makes any program: no schedule
// can be kept better than that. Run with: npm run bench -- schedule
import { quietNodeVersionWarning } from '../src/aws/node-version-warning.ts';
import { SystemClock } from '../src/clock.ts';
import { VariantRun } from '../src/engine/run-variant.ts';
import type { Target } from '../src/engine/target.ts';
import type { RunPlan } from '../src/scenario/run-plan.ts';
import { LatencyHistogram } from '../src/stats/histogram.ts';
import { US_PER_MS, US_PER_SECOND } from '../src/units.ts';
import { perSecond, planOf, stagesOf } from '../test/support/plan-builder.ts';
import { type BenchRow, report } from './rows.ts';
import { leanTarget, putRequest, startSink } from './sink.ts';

const RATES_PER_SEC = [100, 1_000, 5_000];
const WARM_UP_SECONDS = 2;
const MEASURED_SECONDS = 8;
const CONNECTIONS = 128;
const BUSY_LOOP_SECONDS = 4;
const BUSY_LOOP_SPACING_US = 200;

interface Lag {
  readonly lag: LatencyHistogram;
  /** Processor time ÷ wall time. */
  readonly busyRatio: number;
}

/** From when each request was due to when it was written, after the warm-up. */
async function measureLag(url: string, ratePerSec: number): Promise<Lag> {
  const clock = new SystemClock();
  const client = leanTarget(url, () => clock.nowUs());
  await client.warmUp(CONNECTIONS);
  const lag = new LatencyHistogram();
  const spacingUs = US_PER_SECOND / ratePerSec;
  let cpu = process.cpuUsage();
  let startUs = 0;
  const target: Target = {
    send: (request, sentUs, done) => {
      client.send(request, sentUs, done);
      const dueUs = request.sequence * spacingUs;
      if (dueUs < WARM_UP_SECONDS * US_PER_SECOND) return;
      if (startUs === 0) {
        cpu = process.cpuUsage();
        startUs = clock.nowUs();
      }
      lag.record(clock.nowUs() - dueUs);
    },
  };
  await new VariantRun(steadyPlan(ratePerSec), clock, target).run();
  const { user, system } = process.cpuUsage(cpu);
  const busyRatio = (user + system) / (clock.nowUs() - startUs);
  if (client.counters.waited > 0 || client.counters.resent > 0)
    throw new Error('requests waited for connections');
  client.close();
  return { lag, busyRatio };
}

/**
 * How late a loop that only looks at the time sees each of 5,000 moments a second: time that others had the
 * processor.
 */
function machineLag(): LatencyHistogram {
  const lag = new LatencyHistogram();
  const startUs = performance.now() * US_PER_MS;
  for (let dueUs = 0; dueUs < BUSY_LOOP_SECONDS * US_PER_SECOND; ) {
    const nowUs = performance.now() * US_PER_MS - startUs;
    for (; dueUs <= nowUs; dueUs += BUSY_LOOP_SPACING_US) lag.record(Math.round(nowUs - dueUs));
  }
  return lag;
}

function steadyPlan(ratePerSec: number): RunPlan {
  return planOf({
    stages: stagesOf({ seconds: WARM_UP_SECONDS + MEASURED_SECONDS }),
    workloads: [{ load: perSecond(ratePerSec), next: () => ({ kind: 'request', request: putRequest }) }],
  });
}

quietNodeVersionWarning();
const sink = await startSink();
const machine = machineLag();
const rows: BenchRow[] = [
  { what: 'the machine alone (a busy loop), p99', value: machine.quantile(0.99) / US_PER_MS, unit: 'ms' },
  { what: 'the machine alone (a busy loop), max', value: machine.maxUs / US_PER_MS, unit: 'ms' },
];
for (const ratePerSec of RATES_PER_SEC) {
  const { lag, busyRatio } = await measureLag(sink.url, ratePerSec);
  const at = `at ${ratePerSec.toLocaleString('en')}/s`;
  const lagMs = (quantile: number): number => lag.quantile(quantile) / US_PER_MS;
  const bar = ratePerSec === 5_000 ? { bar: { kind: 'at most', value: 2 } as const } : {};
  rows.push(
    { what: `due to written ${at}, p50`, value: lagMs(0.5), unit: 'ms' },
    { what: `due to written ${at}, p99`, value: lagMs(0.99), unit: 'ms', ...bar },
    { what: `due to written ${at}, max`, value: lag.maxUs / US_PER_MS, unit: 'ms' },
    { what: `processor in use ${at}`, value: busyRatio * 100, unit: '%' },
  );
}
sink.stop();
report('Schedule on the wall clock: generator in one process, sink in another', rows);
