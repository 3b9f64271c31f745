// Comparisons printed and published, for `compare` and for `run --baseline`.
import { type GateResult, combineStatus, judgeGate } from '../analysis/compare-gate.ts';
import type { FailRule } from '../analysis/compare-rule.ts';
import { type Comparison, compareRuns } from '../analysis/compare-runs.ts';
import type { RunResult, Verdict } from '../analysis/run-result.ts';
import { annotateGate } from '../report/annotations.ts';
import { renderJunitComparisons } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { renderViewInTerminal } from '../report/terminal.ts';
import { viewComparison } from '../report/view-comparison.ts';
import { type Io, wantsColor } from './io.ts';
import { DEFAULT_COLUMNS } from './print-result.ts';
import type { Publication } from './publish.ts';

/** What `compare --json` prints. */
const COMPARISON_SCHEMA_VERSION = 1;

export interface Compared {
  readonly comparison: Comparison;
  readonly gate: GateResult;
}

/** Compares a run with its baseline and holds it against rules. */
export function compareAndJudge(base: RunResult, head: RunResult, rules: readonly FailRule[]): Compared {
  const namedMetrics = rules.flatMap((rule) => (rule.kind === 'metric' ? [rule.metric.name] : []));
  const comparison = compareRuns(base, head, { namedMetrics });
  return { comparison, gate: judgeGate(comparison, rules) };
}

/** The status of several gates together. */
export function statusOf(compared: readonly Compared[]): Verdict['status'] {
  return compared.map(({ gate }) => gate.status).reduce(combineStatus, 'pass');
}

export type ComparisonFormat = 'terminal' | 'json' | 'md' | 'junit';

/** All comparisons in one format. */
export function renderComparisons(compared: readonly Compared[], format: ComparisonFormat, io: Io): string {
  switch (format) {
    case 'json':
      return comparisonsJson(compared);
    case 'md':
      return comparisonsMarkdown(compared);
    case 'junit':
      return renderJunitComparisons(compared);
    case 'terminal':
      return compared.map((one) => renderOne(one, io)).join('\n');
  }
}

/** For files, annotations and the step summary. */
export function comparisonPublication(compared: readonly Compared[]): Publication {
  return {
    junit: () => renderJunitComparisons(compared),
    markdown: () => comparisonsMarkdown(compared),
    annotations: () => compared.map(({ gate }) => annotateGate(gate)).join(''),
  };
}

function comparisonsJson(compared: readonly Compared[]): string {
  const document = {
    schemaVersion: COMPARISON_SCHEMA_VERSION,
    status: statusOf(compared),
    comparisons: compared,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function comparisonsMarkdown(compared: readonly Compared[]): string {
  return compared
    .map(({ comparison, gate }) =>
      renderMarkdown(
        viewComparison(comparison, gate),
        `dyno-load ${comparison.candidate.scenario} against its baseline: ${gate.status}`,
      ),
    )
    .join('\n');
}

function renderOne({ comparison, gate }: Compared, io: Io): string {
  const useColor = wantsColor(io, io.isOutTerminal);
  return renderViewInTerminal(viewComparison(comparison, gate), {
    width: io.columns ?? DEFAULT_COLUMNS,
    useColor,
  });
}
