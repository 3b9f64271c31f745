#!/usr/bin/env node
import process from 'node:process';
import { tellEarlySignals } from '../src/cli/early-signals.ts';
import { realIo } from '../src/cli/io.ts';

// Loading takes a moment, in which a signal should end the command as it does later.
const endLoading = tellEarlySignals(realIo);
const { main } = await import('../src/cli/main.ts');
endLoading();

process.exitCode = await main(process.argv.slice(2), realIo);
