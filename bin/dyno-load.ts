#!/usr/bin/env node
import process from 'node:process';
import { tellEarlySignals } from '../src/cli/early-signals.ts';
import { realIo } from '../src/cli/io.ts';

// Whoever read the output (head, a pager) may be gone before it ends: the command does the rest of its work
// all the same.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

// Loading takes a moment, in which a signal should end the command as it does later.
const endLoading = tellEarlySignals(realIo);
const { main } = await import('../src/cli/main.ts');
endLoading();

process.exitCode = await main(process.argv.slice(2), realIo);

// A timer or a connection that the scenario's own code left open would hold the process for ever.
const LONGEST_LINGERING_MS = 500;
for (const stream of [process.stdout, process.stderr])
  await new Promise<void>((resolve) => void stream.write('', () => resolve()));
setTimeout(() => process.exit(), LONGEST_LINGERING_MS).unref();
