// A comparison as tables, lists and sentences, in the order in which a reader needs them: how the runs differ,
// what to know, what changed, whether that fails. The formats of reports render it like a run.
import type { GateResult, RuleResult } from '../analysis/compare-gate.ts';
import type { ComparisonRow } from '../analysis/compare-row.ts';
import { type ComparedRun, type Comparison, countChanges } from '../analysis/compare-runs.ts';
import { countOf, formatNumber, formatPercent } from '../analysis/wording.ts';
import { distanceText, MISSING, metricText } from './number-format.ts';
import { type Cell, cell, type ListSection, type Section, type TableSection, type Tone } from './section.ts';
import type { ReportView } from './view.ts';
import { visibleView } from './visible-view.ts';

/** The view of a comparison and of what the gate makes of it. */
export function viewComparison(comparison: Comparison, gate: GateResult): ReportView {
  const { baseline, candidate } = comparison;
  const sections: (Section | null)[] = [
    settingTable(comparison),
    notesList(comparison),
    changesTable(comparison),
    gateList(gate),
  ];
  return visibleView({
    origin: `Before: ${runText(baseline)}`,
    question: `After: ${runText(candidate)}`,
    setting: summaryText(comparison),
    sections: sections.filter((section) => section !== null),
    footnotes: footnotesOf(comparison),
  });
}

/** A figure of a row, for example `1.2 ms`; counts have no unit. */
function rowValueText({ unit }: Pick<ComparisonRow, 'unit'>, value: number | null): string {
  if (value === null) return MISSING;
  return unit === 'count' ? formatNumber(value) : metricText(value, unit);
}

/** The change of a row with its sign, for example `+12.3 %` or `−0.4 points`. */
function rowChangeText(row: ComparisonRow): string {
  const { effect, delta, deltaRatio, unit } = row;
  if (effect !== null) return effectText(effect.value, row);
  if (delta === null) return MISSING;
  if (deltaRatio !== null && unit !== 'ratio') return signed(deltaRatio, formatPercent);
  return signed(delta, (size) => (unit === 'count' ? formatNumber(size) : distanceText(size, unit)));
}

/** `placeOrder.response.p99 of count=1`. */
export function rowName({ variant, subject, metric }: ComparisonRow): string {
  return `${subject}.${metric} of ${variant}`;
}

/** One sentence part on a row: name, before, after, change. */
export function rowSentence(row: ComparisonRow): string {
  const interval = intervalText(row);
  return (
    `${rowName(row)}: ${rowValueText(row, row.before)} before, ${rowValueText(row, row.after)} after ` +
    `(${rowChangeText(row)}${interval === '' ? '' : `, 95 % ${interval}`})`
  );
}

function runText({ scenario, startedAt, target, seed, version }: ComparedRun): string {
  return `${scenario} of ${startedAt} on ${target}, seed ${seed}, dyno-load ${version}`;
}

function summaryText({ rows, incomparable }: Comparison): string {
  if (incomparable !== null) return `not comparable: ${incomparable}`;
  const { same, better, worse, changed, inconclusive } = countChanges(rows);
  const parts = [
    `${countOf(same, 'figure')} the same`,
    ...(worse > 0 ? [`${formatNumber(worse)} worse`] : []),
    ...(better > 0 ? [`${formatNumber(better)} better`] : []),
    ...(changed > 0 ? [`${formatNumber(changed)} changed`] : []),
    ...(inconclusive > 0 ? [`${formatNumber(inconclusive)} inconclusive`] : []),
  ];
  const missing = rows.filter((row) => row.before === null && row.after === null).length;
  const others = missing > 0 ? [`${formatNumber(missing)} missing in both`] : [];
  const isSame = same > 0 && parts.length === 1;
  return [...(isSame ? [`no difference in ${countOf(same, 'figure')}`] : parts), ...others].join(', ');
}

function settingTable({ setting, answers }: Comparison): TableSection | null {
  const rows = [...setting, ...answers];
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    isGrouped: false,
    title: 'The runs differ in',
    columns: [
      { head: 'what', align: 'left' },
      { head: 'before', align: 'left' },
      { head: 'after', align: 'left' },
    ],
    rows: rows.map(({ what, before, after }) => [
      cell(what, 'strong'),
      cell(before || MISSING),
      cell(after || MISSING),
    ]),
  };
}

function notesList({ notes, unmatched, incomparable }: Comparison): ListSection | null {
  const entries = [
    ...(incomparable === null ? [] : [cell(`Nothing is compared: ${incomparable}.`, 'bad')]),
    ...unmatched.map((text) => cell(`Only in one of the runs: ${text}.`, 'doubtful')),
    ...notes.map((text) => cell(text, 'doubtful')),
  ];
  if (entries.length === 0) return null;
  return { kind: 'list', title: 'Know first', entries: entries.map((head) => ({ head, lines: [] })) };
}

/** All that is judged on a wall clock; in virtual time, where rows are many, those that differ. */
function changesTable({ rows }: Comparison): TableSection | null {
  const isNoisy = rows.some((row) => row.method === 'noisy');
  const shown = rows.filter((row) => row.isJudged && (isNoisy || row.change !== 'same'));
  if (shown.length === 0) return null;
  let before = '';
  return {
    kind: 'table',
    isGrouped: true,
    title: isNoisy
      ? 'Changes (medians of repeats; change and 95 % interval by pairs of repeats, none where exact)'
      : 'Changes',
    columns: [
      { head: 'variant', align: 'left' },
      { head: 'of', align: 'left' },
      { head: 'metric', align: 'left' },
      { head: 'before', align: 'right' },
      { head: 'after', align: 'right' },
      { head: 'change', align: 'right' },
      ...(isNoisy ? [{ head: '95 % interval', align: 'right' } as const] : []),
      { head: 'result', align: 'left' },
    ],
    rows: shown.map((row) => {
      const isFirst = row.variant !== before;
      before = row.variant;
      return [
        cell(isFirst ? row.variant : '', 'strong'),
        cell(row.subject),
        cell(row.metric),
        cell(rowValueText(row, row.before)),
        cell(rowValueText(row, row.after)),
        cell(rowChangeText(row), tones[row.change]),
        ...(isNoisy ? [cell(intervalText(row) || MISSING)] : []),
        resultCell(row),
      ];
    }),
  };
}

const tones: Readonly<Record<ComparisonRow['change'], Tone>> = {
  same: 'quiet',
  better: 'good',
  worse: 'bad',
  changed: 'plain',
  inconclusive: 'doubtful',
};

const signs: Readonly<Record<ComparisonRow['change'], string>> = {
  same: '=',
  better: '✓',
  worse: '✗',
  changed: '≠',
  inconclusive: '?',
};

function resultCell({ change, method, reason, pairsNeeded }: ComparisonRow): Cell {
  const needed = pairsNeeded === null ? '' : `, needs about ${countOf(pairsNeeded, 'repeat')}`;
  const why = change === 'inconclusive' || (method === 'exact' && change === 'changed') ? `: ${reason}` : '';
  return cell(`${signs[change]} ${change}${why}${needed}`, tones[change]);
}

const heads = {
  pass: { text: 'PASS', tone: 'good' },
  fail: { text: 'FAIL', tone: 'bad' },
  inconclusive: { text: 'INCONCLUSIVE', tone: 'doubtful' },
} as const;

const ruleWords = { met: 'met', missed: 'missed', inconclusive: 'cannot be told' } as const;

function gateList(gate: GateResult): ListSection {
  const { text, tone } = heads[gate.status];
  const rules = gate.rules.map((rule) => ({
    head: cell(`fail on ${rule.text}: ${ruleWords[rule.status]}`, ruleTone(rule)),
    lines: ruleLines(rule),
  }));
  return { kind: 'list', title: 'Gate', entries: [{ head: cell(text, tone), lines: [] }, ...rules] };
}

function ruleTone({ status }: RuleResult): Tone {
  return status === 'met' ? 'good' : status === 'missed' ? 'bad' : 'doubtful';
}

/** Most rows named for one rule; the table above has all. */
const MOST_ROWS = 8;

function ruleLines({ status, rows, reasons }: RuleResult): { label: string; text: string }[] {
  const named = rows.slice(0, MOST_ROWS).map((row) => ({ label: 'row', text: rowSentence(row) }));
  const more = rows.length > MOST_ROWS ? [{ label: 'row', text: `and ${rows.length - MOST_ROWS} more` }] : [];
  const why = [...new Set(reasons)].map((text) => ({ label: 'because', text }));
  return status === 'met' ? why : [...named, ...more, ...why];
}

function footnotesOf({ rows }: Comparison): string[] {
  if (!rows.some((row) => row.method === 'noisy')) return [];
  return [
    'A change counts when Wilcoxon’s signed-rank test finds it at 5 % (Holm over all figures judged) and its ' +
      'bootstrap interval lies wholly beyond the least effect: 5 % of a latency, 1 % of other figures, ' +
      '0.1 points of a share.',
  ];
}

function intervalText(row: ComparisonRow): string {
  const { effect } = row;
  if (effect === null || effect.n < 2) return '';
  return `${effectText(effect.lo, row)} … ${effectText(effect.hi, row)}`;
}

function effectText(value: number, { effect, unit }: ComparisonRow): string {
  if (effect?.scale === 'relative') return signed(value, formatPercent);
  return signed(value, (size) => (unit === 'count' ? formatNumber(size) : distanceText(size, unit)));
}

/** A typographic minus, as long as the plus. */
function signed(value: number, format: (size: number) => string): string {
  if (value === 0) return format(0);
  return `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`;
}
