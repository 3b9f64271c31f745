// One rule of Contributor Insights: which keys of a table or global index took most, minute by minute. The
// largest keys of a minute are kept, as a report shows no more than 25.
// @see "How it works: CloudWatch Contributor Insights for DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html,
//   read 2026-11-30
import { DistinctCount } from './distinct-count.ts';
import type { MinuteRange } from './minute-series.ts';
import { TopKeys } from './top-keys.ts';

/**
 * `PKC`, `SKC`: most accessed partition keys, and pairs of partition and sort key, by 3 × WCU + RCU. `PKT`,
 * `SKT`: most throttled ones, by count.
 */
export type RuleKind = 'PKC' | 'SKC' | 'PKT' | 'SKT';

/** Minutes of rules that are kept: a day. Four rules of one busy table take about 60 MB in that time. */
export const RULE_MINUTES = 24 * 60;

/** Keys kept of a minute that is over: twice as many as a report shows. */
const KEYS_PER_MINUTE = 50;

/** The amount of one key in one minute or period. */
interface RuleDatapoint {
  readonly minute: number;
  readonly amount: number;
}

export interface Contributor {
  /** The partition key's label, and the sort key's where the rule is about pairs. */
  readonly keys: readonly string[];
  readonly amount: number;
  /** By period, only those in which the key was among the largest. */
  readonly datapoints: readonly RuleDatapoint[];
}

export interface RuleReport {
  /** Sum over all keys, those not listed included. */
  readonly total: number;
  readonly distinctKeys: number;
  /** Largest first. */
  readonly contributors: readonly Contributor[];
  /** By period in which anything was seen. */
  readonly periods: readonly {
    readonly minute: number;
    /** The largest amount of one key. */
    readonly largestKeyAmount: number;
    /** The largest amount of one access. */
    readonly largestAccess: number;
  }[];
}

interface RuleMinute {
  readonly keys: TopKeys;
  readonly distinct: DistinctCount;
  total: number;
  largestAccess: number;
}

export interface RuleSettings {
  readonly name: string;
  readonly kind: RuleKind;
  readonly tableName: string;
  readonly indexName: string | undefined;
  /** Wall-clock ms at which it begins to count. */
  readonly fromMs: number;
}

/** The counts of one rule. */
export class InsightRule {
  readonly settings: RuleSettings;
  readonly #minutes = new Map<number, RuleMinute>();
  #minute = Number.NaN;
  #current: RuleMinute = newMinute();

  constructor(settings: RuleSettings) {
    this.settings = settings;
  }

  get isOfPairs(): boolean {
    return this.settings.kind.startsWith('S');
  }

  get isOfThrottles(): boolean {
    return this.settings.kind.endsWith('T');
  }

  /** @param sort  the sort key's label, where the rule is about pairs */
  add(minute: number, partition: string, sort: string | undefined, amount: number): void {
    if (minute !== this.#minute) this.#turnTo(minute);
    const current = this.#current;
    current.keys.add(partition, sort, amount);
    current.distinct.add(sort === undefined ? partition : `${partition.length}:${partition}${sort}`);
    current.total += amount;
    if (amount > current.largestAccess) current.largestAccess = amount;
  }

  /**
   * The keys of a span of time. Periods are counted from its first minute.
   * @param options.orderBy  what puts a key first: its sum, or its largest period
   */
  report(
    range: MinuteRange,
    options: { periodMinutes: number; maxContributors: number; orderBy: 'Sum' | 'Maximum' },
  ): RuleReport {
    const minutes = [...this.#minutes]
      .filter(([minute]) => minute >= range.fromMinute && minute < range.untilMinute)
      .sort(([left], [right]) => left - right);
    const periodOf = (minute: number) => minute - ((minute - range.fromMinute) % options.periodMinutes);
    const gathered = gather(minutes, periodOf);
    const weight = ({ amount, datapoints }: Contributor) =>
      options.orderBy === 'Sum' ? amount : Math.max(...datapoints.map((point) => point.amount));
    const contributors = gathered.sort((left, right) => weight(right) - weight(left));
    return {
      total: minutes.reduce((sum, [, { total }]) => sum + total, 0),
      distinctKeys: distinctKeys(
        minutes.map(([, minute]) => minute),
        contributors.length,
      ),
      contributors: contributors.slice(0, options.maxContributors),
      periods: periodsOf(minutes, contributors, periodOf),
    };
  }

  #turnTo(minute: number): void {
    // The minute that is over keeps its largest keys only.
    this.#current.keys.keepTop(KEYS_PER_MINUTE);
    this.#minute = minute;
    this.#current = this.#minutes.get(minute) ?? newMinute();
    this.#minutes.set(minute, this.#current);
    for (const first of this.#minutes.keys()) {
      if (first >= minute - RULE_MINUTES) break;
      this.#minutes.delete(first);
    }
  }
}

function newMinute(): RuleMinute {
  return { keys: new TopKeys(), distinct: new DistinctCount(), total: 0, largestAccess: 0 };
}

type Minutes = readonly (readonly [number, RuleMinute])[];

function gather(minutes: Minutes, periodOf: (minute: number) => number): Contributor[] {
  const byText = new Map<string, { keys: readonly string[]; periods: Map<number, number> }>();
  for (const [minute, { keys }] of minutes)
    for (const [text, total] of keys.entries()) {
      const known = byText.get(text) ?? { keys: total.keys, periods: new Map<number, number>() };
      byText.set(text, known);
      const period = periodOf(minute);
      known.periods.set(period, (known.periods.get(period) ?? 0) + total.amount);
    }
  return [...byText.values()].map(({ keys, periods }) => ({
    keys,
    amount: [...periods.values()].reduce((sum, amount) => sum + amount, 0),
    datapoints: [...periods].map(([minute, amount]) => ({ minute, amount })),
  }));
}

/** Exact while every minute kept all its keys; else an estimate. */
function distinctKeys(minutes: readonly RuleMinute[], keysHeld: number): number {
  if (minutes.every(({ keys }) => keys.isComplete)) return keysHeld;
  const all = new DistinctCount();
  for (const { distinct } of minutes) all.merge(distinct);
  return Math.max(keysHeld, all.estimate);
}

function periodsOf(
  minutes: Minutes,
  contributors: readonly Contributor[],
  periodOf: (minute: number) => number,
): RuleReport['periods'] {
  const largest = new Map<number, number>();
  for (const { datapoints } of contributors)
    for (const { minute, amount } of datapoints)
      largest.set(minute, Math.max(amount, largest.get(minute) ?? 0));
  const accesses = new Map<number, number>();
  for (const [minute, { largestAccess }] of minutes) {
    const period = periodOf(minute);
    accesses.set(period, Math.max(largestAccess, accesses.get(period) ?? 0));
  }
  return [...accesses].map(([minute, largestAccess]) => ({
    minute,
    largestKeyAmount: largest.get(minute) ?? 0,
    largestAccess,
  }));
}
