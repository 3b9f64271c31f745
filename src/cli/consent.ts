// What is said before a run on AWS, or on what may be AWS, and whether it may start: account, tables, units, duration
// and price first, then a yes of the user. Texts and rules; asking is for the command.
import type { RunCost } from '../analysis/run-cost.ts';
import { formatNumber, formatUsd } from '../analysis/wording.ts';
import { DynoLoadError } from '../errors.ts';

/** What decides whether somebody may pay for a run. */
export interface BillingFacts {
  readonly isAws: boolean;
  /** Whether everything that is sent stays on this machine: the target, a proxy in front of it, CloudWatch. */
  readonly staysHere: boolean;
  /** Whether requests are signed with credentials that are worth nothing to anybody. */
  readonly areCredentialsMadeUp: boolean;
}

/** `perhaps`: a name of one's own, a tunnel or a gateway may lead to AWS, and credentials that are real let it in. */
export type Billing = 'aws' | 'perhaps' | 'none';

/** Whether somebody may pay for a run; anything but `none` needs a yes before the first request. */
export function billingOf({ isAws, staysHere, areCredentialsMadeUp }: BillingFacts): Billing {
  if (isAws) return 'aws';
  return staysHere || areCredentialsMadeUp ? 'none' : 'perhaps';
}

/** What the user is told before the first request to AWS, or to what may be AWS. */
export interface RunStatement {
  readonly billing: Exclude<Billing, 'none'>;
  /** Undefined where the source of the credentials does not say. */
  readonly accountId: string | undefined;
  readonly region: string;
  readonly endpoint: string;
  readonly tables: readonly string[];
  /** Whether the tables are made for the run, or there already and read only, or written to. */
  readonly tableUse: 'created' | 'createdAndKept' | 'read' | 'written';
  readonly readUnits: number;
  readonly writeUnits: number;
  /** All variants, ms; creating and filling tables comes on top. */
  readonly duration: { readonly leastMs: number; readonly mostMs: number };
  readonly cost: RunCost;
  readonly maximumUsd: number | undefined;
  /** What else the user should know, one sentence each. */
  readonly remarks: readonly string[];
}

const MOST_TABLES_LISTED = 8;

/** The statement as printed, line by line. */
export function statementText(statement: RunStatement): string {
  const { cost, duration, tables } = statement;
  const bound = cost.isLowerBound ? 'at least ' : 'about ';
  const lines = [
    ['account', statement.accountId ?? 'unknown (the source of the credentials does not say)'],
    ['region', `${statement.region}, ${statement.endpoint}`],
    ['tables', `${tableUses[statement.tableUse]}: ${listOf(tables)}`],
    ['units', `${bound}${whole(statement.writeUnits)} write and ${whole(statement.readUnits)} read units`],
    ['duration', `${durationText(duration)}, and the time to create and fill tables`],
    ['cost', `${bound}${formatUsd(cost.usd)}: ${cost.parts.map(partText).join('; ')}`],
    ['', `by ${cost.basis}; your region may differ`],
    ...(statement.maximumUsd === undefined
      ? []
      : [['stops at', `${formatUsd(statement.maximumUsd)}, by the units that answers report`]]),
    ...statement.remarks.map((remark) => ['note', remark]),
  ];
  return `${headings[statement.billing]}\n${lines.map(([label = '', text = '']) => `  ${label.padEnd(9)} ${text}\n`).join('')}`;
}

const headings = {
  aws: 'This run is on AWS and is billed.',
  perhaps:
    'This run leaves this machine, signed with your AWS credentials, for a server that is not known to be AWS.\n' +
    'If it leads to AWS all the same (a name of your own, a tunnel, a gateway), it is billed:',
} as const;

const tableUses = {
  created: 'created and deleted',
  createdAndKept: 'created and kept',
  read: 'read, as they are',
  written: 'WRITTEN TO, as you said twice or since dyno-load created them',
} as const;

function listOf(names: readonly string[]): string {
  const more = names.length - MOST_TABLES_LISTED;
  const listed = names.slice(0, MOST_TABLES_LISTED).join(', ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}

function whole(units: number): string {
  return formatNumber(Math.round(units));
}

function partText({ what, usd }: RunCost['parts'][number]): string {
  return usd === null ? `${what} unpriced (AWS bills it once, by units raised)` : `${what} ${formatUsd(usd)}`;
}

function durationText({ leastMs, mostMs }: RunStatement['duration']): string {
  const least = minutes(leastMs);
  const most = minutes(mostMs);
  return least === most ? `about ${least} min` : `${least} to ${most} min`;
}

function minutes(ms: number): number {
  return Math.max(1, Math.round(ms / 60_000));
}

/** How a run that somebody may pay for is agreed to. */
export interface ConsentFacts {
  /** `--yes`. */
  readonly isAgreed: boolean;
  /** Whether somebody can be asked: input and messages are a terminal. */
  readonly canAsk: boolean;
}

/** Whether to start, to ask, or to refuse. */
export function consentNeeded({ isAgreed, canAsk }: ConsentFacts): 'given' | 'ask' | 'refused' {
  if (isAgreed) return 'given';
  return canAsk ? 'ask' : 'refused';
}

/** Only a plain yes is one. */
export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}

/** The refusal to start. @param why  nobody was there to ask, or somebody said no */
export function refusedConsent(
  why: 'nobodyToAsk' | 'saidNo',
  billing: Exclude<Billing, 'none'>,
): DynoLoadError {
  const reason = {
    aws: 'it is billed',
    perhaps: 'the target is not known to be AWS, yet may lead there, signed with your credentials',
  }[billing];
  return new DynoLoadError('REFUSED_WITHOUT_CONSENT', {
    what: `the run was not started, and nothing was sent${billing === 'aws' ? ' to AWS' : ''}`,
    why: why === 'saidNo' ? 'the answer was not yes' : `${reason}, and there is no terminal to ask on`,
    fix:
      billing === 'aws'
        ? 'read what it would do and cost, above; then add --yes'
        : 'read what it would do, above; then add --yes, or unset the credentials where an emulator needs none',
  });
}

/** The refusal of a run whose price is known to be above its limit before it starts. */
export function refusedPlannedCost(cost: RunCost, maximumUsd: number): DynoLoadError {
  return new DynoLoadError('REFUSED_MAX_COST', {
    what: `the run would cost ${formatUsd(cost.usd)} or more, above --max-cost ${formatUsd(maximumUsd)}`,
    why: 'it would be stopped before its end and tell little',
    fix: 'lower --rate-factor or --duration, choose variants with --set, or raise --max-cost',
  });
}

/** The stop of a run that reached its limit. */
export function reachedMaximumCost(usd: number, maximumUsd: number): DynoLoadError {
  return new DynoLoadError('REFUSED_MAX_COST', {
    what: `the run was stopped at ${formatUsd(usd)}, the limit being --max-cost ${formatUsd(maximumUsd)}`,
    why: 'the units that its answers reported cost as much, at the prices in its record',
    fix: 'lower --rate-factor or --duration, choose variants with --set, or raise --max-cost',
  });
}
