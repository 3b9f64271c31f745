// The built command as users start it: a child process with arguments, a working folder and an environment of
// its own. Nothing of the developer's settings (AWS profiles, colours) reaches it unless a test says so.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseRunResult } from '../../src/analysis/run-schema.ts';
import type { RunResult, VariantResult, WorkloadResult } from '../../src/analysis/run-result.ts';

export const packageRoot = fileURLToPath(new URL('../../', import.meta.url));
const command = join(packageRoot, 'dist', 'bin', 'dyno-load.js');

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CliResult {
  /** null where a signal ended the process before it could choose. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `dyno-load` to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return new RunningCli(args, options).ended;
}

/** `dyno-load` while it runs. */
export class RunningCli {
  /** Resolves when the process is gone and its output complete. */
  readonly ended: Promise<CliResult>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[], { cwd, env = {} }: CliOptions) {
    this.#child = spawn(process.execPath, [command, ...args], {
      cwd,
      env: {
        ...inheritedEnvironment(),
        HOME: cwd,
        USERPROFILE: cwd,
        AWS_EC2_METADATA_DISABLED: 'true',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => void (this.#stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => void (this.#stderr += text));
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code) => resolve({ code, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  /** Of the process itself; 0 where it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /**
   * Resolves as soon as stderr (progress included) holds such a text.
   * @throws Error when the process ends without it
   */
  untilStderr(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#until(pattern, 'stderr', () => this.#stderr);
  }

  /** As `untilStderr`, for stdout. */
  untilStdout(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#until(pattern, 'stdout', () => this.#stdout);
  }

  async #until(pattern: RegExp, stream: 'stdout' | 'stderr', text: () => string): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(text());
      if (match !== null) return match;
      const isOver = await Promise.race([
        this.ended.then(() => true),
        new Promise<false>((resolve) => this.#child[stream].once('data', () => resolve(false))),
      ]);
      if (isOver && !pattern.test(text()))
        throw new Error(
          `dyno-load ended before it wrote ${pattern} to ${stream}:\n${this.#stdout}${this.#stderr}`,
        );
    }
  }
}

/** What a process needs to start at all, and nothing that changes what `dyno-load` does. */
function inheritedEnvironment(): Record<string, string> {
  const names = ['PATH', 'Path', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LANG'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** A folder of its own to run in. */
export async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'dyno-load-e2e-')));
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Folders of the runs of a scenario under `cwd`, oldest first, relative to it. */
export async function runFolders(cwd: string, scenario: string, out = 'reports'): Promise<readonly string[]> {
  const names = await readdir(join(cwd, out, scenario));
  return names.sort().map((name) => join(out, scenario, name));
}

/** The record of the only run of a scenario under `cwd`, checked by the published schema. */
export async function onlyRecord(cwd: string, scenario: string): Promise<RunResult> {
  const folders = await runFolders(cwd, scenario);
  if (folders.length !== 1) throw new Error(`expected one run of ${scenario}, found ${folders.length}`);
  return parseRunResult(JSON.parse(await readFile(join(cwd, folders[0] ?? '', 'run.json'), 'utf8')));
}

export function variantOf(result: RunResult, name: string): VariantResult {
  const variant = result.variants.find((one) => one.name === name);
  if (variant === undefined)
    throw new Error(`no variant ${name} among ${result.variants.map((one) => one.name).join(', ')}`);
  return variant;
}

export function workloadOf(variant: VariantResult, name: string): WorkloadResult {
  const workload = variant.workloads.find((one) => one.name === name);
  if (workload === undefined) throw new Error(`no workload ${name} in ${variant.name}`);
  return workload;
}
