// The formats of a run's report, by the name that `--format` takes.
import type { RunResult } from '../analysis/run-result.ts';
import { annotateRun } from '../report/annotations.ts';
import { renderCsv } from '../report/csv.ts';
import { renderJson } from '../report/json.ts';
import { renderJunitRun } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { viewRun } from '../report/view.ts';
import type { Publication } from './publish.ts';

/** Formats other than the terminal's, which depends on the terminal. */
export type FileFormat = 'json' | 'md' | 'junit' | 'csv' | 'html';

export type ReportFormat = 'terminal' | FileFormat;

export const reportFormats: readonly ReportFormat[] = ['terminal', 'json', 'md', 'junit', 'csv', 'html'];

const renderers: Readonly<Record<FileFormat, (result: RunResult) => string | Promise<string>>> = {
  json: renderJson,
  md: runMarkdown,
  junit: renderJunitRun,
  csv: renderCsv,
  html: renderPage,
};

/** A run in one format. */
export async function renderRun(result: RunResult, format: FileFormat): Promise<string> {
  return renderers[format](result);
}

/** For files, annotations and the step summary. */
export function runPublication(result: RunResult): Publication {
  return {
    junit: () => renderJunitRun(result),
    markdown: () => runMarkdown(result),
    annotations: () => annotateRun(result),
  };
}

/** Scripts and styles are read only where a page is asked for. */
async function renderPage(result: RunResult): Promise<string> {
  const [{ renderHtml }, { readHtmlAssets }] = await Promise.all([
    import('../report/html/page.ts'),
    import('./html-assets.ts'),
  ]);
  return renderHtml(result, readHtmlAssets());
}

function runMarkdown(result: RunResult): string {
  const { status, recommendedVariant } = result.verdict;
  const choice = recommendedVariant === null ? '' : `, recommended: ${recommendedVariant}`;
  return renderMarkdown(viewRun(result), `dyno-load ${result.scenario.name}: ${status}${choice}`);
}
