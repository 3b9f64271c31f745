// How many planned operations of simulated runs one CPU-second of the engine pays for, recording included:
// the scenario on sharding that ships, and bare puts. Each run is the command as a user starts it, in a
// process of its own. Run with: npm run build && node --import jiti/register bench/simulated.ts
import { parseRunResult } from '../src/analysis/run-schema.ts';
import { runBuilt } from './built-command.ts';
import { type BenchRow, median, report } from './rows.ts';

const ROUNDS = 3;

/** Operations of all variants ÷ CPU-seconds of their load. */
function measure(scenario: string): number {
  const { variants } = parseRunResult(JSON.parse(runBuilt(scenario, '--json').stdout));
  let operations = 0;
  let cpuSeconds = 0;
  for (const { generatorHealth: health } of variants) {
    operations += health.operationsPerCpuSecond * health.cpuSeconds;
    cpuSeconds += health.cpuSeconds;
  }
  return operations / cpuSeconds;
}

function row(what: string, scenario: string, atLeast: number): BenchRow {
  const rates = Array.from({ length: ROUNDS }, () => measure(scenario));
  return { what, value: median(rates), unit: '/CPU-s', bar: { kind: 'at least', value: atLeast } };
}

report(`Simulated operations per CPU-second of the engine, median of ${ROUNDS}`, [
  row('sharding.ts', 'scenarios/sharding.ts', 100_000),
  row('bare puts', 'bench/bare-puts.ts', 200_000),
]);
