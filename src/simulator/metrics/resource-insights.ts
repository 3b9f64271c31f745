// Contributor Insights of one table or one global index: its state over time, and its rules.
// @see "How it works: CloudWatch Contributor Insights for DynamoDB",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html,
//   read 2026-11-30. What repeats and changes of mode do is as captured from the service on 2026-10-09 by the
//   public notes "Table sub-resources" of ack-api-quirks (DDB-TABLE-089 to 095, 337 to 343).
import { HEAT_PER_WRITE_UNIT } from '../../capacity/key-state.ts';
import { keyLabel } from '../../dynamodb/key-text.ts';
import type { Access } from '../access-listener.ts';
import { InsightRule, type RuleKind } from './insight-rule.ts';

export type InsightsMode = 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS';
export type InsightsStatus = 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED';

export interface InsightsDescription {
  readonly tableName: string;
  /** Undefined for the table itself. */
  readonly indexName: string | undefined;
  readonly status: InsightsStatus;
  /** Undefined where it was never switched on. */
  readonly mode: InsightsMode | undefined;
  readonly ruleNames: readonly string[];
  /** Wall-clock ms; undefined where it was never switched on or off. */
  readonly lastUpdateMs: number | undefined;
}

export interface ResourceInsightsSettings {
  readonly tableName: string;
  readonly indexName: string | undefined;
  readonly hasSortKey: boolean;
  /** ms that switching on or off takes. */
  readonly switchDelayMs: number;
  /** Makes a rule's name that no other rule has. */
  readonly nameRule: (kind: RuleKind, resource: string, createdMs: number) => string;
}

/** Contributor Insights of one table or global index, from its first switch on. */
export class ResourceInsights {
  readonly #settings: ResourceInsightsSettings;
  #isWanted = false;
  #mode: InsightsMode | undefined;
  /** When the last switch is through. */
  #settledMs = Number.NEGATIVE_INFINITY;
  #lastUpdateMs: number | undefined;
  #rules: readonly InsightRule[] = [];

  constructor(settings: ResourceInsightsSettings) {
    this.#settings = settings;
  }

  /**
   * Switches on, or to another mode; does nothing where it is so already. Rules that both modes have go on
   * counting under their names; the others come into being when it is through.
   */
  enable(mode: InsightsMode, nowMs: number): void {
    if (this.#isWanted && this.#mode === mode) return;
    if (!this.#isWanted) this.#rules = [];
    this.#isWanted = true;
    this.#mode = mode;
    this.#switched(nowMs);
    this.#rules = this.#kinds().map((kind) => this.#ruleOf(kind, nowMs));
  }

  /**
   * Switches off: nothing is counted any more, and once it is through the rules are gone. Does nothing where
   * it is off.
   */
  disable(nowMs: number): void {
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.#switched(nowMs);
  }

  describe(nowMs: number): InsightsDescription {
    const { tableName, indexName } = this.#settings;
    return {
      tableName,
      indexName,
      status: this.#statusAt(nowMs),
      mode: this.#mode,
      ruleNames: this.rulesAt(nowMs).map(({ settings }) => settings.name),
      lastUpdateMs: this.#lastUpdateMs,
    };
  }

  /** Names that are taken, those of rules that are about to exist or to go included. */
  get takenNames(): readonly string[] {
    return this.#rules.map(({ settings }) => settings.name);
  }

  /** The rules that exist: not before they begin to count, and none once it is switched off. */
  rulesAt(nowMs: number): readonly InsightRule[] {
    if (this.#statusAt(nowMs) === 'DISABLED') this.#rules = [];
    return this.#rules.filter(({ settings }) => settings.fromMs <= nowMs);
  }

  /**
   * Counts an access on every rule that is about it. A page of a Query is about a partition key and no sort
   * key; a Scan is about none.
   */
  onAccess(access: Access, atMs: number, minute: number): void {
    const { partition, operation, units, refusedBy } = access;
    if (!this.#isWanted || partition === undefined) return;
    const isRefused = refusedBy !== undefined;
    const amount = isRefused ? 1 : operation === 'Write' ? units * HEAT_PER_WRITE_UNIT : units;
    let sort: string | undefined;
    for (const rule of this.#rules) {
      if (rule.isOfThrottles !== isRefused || atMs < rule.settings.fromMs) continue;
      if (rule.isOfPairs) {
        if (access.sort === undefined) continue;
        sort ??= keyLabel(access.sort);
      }
      rule.add(minute, partition, rule.isOfPairs ? sort : undefined, amount);
    }
  }

  #statusAt(nowMs: number): InsightsStatus {
    const isSettled = nowMs >= this.#settledMs;
    if (this.#isWanted) return isSettled ? 'ENABLED' : 'ENABLING';
    return isSettled ? 'DISABLED' : 'DISABLING';
  }

  #switched(nowMs: number): void {
    this.#lastUpdateMs = nowMs;
    this.#settledMs = nowMs + this.#settings.switchDelayMs;
  }

  #kinds(): readonly RuleKind[] {
    const { hasSortKey } = this.#settings;
    const throttled: readonly RuleKind[] = hasSortKey ? ['PKT', 'SKT'] : ['PKT'];
    if (this.#mode === 'THROTTLED_KEYS') return throttled;
    return hasSortKey ? ['PKC', 'SKC', ...throttled] : ['PKC', ...throttled];
  }

  #ruleOf(kind: RuleKind, nowMs: number): InsightRule {
    const known = this.#rules.find(({ settings }) => settings.kind === kind);
    if (known !== undefined) return known;
    const { tableName, indexName, nameRule } = this.#settings;
    const resource = indexName === undefined ? tableName : `${tableName}-${indexName}`;
    const name = nameRule(kind, resource, nowMs);
    return new InsightRule({ name, kind, tableName, indexName, fromMs: this.#settledMs });
  }
}
