// The metrics of a run as CSV, one row for each figure of each repeat: for spreadsheets and data frames.
import type { RunResult } from '../analysis/run-result.ts';
import { metrics } from '../scenario/metric.ts';
import { visibleText } from './visible-text.ts';

const head = ['scenario', 'variant', 'repeat', 'workload', 'metric', 'unit', 'value', 'validity'];

/** RFC 4180 with CRLF; a missing value is an empty cell. Units are those of run.json: µs, ratios 0–1. */
export function renderCsv({ scenario, variants }: RunResult): string {
  const rows = variants.flatMap((variant) =>
    variant.workloads.flatMap((workload) =>
      metrics.map(({ name, unit }) => [
        textCell(scenario.name),
        textCell(variant.name),
        String(variant.repeat ?? 0),
        textCell(workload.name),
        textCell(name),
        unit,
        String(workload.metrics[name] ?? ''),
        variant.validity.status,
      ]),
    ),
  );
  return [head, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/**
 * Text as a cell that no spreadsheet takes for a formula: one that begins like a formula gets an apostrophe,
 * which spreadsheets take as the mark of a text.
 * @see "CSV Injection", https://owasp.org/www-community/attacks/CSV_Injection, read 2026-11-30
 */
export function textCell(text: string): string {
  const plain = visibleText(text);
  const safe = /^\s*[=+\-@]/.test(text) || /^[\t\r]/.test(text) ? `'${plain}` : plain;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
