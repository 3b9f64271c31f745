// Contributor Insights of tables and global indexes: switched on for a run and put back to what it was, whatever
// happens in between. It is billed while it is on, and shows keys outside the table; so what was changed is
// remembered before it is changed.
import {
  type ContributorInsightsMode,
  DescribeContributorInsightsCommand,
  type DescribeContributorInsightsCommandOutput,
  UpdateContributorInsightsCommand,
  type UpdateContributorInsightsCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { DynoLoadError } from '../errors.ts';
import { resourceName } from '../dynamodb/table-spec.ts';
import type { NamedRule } from './insight-report.ts';
import { type LiveTime, waitMs } from './live-time.ts';
import { safeMessage } from './safe-message.ts';
import { troubleOfSdk } from './target-error.ts';

/** What it needs of an SDK client; `DynamoDBClient` has it. */
export interface InsightsControlPort {
  send(command: DescribeContributorInsightsCommand): Promise<DescribeContributorInsightsCommandOutput>;
  send(command: UpdateContributorInsightsCommand): Promise<UpdateContributorInsightsCommandOutput>;
}

/**
 * `accessed`: all keys that are read and written, and those throttled. `throttled`: only the latter, at less
 * cost.
 */
export type InsightsMode = 'accessed' | 'throttled';

export interface InsightsResource {
  readonly tableName: string;
  readonly indexName: string | null;
}

interface State {
  readonly isOn: boolean;
  readonly mode: ContributorInsightsMode | undefined;
}

interface Change {
  readonly resource: InsightsResource;
  readonly before: State;
  /** What it was switched to. */
  readonly during: State;
}

const modeNames = { accessed: 'ACCESSED_AND_THROTTLED_KEYS', throttled: 'THROTTLED_KEYS' } as const;

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
const READY_TIMEOUT_MS = 300_000;

/** Switches it on for a run. Whoever calls `enable` calls `restore`, whatever `enable` came to. */
export class ContributorInsights {
  readonly #control: InsightsControlPort;
  readonly #time: LiveTime;
  readonly #changes: Change[] = [];

  constructor(control: InsightsControlPort, time: LiveTime) {
    this.#control = control;
    this.#time = time;
  }

  /** Tables and indexes whose state is not what it was, as people name them. */
  get changed(): readonly string[] {
    return this.#changes.map(({ resource }) => nameOf(resource));
  }

  /**
   * Switches it on where it is off, or shows too little, and waits until it is on. A mode that shows more than is
   * asked for is left as it is: narrowing it would delete what its rules have collected.
   *
   * @returns the rules, named by the service
   * @throws DynoLoadError CONTRIBUTOR_INSIGHTS_FAILED; `restore` is then to be called all the same
   */
  async enable(
    resources: readonly InsightsResource[],
    mode: InsightsMode,
    signal: AbortSignal,
  ): Promise<readonly NamedRule[]> {
    for (const resource of resources) await this.#switchOn(resource, mode, signal);
    const rules: NamedRule[] = [];
    for (const resource of resources) {
      const on = await this.#settled(resource, signal);
      if (!signal.aborted && on.ContributorInsightsStatus !== 'ENABLED') throw notEnabled(resource, on);
      for (const name of on.ContributorInsightsRuleList ?? []) rules.push({ name, ...resource });
    }
    return rules;
  }

  /**
   * Puts everything back to what it was and waits until it is. Tries all before it throws.
   * @returns one sentence for each table or index that was put back: what it was, was made, and is again
   * @throws DynoLoadError CONTRIBUTOR_INSIGHTS_FAILED with what is still changed
   */
  async restore(): Promise<readonly string[]> {
    const never = new AbortController().signal;
    const restored: string[] = [];
    const troubles: string[] = [];
    for (const change of [...this.#changes].reverse()) {
      try {
        await this.#restoreOne(change, never);
        this.#changes.splice(this.#changes.indexOf(change), 1);
        restored.unshift(restoredText(change));
      } catch (error) {
        const { code, message } = troubleOfSdk(error);
        troubles.push(`${nameOf(change.resource)}: ${code}, ${safeMessage(message)}`);
      }
    }
    if (troubles.length > 0) throw notRestored(this.changed, troubles);
    return restored;
  }

  /**
   * Forgets what was changed on a table that is about to be deleted: there is nothing left to restore.
   * @returns whether anything was
   */
  forget(tableName: string): boolean {
    const before = this.#changes.length;
    const kept = this.#changes.filter(({ resource }) => resource.tableName !== tableName);
    this.#changes.splice(0, this.#changes.length, ...kept);
    return kept.length < before;
  }

  async #switchOn(resource: InsightsResource, mode: InsightsMode, signal: AbortSignal): Promise<void> {
    const found = await this.#settled(resource, signal);
    if (signal.aborted) return;
    const before: State = {
      isOn: found.ContributorInsightsStatus === 'ENABLED',
      mode: found.ContributorInsightsMode,
    };
    if (before.isOn && (before.mode === undefined || shows(before.mode, mode))) return;
    this.#changes.push({ resource, before, during: { isOn: true, mode: modeNames[mode] } });
    await this.#update(resource, {
      ContributorInsightsAction: 'ENABLE',
      ContributorInsightsMode: modeNames[mode],
    });
  }

  async #restoreOne({ resource, before }: Change, signal: AbortSignal): Promise<void> {
    // Switching it on may have failed: then there is nothing to put back, and perhaps no right to do so.
    if (isAs(await this.#settled(resource, signal), before)) return;
    await this.#update(
      resource,
      before.isOn
        ? {
            ContributorInsightsAction: 'ENABLE',
            ...(before.mode === undefined ? {} : { ContributorInsightsMode: before.mode }),
          }
        : { ContributorInsightsAction: 'DISABLE' },
    );
    const now = await this.#settled(resource, signal);
    if (!isAs(now, before)) throw new Error(`it is ${now.ContributorInsightsStatus ?? 'unknown'}`);
  }

  /** The state once it is no longer changing, or the last one seen when patience or the signal ends. */
  async #settled(
    resource: InsightsResource,
    signal: AbortSignal,
  ): Promise<DescribeContributorInsightsCommandOutput> {
    let pauseMs = PAUSE_MS;
    let leftMs = READY_TIMEOUT_MS;
    for (;;) {
      const found = await this.#describe(resource);
      const isChanging = found.ContributorInsightsStatus?.endsWith('ING') === true;
      if (!isChanging || leftMs <= 0 || signal.aborted) return found;
      await waitMs(this.#time, pauseMs, signal);
      leftMs -= pauseMs;
      pauseMs = Math.min(1.5 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  async #describe(resource: InsightsResource): Promise<DescribeContributorInsightsCommandOutput> {
    try {
      return await this.#control.send(new DescribeContributorInsightsCommand(namesOf(resource)));
    } catch (error) {
      throw failed('DescribeContributorInsights', resource, error);
    }
  }

  async #update(
    resource: InsightsResource,
    change: Pick<
      UpdateContributorInsightsCommand['input'],
      'ContributorInsightsAction' | 'ContributorInsightsMode'
    >,
  ): Promise<void> {
    try {
      await this.#control.send(new UpdateContributorInsightsCommand({ ...namesOf(resource), ...change }));
    } catch (error) {
      throw failed('UpdateContributorInsights', resource, error);
    }
  }
}

function isAs(
  { ContributorInsightsStatus, ContributorInsightsMode }: DescribeContributorInsightsCommandOutput,
  { isOn, mode }: State,
): boolean {
  if ((ContributorInsightsStatus === 'ENABLED') !== isOn) return false;
  return !isOn || mode === undefined || ContributorInsightsMode === mode;
}

function restoredText({ resource, before, during }: Change): string {
  return (
    `Contributor Insights of ${nameOf(resource)} was put back: ${stateText(before)} before the run, ` +
    `${stateText(during)} during it, ${stateText(before)} after it.`
  );
}

function stateText({ isOn, mode }: State): string {
  if (!isOn) return 'off';
  if (mode === undefined) return 'on';
  return mode === modeNames.throttled ? 'on for throttled keys' : 'on for accessed and throttled keys';
}

function shows(found: ContributorInsightsMode, wanted: InsightsMode): boolean {
  return found === modeNames.accessed || found === modeNames[wanted];
}

function namesOf({ tableName, indexName }: InsightsResource) {
  return { TableName: tableName, ...(indexName === null ? {} : { IndexName: indexName }) };
}

function nameOf({ tableName, indexName }: InsightsResource): string {
  return resourceName(tableName, indexName ?? undefined);
}

function failed(operation: string, resource: InsightsResource, error: unknown): DynoLoadError {
  const { code, message } = troubleOfSdk(error);
  return new DynoLoadError('CONTRIBUTOR_INSIGHTS_FAILED', {
    what: `${operation} of ${nameOf(resource)}: ${code}${message ? `, ${safeMessage(message)}` : ''}`,
    why: 'Contributor Insights could not be looked at or switched on',
    fix: `allow dynamodb:${operation} to the credentials in use, or leave --contributor-insights away`,
  });
}

function notEnabled(
  resource: InsightsResource,
  { ContributorInsightsStatus, FailureException }: DescribeContributorInsightsCommandOutput,
): DynoLoadError {
  const { ExceptionName = '', ExceptionDescription = '' } = FailureException ?? {};
  const said = safeMessage(`${ExceptionName} ${ExceptionDescription}`);
  return new DynoLoadError('CONTRIBUTOR_INSIGHTS_FAILED', {
    what: `Contributor Insights of ${nameOf(resource)} is ${ContributorInsightsStatus ?? 'unknown'}${said === '' ? '' : `: ${said}`}`,
    why: 'it was switched on and did not come up: a quota of rules, missing permissions, or a missing service-linked role',
    fix: 'remove the cause that the message names, or leave --contributor-insights away',
  });
}

function notRestored(changed: readonly string[], troubles: readonly string[]): DynoLoadError {
  return new DynoLoadError('CONTRIBUTOR_INSIGHTS_FAILED', {
    what: `Contributor Insights could not be put back to what it was: ${troubles.join('; ')}`,
    why: `${changed.join(', ')} would go on collecting, which is billed`,
    fix: `run: aws dynamodb update-contributor-insights --contributor-insights-action DISABLE --table-name … (and --index-name …) for each of them`,
  });
}
