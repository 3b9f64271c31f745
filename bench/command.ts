// How long a user waits for `dyno-load run scenarios/sharding.ts`, from the start of the process to its end, with the package as built.
// Wall-clock time: on a busy machine it says more about the machine. Run with: npm run build && node --import jiti/register bench/command.ts
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, report } from './rows.ts';

const ROUNDS = 5;
const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'dist', 'bin', 'dyno-load.js');

// Tells on a pipe of its own what the process has taken when it ends.
const tellCpu =
  'data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>' +
  '{const{user,system}=process.cpuUsage();writeSync(3,String(user+system))})';

interface Took {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

function runOnce(): Took {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-load-bench-'));
  try {
    const startMs = performance.now();
    const parameters = ['--import', tellCpu, command, 'run', 'scenarios/sharding.ts', '--out', folder];
    const { status, output } = spawnSync(process.execPath, parameters, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    const wallSeconds = (performance.now() - startMs) / 1_000;
    if (status !== 0) throw new Error(`the run ended with ${status}: ${output[2]}`);
    return { wallSeconds, cpuSeconds: Number(output[3]) / 1_000_000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!existsSync(command)) throw new Error('there is no built package: npm run build makes it');
const runs = Array.from({ length: ROUNDS }, runOnce);
report(`dyno-load run scenarios/sharding.ts, median of ${ROUNDS}`, [
  {
    what: 'from start to end',
    value: median(runs.map(({ wallSeconds }) => wallSeconds)),
    unit: 's',
    bar: { kind: 'at most', value: 10 },
  },
  { what: 'processor time of it', value: median(runs.map(({ cpuSeconds }) => cpuSeconds)), unit: 's' },
]);
