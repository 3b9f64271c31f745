// Options of `run` for targets on the wall clock: which account and table, what is allowed, what the service is
// asked for besides.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { InsightsMode } from '../../aws/contributor-insights.ts';
import { DynoLoadError } from '../../errors.ts';
import { parseDecimal } from '../../units.ts';

export interface LiveOptions {
  readonly region?: string;
  readonly profile?: string;
  readonly keepTables?: boolean;
  /** An existing table to use. */
  readonly table?: string;
  readonly allowWritesTo?: readonly string[];
  readonly reuseTable?: boolean;
  /** false: items of the scenario are taken to be there. */
  readonly preload?: boolean;
  readonly allowWarmThroughput?: boolean;
  readonly yes?: boolean;
  /** USD. */
  readonly maxCost?: number;
  readonly cloudwatch?: boolean;
  readonly cloudwatchEndpoint?: string;
  readonly contributorInsights?: InsightsMode;
  readonly redactKeys?: boolean;
}

/** Adds them to the command. */
export function addLiveOptions(command: Command): void {
  command
    .option('--profile <name>', 'profile of your AWS files (default: AWS_PROFILE, else the default one)')
    .option('--table <name>', 'use this table instead of creating one; it is read only, unless named twice')
    .option(
      '--allow-writes-to <name>',
      'the same table again: the run may write to it (never needed for tables that dyno-load creates)',
      collectNames,
    )
    .option('--reuse-table', 'let several variants write to --table one after another; the result is suspect')
    .option('--no-preload', 'do not put the items of the scenario in place; they are there already')
    .option('--allow-warm-throughput', 'create tables as warm as the scenario says; AWS bills it')
    .option('--yes', 'start a run on AWS, or on what may be AWS, without asking')
    .option('--max-cost <usd>', 'stop the run when what it consumed costs as much', parseUsd)
    .option(
      '--cloudwatch',
      'afterwards read what CloudWatch counted (on the simulated table: would count), and hold it against our own counts',
    )
    .option(
      '--cloudwatch-endpoint <url>',
      'where CloudWatch answers (default: AWS, or the same dyno-load serve)',
    )
    .addOption(
      new Option(
        '--contributor-insights [mode]',
        'switch Contributor Insights on for the run and report the keys it names; put back afterwards',
      )
        .choices(['accessed', 'throttled'])
        .preset('accessed'),
    )
    .option('--redact-keys', 'record and print keys as short hashes');
}

/** Whether the service is asked for its own counts, which takes whole and idle minutes. */
export function isObserved({ cloudwatch, contributorInsights }: LiveOptions): boolean {
  return cloudwatch === true || contributorInsights !== undefined;
}

/** What `run` takes besides that means nothing on the simulated table. */
export interface LiveRunOptions extends LiveOptions {
  /** False: nothing runs before the first variant. */
  readonly discard?: boolean;
  readonly shadowCapacity?: true | 'gate';
  readonly workers?: number;
}

/** Every option of `run` that needs a live target, and whether it was given. */
const liveOptions: readonly (readonly [flag: string, isGiven: (options: LiveRunOptions) => boolean])[] = [
  ['--region', ({ region }) => region !== undefined],
  ['--profile', ({ profile }) => profile !== undefined],
  ['--table', ({ table }) => table !== undefined],
  ['--allow-writes-to', ({ allowWritesTo }) => allowWritesTo !== undefined],
  ['--reuse-table', ({ reuseTable }) => reuseTable === true],
  ['--no-preload', ({ preload }) => preload === false],
  ['--allow-warm-throughput', ({ allowWarmThroughput }) => allowWarmThroughput === true],
  ['--keep-tables', ({ keepTables }) => keepTables === true],
  ['--yes', ({ yes }) => yes === true],
  ['--max-cost', ({ maxCost }) => maxCost !== undefined],
  ['--cloudwatch-endpoint', ({ cloudwatchEndpoint }) => cloudwatchEndpoint !== undefined],
  ['--shadow-capacity', ({ shadowCapacity }) => shadowCapacity !== undefined],
  ['--workers', ({ workers }) => workers !== undefined],
  ['--no-discard', ({ discard }) => discard === false],
];

/** Why an option means nothing there, where it is another reason than that of most. */
const reasonOf: ReadonlyMap<string, string> = new Map([
  ['--shadow-capacity', 'the capacity model decides there already, so that there is nothing to shadow'],
  [
    '--workers',
    'virtual time is one line of events, each of which changes what the next one meets, so that there is nothing to share out',
  ],
]);

/**
 * Refuses options that mean nothing on the simulated table.
 * @throws DynoLoadError USAGE
 */
export function refuseLiveOptions(options: LiveRunOptions): void {
  const given = liveOptions.filter(([, isGiven]) => isGiven(options)).map(([flag]) => flag);
  if (given.length === 0) return;
  throw new DynoLoadError('USAGE', {
    what: `${given.join(', ')} on the simulated table`,
    why:
      (given.length === 1 ? reasonOf.get(given[0] ?? '') : undefined) ??
      'it has no account, runs in virtual time, and its tables live as long as the run',
    fix: 'name a --target (aws, serve, or the URL of an endpoint), or leave them out',
  });
}

/** Commander gives no list before the first. */
function collectNames(name: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), name];
}

function parseUsd(text: string): number {
  const usd = parseDecimal(text);
  if (usd === undefined || usd === 0)
    throw new InvalidArgumentError(
      'It must be an amount in US dollars above 0, in plain decimal digits – for example 2.50.',
    );
  return usd;
}
