// The options of `dyno-load serve`, and what their values must look like.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type FaultRule, parseFaultRule } from '../../serve/faults/fault-rule.ts';
import { addModelOptions, type ModelOptions } from '../model-options.ts';
import { parseCount, parseDurationOption, parseFactor, parseFilled, parsePort } from '../options.ts';
import { ACCESS_KEY_ID, type KeyOptions, SECRET_ACCESS_KEY } from './access-keys.ts';

export interface ServeOptions extends ModelOptions, KeyOptions {
  readonly host: string;
  readonly port: number;
  readonly seed?: number;
  readonly throughputScale: number;
  /** `none`, `aws`, `modelled`, or a file. */
  readonly latency: string;
  readonly fault: readonly FaultRule[];
  readonly persist?: string;
  /** µs. */
  readonly persistEvery?: number;
}

/** Adds all of them. */
export function addServeOptions(command: Command): Command {
  command
    .option('--port <port>', 'port to listen on; 0 takes any free one', parsePort, 8_000)
    .addOption(
      new Option('--host <address>', 'address to listen on')
        .argParser(parseFilled)
        .default('127.0.0.1', 'this machine alone'),
    );
  addModelOptions(command);
  return command
    .option('--seed <number>', 'decides where keys fall, times and faults (default: 1)', parseCount)
    .option(
      '--throughput-scale <factor>',
      'multiplies every throughput limit, for machines that cannot drive the real ones',
      parseFactor,
      1,
    )
    .option(
      '--latency <aws|none|file>',
      'how long answers take: modelled as on AWS, no time, or as measured: .hlog of a run or JSON percentiles',
      'none',
    )
    .addOption(
      new Option(
        '--fault <kind:probability>',
        'make requests fail: latency=200ms:0.01, 5xx:0.001, throttle:0.05, partial:0.1, drop:0.01; for one operation or table: throttle:0.05@PutItem/orders; may be given again',
      )
        .argParser(parseFault)
        .default([], 'none'),
    )
    .option(
      '--persist <file>',
      'keep tables and items in a file: loaded at the start, saved as they change',
      parseFilled,
    )
    .option('--persist-every <time>', 'how often changes are saved (default: 10s)', parseDurationOption)
    .option(
      '--access-key-id <id>',
      `check signatures: the key id that requests must be signed with (or ${ACCESS_KEY_ID})`,
    )
    .option(
      '--secret-access-key <secret>',
      `its secret; others see it in the list of processes, so better set ${SECRET_ACCESS_KEY}`,
    )
    .option(
      '--credentials-file <file>',
      'check signatures: any key of a file like ~/.aws/credentials',
      parseFilled,
    );
}

function parseFault(text: string, before: readonly FaultRule[]): readonly FaultRule[] {
  const rule = parseFaultRule(text);
  if (typeof rule === 'string') throw new InvalidArgumentError(rule);
  return [...before, rule];
}
