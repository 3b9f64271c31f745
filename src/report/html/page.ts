// A run as one HTML file that needs nothing else: no network, no server. Sections in the order in which a reader needs them; each is left out
// where the record has nothing for it.
import { mergeRepeats } from '../../analysis/merge-repeats.ts';
import type { RunResult } from '../../analysis/run-result.ts';
import { goalsSection } from '../view-goals.ts';
import { repeatsTable } from '../view-repeats.ts';
import { placementTable } from '../view-placement.ts';
import type { TableSection } from '../section.ts';
import type { HtmlAssets, InlineAsset } from './assets.ts';
import { type ChartFigure, renderFigure } from './chart-figure.ts';
import { renderConfiguration } from './configuration.ts';
import { renderHeat } from './heat.ts';
import type { ChartSpec } from './chart-spec.ts';
import { embeddedJson, html, Markup, nothing, withCodes } from './markup.ts';
import { renderReadingGuide } from './reading-guide.ts';
import { renderSideBySide } from './side-by-side.ts';
import { renderShadow } from './shadow.ts';
import { spectrumFigures } from './spectrum.ts';
import { timelines } from './time-charts.ts';
import { variantMark } from './variant-mark.ts';
import { renderHeader, renderVerdict } from './verdict.ts';
import { renderTable } from './view-section.ts';

/** The report as an HTML document, repeats of a variant merged. Equal runs and assets give equal text. */
export function renderHtml(record: RunResult, assets: HtmlAssets): string {
  const result = { ...record, variants: mergeRepeats(record.variants) };
  const repeats = repeatsTable(record);
  const spectrum = spectrumFigures(result);
  const times = timelines(result);
  const charts = [...spectrum, ...times.flatMap((timeline) => timeline.figures)];
  const sections = sectionsOf(result, repeats, spectrum, times);
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
<script type="application/json" id="charts">${embeddedJson(charts.map(({ spec }) => withVisibleNames(spec)))}</script>
<script>${asIs(assets.chartLibrary)}</script>
<script type="module">${asIs(assets.pageScript)}</script>
</body>
</html>
`.text;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

function sectionsOf(
  result: RunResult,
  repeats: TableSection | null,
  spectrum: readonly ChartFigure[],
  times: ReturnType<typeof timelines>,
): Section[] {
  const goals = goalsSection(result);
  const placement = placementTable(result);
  const shadow = renderShadow(result);
  const hasCharts = spectrum.length + times.length > 0;
  const hasResources = result.variants.some((variant) => variant.resources.length > 0);
  const candidates: (Section | null)[] = [
    {
      id: 'variants',
      title: 'Variants side by side',
      body: html`${renderSideBySide(result)}${repeats === null ? nothing : renderTable(repeats)}`,
    },
    goals && { id: 'goals', title: 'Goals', body: renderTable(goals) },
    spectrum.length === 0
      ? null
      : {
          id: 'spectrum',
          title: 'Response time spectrum',
          body: html`${hasCharts ? variantChoice(result) : nothing}<div class="charts">${spectrum.map(renderFigure)}</div>
`,
        },
    times.length === 0 ? null : { id: 'time', title: 'Over time', body: renderTimes(times) },
    hasResources ? { id: 'heat', title: 'Heat of keys and partitions', body: renderHeat(result) } : null,
    shadow && { id: 'shadow', title: 'Shadow capacity', body: shadow },
    placement && { id: 'placement', title: 'Placement outlook', body: renderTable(placement) },
    { id: 'configuration', title: 'Configuration', body: renderConfiguration(result) },
    { id: 'reading', title: 'How to read this', body: renderReadingGuide(result) },
  ];
  return candidates.filter((section) => section !== null);
}

function renderTimes(times: ReturnType<typeof timelines>): Markup {
  return html`<p class="quiet">Shaded stages are not measured.</p>
${times.map(
  ({ workload, figures }) => html`<h3>${workload}</h3>
<div class="charts">${figures.map(renderFigure)}</div>
`,
)}`;
}

/** Names in charts are drawn by the script, which must not have to know what a name may hold. */
function withVisibleNames(spec: ChartSpec): ChartSpec {
  return {
    ...spec,
    lines: spec.lines.map((line) => ({ ...line, label: withCodes(line.label) })),
    shaded: spec.shaded.map((span) => ({ ...span, label: withCodes(span.label) })),
  };
}

/** Shows and hides variants in all charts at once; revealed by the script. */
function variantChoice({ variants }: RunResult): Markup {
  if (variants.length < 2) return nothing;
  return html`<fieldset id="choice" hidden><legend>Variants in the charts</legend>
${variants.map(
  ({ name, index }) =>
    html`<label><input type="checkbox" value="${index}" checked> ${variantMark(index)} <span>${name}</span></label>
`,
)}</fieldset>
`;
}

/** Nothing may be loaded from anywhere, and only the scripts and styles that are ours may run: also if a value did escape its escaping. */
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
