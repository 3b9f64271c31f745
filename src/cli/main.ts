// The command line: parses arguments, runs a command, turns whatever comes of it into text and an exit code.
// Nothing throws past here.
import { Command, CommanderError, Option, type OutputConfiguration } from 'commander';
import { quietNodeVersionWarning } from '../aws/node-version-warning.ts';
import { DynoLoadError, exitCodes } from '../errors.ts';
import { checkCommand } from './commands/check.ts';
import { listCommand } from './commands/list.ts';
import { type CompareOptions, compareCommand } from './commands/compare.ts';
import { type ReportOptions, reportCommand } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { errorText, visibleLines } from './error-text.ts';
import type { Io } from './io.ts';
import { addLiveOptions } from './live/live-options.ts';
import type { LiveWorld } from './live/open-live-target.ts';
import {
  parseCount,
  parseDurationOption,
  parseFactor,
  parseFailOn,
  parseFolder,
  parseRepeats,
  parseSet,
  parseWorkers,
} from './options.ts';
import { packageVersion } from './package-version.ts';
import { reportFormats } from './report-format.ts';
import { addServeOptions, type ServeOptions } from './serve/serve-options.ts';
import type { RunOptions } from './run-options.ts';
import { tellStrayErrors } from './stray-error.ts';
import { usageError } from './usage-error.ts';
import { withoutCommands } from './without-commands.ts';

/** Where the output is no terminal. */
const HELP_COLUMNS = 80;

/**
 * Runs one command line (without the program's own name).
 * @param world  stands in for the world behind live targets in tests
 * @returns the exit code; see the README's table
 */
export async function main(argv: readonly string[], streams: Io, world: LiveWorld = {}): Promise<number> {
  const io = withoutCommands(streams);
  quietNodeVersionWarning();
  let exitCode: number = exitCodes.success;
  const program = createProgram(io, world, (code) => {
    exitCode = code;
  });
  const tellOver = tellStrayErrors(io, (error) => report(error, io));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error, io);
    // Help and version are good ends; the help that stands for a missing command is printed already.
    if (error.exitCode === 0) return exitCodes.success;
    return error.code === 'commander.help'
      ? exitCodes.usage
      : report(usageError(error, helpFor(argv, program)), io);
  } finally {
    tellOver();
  }
}

function helpFor(argv: readonly string[], { commands }: Command): string {
  const command = commands.find((one) => one.name() === argv[0]);
  return command ? `dyno-load ${command.name()} --help` : 'dyno-load --help';
}

function report(error: unknown, io: Io): number {
  if (error instanceof DynoLoadError) {
    io.err(`${errorText(error)}\n`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.err(
    `${errorText({
      code: 'INTERNAL',
      what: 'dyno-load met an error that it did not foresee',
      why: 'this is a bug in dyno-load, not in your scenario',
      fix: 'please report it with the command line and the lines below',
    })}\n${visibleLines(stack)}\n`,
  );
  return exitCodes.bug;
}

function createProgram(io: Io, world: LiveWorld, ended: (code: number) => void): Command {
  const program = new Command('dyno-load')
    .description('Hot-partition load tester and capacity analyzer for Amazon DynamoDB')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput(outputOf(io));

  const run = configure(program.command('run'), io)
    .description('run a scenario: every variant, one after another, then the report')
    .argument('<scenario>', 'path or name; names are looked for in ./scenarios and among those that ship')
    .option(
      '--target <url>',
      '"aws", a DynamoDB endpoint, or "serve" for the simulated table behind the wire protocol, driven on the wall clock (default: the simulated table, in virtual time)',
    )
    .option(
      '--region <region>',
      'region for signatures and ARNs of an endpoint (default: your AWS settings, else us-east-1)',
    )
    .addOption(
      new Option('--set <name=v1,v2>', 'other values for a parameter; may be given again')
        .argParser(parseSet)
        .default([], 'all that the scenario declares'),
    )
    .option(
      '--duration <time>',
      "length of each measured stage, for example '30s' (warm-up is capped to it)",
      parseDurationOption,
    )
    .option('--rate-factor <factor>', 'multiplies every rate; concurrency stays', parseFactor)
    .option('--seed <number>', 'random seed (default: the scenario’s, else 1)', parseCount)
    .addOption(
      new Option('--preset <name>', 'constants of the capacity model for what AWS does not publish')
        .choices(['default', 'pessimistic', 'optimistic'])
        .default('default'),
    )
    .option(
      '--latency <aws|file>',
      'service times of the simulated table: modelled, or as measured, from .hlog of a run or JSON percentiles (default: modelled)',
    )
    .option(
      '--gate [variants...]',
      'all variants, or those named, must meet every goal (default: one that does is enough)',
    )
    .addOption(
      new Option(
        '--shadow-capacity [use]',
        'feed a live target that does not throttle into the capacity model too, and report what would have throttled on AWS (modelled); "gate": judge throttling goals by it',
      ).choices(['gate']),
    )
    .option('--baseline <folder>', 'hold the run against an earlier one; what got worse fails it')
    .addOption(
      new Option(
        '--fail-on <rule>',
        "with --baseline: 'placeOrder.response.p99 > +10%', 'worse', 'any' or 'none'; may be given again",
      )
        .argParser(parseFailOn)
        .default([], 'worse'),
    )
    .option('--junit <file>', 'write JUnit XML too')
    .option('--markdown <file>', 'write Markdown too, for a comment on a pull request')
    .option('--html [file]', 'write an HTML report too (default: report.html in the folder of the run)')
    .option('--json', 'print the whole record as JSON instead of the report')
    .option('--out <folder>', 'where run folders go', parseFolder, 'reports')
    .option('--keep-tables', 'leave the tables that the run created')
    .option(
      '--repeat <times>',
      'on a wall clock: run each variant so often, interleaved, each time with fresh tables unless all only read',
      parseRepeats,
    )
    .option(
      '--workers <count>',
      'on a wall clock: threads that make the load (default: as the planned rate needs, one for 10,000 operations a second, and one core left free)',
      parseWorkers,
    )
    .option(
      '--no-discard',
      'on a wall clock: leave out the short run before the first, which is not recorded',
    )
    .action(async (scenario: string, options: RunOptions) =>
      ended(await runCommand(scenario, options, io, world)),
    );
  addLiveOptions(run);

  configure(program.command('check'), io)
    .description(
      'validate a scenario, generate sample operations, and type-check it where a compiler is at hand',
    )
    .argument('<scenario>', 'path or name')
    .action(async (scenario: string) => ended(await checkCommand(scenario, io)));

  configure(program.command('report'), io)
    .description('print the report of a finished run again')
    .argument('<folder>', 'folder of a run')
    .addOption(
      new Option('--format <name>', 'terminal, or another: html is one page for a browser, without network')
        .choices(reportFormats)
        .default('terminal'),
    )
    .option('--json', 'print the whole record as JSON')
    .option('--output <file>', 'write it there instead of printing it')
    .action(async (folder: string, options: ReportOptions) =>
      ended(await reportCommand(folder, options, io)),
    );

  configure(program.command('compare'), io)
    .description('hold runs against a baseline: exactly when simulated, by their repeats on a wall clock')
    .argument('<base>', 'folder of the run before')
    .argument('<head...>', 'folders of the runs after')
    .addOption(
      new Option(
        '--fail-on <rule>',
        "'placeOrder.response.p99 > +10%', 'worse', 'any' or 'none'; may be given again",
      )
        .argParser(parseFailOn)
        .default([], 'worse'),
    )
    .addOption(
      new Option('--format <name>', 'how to print it')
        .choices(['terminal', 'md', 'json', 'junit'])
        .default('terminal'),
    )
    .option('--json', 'the same as --format json')
    .option('--junit <file>', 'write JUnit XML too')
    .option('--markdown <file>', 'write Markdown too, for a comment on a pull request')
    .action(async (base: string, heads: string[], options: CompareOptions) =>
      ended(await compareCommand(base, heads, options, io)),
    );

  const serve = configure(program.command('serve'), io).description(
    'serve the simulated database to any AWS SDK, on the wall clock, until Ctrl-C',
  );
  addServeOptions(serve).action(async (options: ServeOptions) => {
    const { serveCommand } = await import('./commands/serve.ts');
    ended(await serveCommand(options, io));
  });

  configure(program.command('list'), io)
    .description('list the scenarios at hand and the question each answers')
    .action(async () => ended(await listCommand(io)));

  return program;
}

/**
 * Subcommands do not inherit these settings from the program when made by `command(name)` before it is
 * configured.
 */
function configure(command: Command, io: Io): Command {
  return command
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput(outputOf(io));
}

/** Errors are left to `report`, which tells all kinds of them in one form. */
function outputOf(io: Io): OutputConfiguration {
  const width = () => io.columns ?? HELP_COLUMNS;
  return {
    writeOut: io.out,
    writeErr: io.err,
    outputError: () => undefined,
    getOutHelpWidth: width,
    getErrHelpWidth: width,
  };
}
