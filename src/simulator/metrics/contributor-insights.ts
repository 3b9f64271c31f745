// CloudWatch Contributor Insights for the simulated database: which tables and global indexes have it, in
// which state, and the rules by name. Time is passed in; wire shapes belong to serve.
import { ApiError } from '../../dynamodb/api-error.ts';
import type { TableSpec } from '../../dynamodb/table-spec.ts';
import { US_PER_MINUTE, US_PER_MS } from '../../units.ts';
import type { Access } from '../access-listener.ts';
import type { InsightRule, RuleKind } from './insight-rule.ts';
import { type InsightsDescription, type InsightsMode, ResourceInsights } from './resource-insights.ts';

/** A longer name is cut in its resource, so that its end stays. */
const MAX_RULE_NAME = 128;

export interface InsightsUpdate {
  readonly tableName: string;
  readonly indexName?: string | undefined;
  readonly action: 'ENABLE' | 'DISABLE';
  /** For ENABLE; by default both accessed and throttled keys. */
  readonly mode?: InsightsMode | undefined;
}

type TableInsights = Map<string | undefined, ResourceInsights>;

/** Contributor Insights of all tables of one database. */
export class ContributorInsights {
  readonly #wallUsAtZero: number;
  readonly #switchDelayMs: number;
  /** Of each table, by global index; undefined for the table itself, which stands first. */
  readonly #tables = new Map<string, TableInsights>();

  /**
   * @param options.wallMsAtZero  wall-clock ms since 1970 at the database's moment 0
   * @param options.switchDelayMs  ms that switching on or off takes
   */
  constructor(options: { readonly wallMsAtZero: number; readonly switchDelayMs: number }) {
    this.#wallUsAtZero = options.wallMsAtZero * US_PER_MS;
    this.#switchDelayMs = options.switchDelayMs;
  }

  /** A table was created, or has other global indexes from now on. New ones are off. */
  setTable(spec: TableSpec): void {
    const { tableName } = spec;
    const before = this.#tables.get(tableName);
    const after: TableInsights = new Map();
    const resources = [{ name: undefined, keys: spec.keys }, ...spec.globalIndexes];
    for (const { name: indexName, keys } of resources)
      after.set(
        indexName,
        before?.get(indexName) ??
          new ResourceInsights({
            tableName,
            indexName,
            hasSortKey: keys.sort !== undefined,
            switchDelayMs: this.#switchDelayMs,
            nameRule: (kind, resource, createdMs) => this.#nameRule(kind, resource, createdMs),
          }),
      );
    this.#tables.set(tableName, after);
  }

  /** A table is gone, and its rules with it. */
  removeTable(tableName: string): void {
    this.#tables.delete(tableName);
  }

  /**
   * Switches on, off, or to another mode; what is so already stays as it is.
   * @throws ApiError ResourceNotFoundException
   */
  update({ tableName, indexName, action, mode }: InsightsUpdate, nowMs: number): InsightsDescription {
    const insights = this.#find(tableName, indexName);
    if (action === 'ENABLE') insights.enable(mode ?? 'ACCESSED_AND_THROTTLED_KEYS', nowMs);
    else insights.disable(nowMs);
    return insights.describe(nowMs);
  }

  /** @throws ApiError ResourceNotFoundException */
  describe(tableName: string, indexName: string | undefined, nowMs: number): InsightsDescription {
    return this.#find(tableName, indexName).describe(nowMs);
  }

  /**
   * All tables, or one, each with its global indexes; those that are off are not listed.
   * @throws ApiError ResourceNotFoundException
   */
  list(tableName: string | undefined, nowMs: number): readonly InsightsDescription[] {
    if (tableName !== undefined) this.#find(tableName, undefined);
    const tables = [...this.#tables].filter(([name]) => tableName === undefined || name === tableName);
    return tables
      .flatMap(([, resources]) => [...resources.values()].map((each) => each.describe(nowMs)))
      .filter(({ status }) => status !== 'DISABLED');
  }

  /** All rules that exist. */
  rules(nowMs: number): readonly InsightRule[] {
    return this.#all().flatMap((each) => each.rulesAt(nowMs));
  }

  /**
   * Counts an access where Contributor Insights is on; it does not see those of PartiQL.
   * @see "CloudWatch Contributor Insights for DynamoDB: How it works",
   *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights_HowItWorks.html, read
   *   2026-11-30
   */
  onAccess(access: Access): void {
    if (access.isPartiql === true) return;
    const insights = this.#tables.get(access.tableName)?.get(access.indexName);
    if (insights === undefined) return;
    const atUs = this.#wallUsAtZero + access.atUs;
    insights.onAccess(access, atUs / US_PER_MS, Math.floor(atUs / US_PER_MINUTE));
  }

  #all(): readonly ResourceInsights[] {
    return [...this.#tables.values()].flatMap((resources) => [...resources.values()]);
  }

  #find(tableName: string, indexName: string | undefined): ResourceInsights {
    const table = this.#tables.get(tableName);
    if (table === undefined) throw notFound(`Table: ${tableName} not found`);
    const insights = table.get(indexName);
    if (insights === undefined) throw notFound(`Index: ${indexName} not found for table: ${tableName}`);
    return insights;
  }

  /** Names that were cut may meet; a later millisecond tells them apart. */
  #nameRule(kind: RuleKind, resource: string, createdMs: number): string {
    const taken = new Set(this.#all().flatMap(({ takenNames }) => takenNames));
    for (let ms = Math.floor(createdMs); ; ms++) {
      const head = `DynamoDBContributorInsights-${kind}-`;
      const tail = `-${ms}`;
      const name = head + resource.slice(0, MAX_RULE_NAME - head.length - tail.length) + tail;
      if (!taken.has(name)) return name;
    }
  }
}

function notFound(detail: string): ApiError {
  return new ApiError('ResourceNotFoundException', `Requested resource not found: ${detail}`);
}
