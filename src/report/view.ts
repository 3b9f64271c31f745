// A run as tables, lists and sentences, in the order in which a reader needs them: where the figures come
// from, the figures, what they mean. Every report format renders this one view; nothing here knows of
// terminals.
import { mergeRepeats } from '../analysis/merge-repeats.ts';
import type { RunResult } from '../analysis/run-result.ts';
import { formatNumber } from '../analysis/wording.ts';
import { US_PER_SECOND } from '../units.ts';
import type { Section } from './section.ts';
import { findingsSection } from './view-findings.ts';
import { goalsSection } from './view-goals.ts';
import { repeatsTable } from './view-repeats.ts';
import { capacityTable } from './view-capacity.ts';
import { costTable } from './view-cost.ts';
import { loadTable, otherOutcomesTable, throttledTable } from './view-load.ts';
import { retriesTable } from './view-retries.ts';
import { placementSection } from './view-placement.ts';
import { shadowTable } from './view-shadow.ts';
import { contributorInsightsTable, reconciliationTable } from './view-service.ts';
import { validitySection } from './view-validity.ts';
import { verdictSection } from './view-verdict.ts';
import { visibleView } from './visible-view.ts';

export interface ReportView {
  /** Target, kind of time, what is modelled. */
  readonly origin: string;
  readonly question: string;
  /** Scenario, seed, stages. */
  readonly setting: string;
  readonly sections: readonly Section[];
  readonly footnotes: readonly string[];
}

/** The view of a run, repeats of a variant merged. Sections that have nothing to say are left out. */
export function viewRun(record: RunResult): ReportView {
  const result = { ...record, variants: mergeRepeats(record.variants, record.prices) };
  const sections = [
    loadTable(result),
    repeatsTable(record),
    throttledTable(result),
    shadowTable(result),
    otherOutcomesTable(result),
    retriesTable(result),
    capacityTable(result),
    costTable(result),
    placementSection(result),
    reconciliationTable(record),
    contributorInsightsTable(record),
    validitySection(result),
    goalsSection(result),
    verdictSection(result),
    findingsSection(result),
  ].filter((section) => section !== null);
  return visibleView({
    origin: originOf(result),
    question: result.scenario.question,
    setting: settingOf(result),
    sections,
    footnotes: [...result.target.notes, ...footnotes(result, sections)],
  });
}

function originOf({ target, status, stoppedBy }: RunResult): string {
  const time = target.time === 'virtual' ? 'virtual time' : 'wall-clock time';
  const preset = target.model === null ? '' : `, model preset ${target.model.preset}`;
  const modelled = target.kind === 'simulated' ? '; latencies are modelled, not measured' : '';
  const stop = stoppedBy === undefined ? 'INTERRUPTED' : `STOPPED BY AN ERROR: ${stoppedBy}`;
  const stopped =
    status === 'interrupted' ? `; ${stop}; the figures are of what was measured until then` : '';
  return `Target: ${target.label}, ${time}${preset}${modelled}${stopped}`;
}

function settingOf({ scenario }: RunResult): string {
  const stages = scenario.stages.map((stage) => {
    const seconds = `${formatNumber(stage.durationUs / US_PER_SECOND)} s`;
    return `${stage.name} ${seconds}${stage.isMeasured ? ' (measured)' : ''}`;
  });
  const factor = scenario.rateFactor === 1 ? '' : ` · rates × ${formatNumber(scenario.rateFactor)}`;
  return `scenario ${scenario.name} · ${stages.join(', ')} · seed ${scenario.seed}${factor}`;
}

function footnotes(result: RunResult, sections: readonly Section[]): string[] {
  const texts = sections.flatMap((section) =>
    section.kind === 'table' ? section.rows.flat().map((one) => one.text) : [],
  );
  const notes: string[] = [];
  if (texts.includes('–')) {
    notes.push(
      '–  missing: fewer than 100 successful operations (p99.9: 1,000), no such event, or not known ' +
        'on this target',
    );
  }
  if (texts.some((text) => text.startsWith('≈'))) {
    notes.push(
      '≈  units include those that DynamoDB charges without reporting them; shares of keys are estimates',
    );
  }
  const { model } = result.target;
  if (model !== null) notes.push(modelText(model));
  if (model !== null && hasConflicts(result)) {
    notes.push('Conflicts depend on how long a transaction holds its items, which is modelled.');
  }
  if (result.target.capabilities.reportsIndexUnits === 'no') {
    notes.push('This target does not report the units of indexes, so units and cost leave the indexes out.');
  }
  for (const variant of result.variants) {
    for (const workload of variant.workloads) {
      for (const note of workload.notes) {
        const text = `${workload.name}: ${note}`;
        if (!notes.includes(text)) notes.push(text);
      }
    }
  }
  return notes;
}

/** The constants in force that are guesses: whoever doubts a figure should see on what it rests. */
function modelText({ preset, constants }: NonNullable<RunResult['target']['model']>): string {
  const guesses = constants
    .filter(({ name, isPublished }) => !isPublished && name !== 'preset')
    .map(({ name, value, unit }) => `${name} ${value}${unit === '' ? '' : ` ${unit}`}`);
  return `Model preset ${preset}; not published by AWS, and set to: ${guesses.join(', ')}.`;
}

function hasConflicts({ variants }: RunResult): boolean {
  return variants.some((variant) => variant.workloads.some(({ measured }) => measured.outcomes.conflict > 0));
}
