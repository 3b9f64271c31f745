// A run as one HTML file that needs nothing else: no network, no server. The frame of the page; what stands
// in it is decided in sections.ts.
import { mergeRepeats } from '../../analysis/merge-repeats.ts';
import type { RunResult } from '../../analysis/run-result.ts';
import { visibleText } from '../visible-text.ts';
import type { HtmlAssets, InlineAsset } from './assets.ts';
import type { ChartSpec } from './chart-spec.ts';
import { embeddedJson, html, Markup } from './markup.ts';
import { allFigures, chartsOf, sectionsOf } from './sections.ts';
import { renderHeader, renderVerdict } from './verdict.ts';

/** The report as an HTML document, repeats of a variant merged. Equal runs and assets give equal text. */
export function renderHtml(record: RunResult, assets: HtmlAssets): string {
  const result = { ...record, variants: mergeRepeats(record.variants, record.prices) };
  const charts = chartsOf(result);
  const sections = sectionsOf(record, result, charts);
  const specs = allFigures(charts).map(({ spec }) => withVisibleNames(spec));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(assets)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${`${result.tool.name} ${result.tool.version}`}">
<meta name="color-scheme" content="light dark">
<title>${`${result.verdict.status.toUpperCase()}: ${result.scenario.question}`}</title>
<style>${asIs(assets.style)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the verdict</a>
<main>
<button type="button" id="theme" hidden>Theme: automatic</button>
${renderHeader(result)}
${renderVerdict(result)}
<nav aria-label="Sections"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
${sections.map(
  ({ id, title, body }) => html`<section id="${id}">
<h2>${title}</h2>
${body}</section>
`,
)}</main>
<footer><p>Made by ${result.tool.name} ${result.tool.version} from one run record. Charts by uPlot, © Leon Sorokin, MIT licence.</p></footer>
<script type="application/json" id="charts">${embeddedJson(specs)}</script>
<script>${asIs(assets.chartLibrary)}</script>
<script type="module">${asIs(assets.pageScript)}</script>
</body>
</html>
`.text;
}

/** Names in charts are drawn by the script, which must not have to know what a name may hold. */
function withVisibleNames(spec: ChartSpec): ChartSpec {
  return {
    ...spec,
    lines: spec.lines.map((line) => ({ ...line, label: visibleText(line.label) })),
    shaded: spec.shaded.map((span) => ({ ...span, label: visibleText(span.label) })),
  };
}

/**
 * Nothing may be loaded from anywhere, and only the scripts and styles that are ours may run: also if a value
 * did escape its escaping.
 */
function contentPolicy({ chartLibrary, pageScript, style }: HtmlAssets): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${chartLibrary.sha256}' 'sha256-${pageScript.sha256}'`,
    `style-src 'sha256-${style.sha256}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Text of ours, whose digest stands in the policy: it must not be changed. */
function asIs({ text }: InlineAsset): Markup {
  return new Markup(text);
}
