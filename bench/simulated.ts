// How many planned operations of simulated runs one CPU-second of the engine pays for, recording included: the scenario on sharding that
// ships, and bare puts. Each run is the command as a user starts it, in a process of its own.
// Run with: node --import jiti/register bench/simulated.ts
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRunResult } from '../src/analysis/run-schema.ts';
import { type BenchRow, median, report } from './rows.ts';

const ROUNDS = 3;
const root = fileURLToPath(new URL('..', import.meta.url));

/** Operations of all variants ÷ CPU-seconds of their load. */
function measure(scenario: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-load-bench-'));
  try {
    const parameters = ['bin/dyno-load.ts', 'run', scenario, '--json', '--out', folder];
    const command = ['--import', 'jiti/register', ...parameters];
    const { stdout, stderr } = spawnSync(process.execPath, command, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    if (stdout === '') throw new Error(`${scenario} did not run: ${stderr}`);
    const { variants } = parseRunResult(JSON.parse(stdout));
    let operations = 0;
    let cpuSeconds = 0;
    for (const { generatorHealth: health } of variants) {
      operations += health.operationsPerCpuSecond * health.cpuSeconds;
      cpuSeconds += health.cpuSeconds;
    }
    return operations / cpuSeconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(what: string, scenario: string, atLeast: number): BenchRow {
  const rates = Array.from({ length: ROUNDS }, () => measure(scenario));
  return { what, value: median(rates), unit: '/CPU-s', bar: { kind: 'at least', value: atLeast } };
}

report(`Simulated operations per CPU-second of the engine, median of ${ROUNDS}`, [
  row('sharding.ts', 'scenarios/sharding.ts', 100_000),
  row('bare puts', 'bench/bare-puts.ts', 200_000),
]);
