// Annotations for GitHub Actions: what failed, as workflow commands that the runner shows beside the job.
import type { GateResult, RuleResult } from '../analysis/compare-gate.ts';
import type { RunResult, Verdict } from '../analysis/run-result.ts';
import { rowSentence } from './view-comparison.ts';
import { visibleText } from './visible-text.ts';

/**
 * GitHub shows ten errors and ten warnings of one step.
 * @see "Workflow commands for GitHub Actions",
 *   https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions, read 2026-11-30
 */
const MOST_ANNOTATIONS = 10;

interface Annotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
}

/** One line for a verdict that is not a pass; nothing for one that is. */
export function annotateRun({ scenario, verdict }: RunResult): string {
  if (verdict.status === 'pass') return '';
  return renderAll([
    {
      level: levelOf(verdict.status),
      title: visibleText(`dyno-load ${scenario.name}: ${verdict.status}`),
      message: verdict.reasons.map(visibleText).join('\n'),
    },
  ]);
}

/** One line for each rule that is missed or cannot be told. */
export function annotateGate(gate: GateResult): string {
  return renderAll(
    gate.rules
      .filter((rule) => rule.status !== 'met')
      .map((rule) => ({
        level: rule.status === 'missed' ? 'error' : 'warning',
        title: `dyno-load: ${rule.text} ${rule.status === 'missed' ? 'missed' : 'cannot be told'}`,
        message: messageOf(rule),
      })),
  );
}

function messageOf({ rows, reasons }: RuleResult): string {
  const named = rows.slice(0, MOST_ANNOTATIONS).map(rowSentence);
  return (named.length > 0 ? named : reasons).map(visibleText).join('\n');
}

function levelOf(status: Verdict['status']): Annotation['level'] {
  return status === 'fail' ? 'error' : 'warning';
}

function renderAll(annotations: readonly Annotation[]): string {
  return annotations
    .slice(0, MOST_ANNOTATIONS)
    .map(({ level, title, message }) => `::${level} title=${escapeProperty(title)}::${escapeData(message)}\n`)
    .join('');
}

/** A line break would end the command and begin another. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
