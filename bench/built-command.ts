// Runs dyno-load as a user does: the package as built, in a process of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'dist', 'bin', 'dyno-load.js');

// Tells on a pipe of its own what the process has taken when it ends.
const tellCpu =
  'data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>' +
  '{const{user,system}=process.cpuUsage();writeSync(3,String(user+system))})';

interface BuiltRun {
  readonly stdout: string;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** Runs a scenario of the package; throws where that fails. */
export function runBuilt(scenario: string, ...options: readonly string[]): BuiltRun {
  if (!existsSync(command)) throw new Error('there is no built package: npm run build makes it');
  const folder = mkdtempSync(join(tmpdir(), 'dyno-load-bench-'));
  try {
    const startMs = performance.now();
    const parameters = ['--import', tellCpu, command, 'run', scenario, '--out', folder, ...options];
    const { status, output } = spawnSync(process.execPath, parameters, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const wallSeconds = (performance.now() - startMs) / 1_000;
    if (status !== 0) throw new Error(`${scenario} ended with ${status}: ${output[2]}`);
    return { stdout: output[1] ?? '', wallSeconds, cpuSeconds: Number(output[3]) / 1_000_000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
