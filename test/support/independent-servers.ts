// DynamoDB-compatible servers by other people, as child processes on free loopback ports: what our own code
// has no part in.
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

/** A server under test. `stop` ends its process and resolves when it is gone. */
export interface IndependentServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;
const require = createRequire(import.meta.url);

/** dynalite, in memory; tables become ready at once. */
export async function startDynalite(): Promise<IndependentServer> {
  const script = join(dirname(require.resolve('dynalite/package.json')), 'cli.js');
  const quick = ['--createTableMs', '5', '--deleteTableMs', '5', '--updateTableMs', '5'];
  return start((port) => [process.execPath, script, '--host', '127.0.0.1', '--port', `${port}`, ...quick]);
}

/** Dynoxide, in memory; or why it cannot run here. */
export async function startDynoxide(): Promise<IndependentServer | { readonly unavailable: string }> {
  const binary = dynoxideBinary();
  if (binary === undefined)
    return { unavailable: `Dynoxide has no build installed for ${process.platform}-${process.arch}` };
  return start((port) => [binary, 'serve', '--host', '127.0.0.1', '--port', `${port}`]);
}

function dynoxideBinary(): string | undefined {
  try {
    const folder = dirname(require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`));
    return join(folder, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    return undefined; // An optional dependency: npm leaves it out where there is no build.
  }
}

async function start(commandFor: (port: number) => readonly string[]): Promise<IndependentServer> {
  const port = await freePort();
  const [command, ...args] = commandFor(port);
  if (command === undefined) throw new Error('a server needs a command');
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-2_000);
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilAnswering(url, child);
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`${command} did not start: ${errors}`, { cause });
  }
  return { url, pid: child.pid ?? 0, stop: () => stop(child) };
}

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    if (Date.now() > deadlineMs) throw new Error(`no answer within ${START_TIMEOUT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await gone;
  clearTimeout(timer);
}
