// The sections of the page after verdict and findings, in the order in which a reader needs them. Each is
// left out where the record has nothing for it; a new one is a line here.
import type { RunResult } from '../../analysis/run-result.ts';
import { costTable } from '../view-cost.ts';
import { goalsSection } from '../view-goals.ts';
import { placementTable } from '../view-placement.ts';
import { repeatsTable } from '../view-repeats.ts';
import type { TableSection } from '../section.ts';
import { type ChartFigure, renderFigure } from './chart-figure.ts';
import { renderConfiguration } from './configuration.ts';
import { renderHeat } from './heat.ts';
import { html, type Markup, nothing } from './markup.ts';
import { renderReadingGuide } from './reading-guide.ts';
import { renderCloudWatch, renderContributorInsights } from './service-record.ts';
import { renderShadow } from './shadow.ts';
import { renderSideBySide } from './side-by-side.ts';
import { spectrumFigures } from './spectrum.ts';
import { timelines, type WorkloadTimeline } from './time-charts.ts';
import { variantMark } from './variant-mark.ts';
import { renderTable } from './view-section.ts';

export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

export interface PageCharts {
  readonly spectrum: readonly ChartFigure[];
  readonly times: readonly WorkloadTimeline[];
}

/** All charts of a run whose repeats are merged. */
export function chartsOf(result: RunResult): PageCharts {
  return { spectrum: spectrumFigures(result), times: timelines(result) };
}

/** All charts of a page, in the order in which they stand in it. */
export function allFigures({ spectrum, times }: PageCharts): ChartFigure[] {
  return [...spectrum, ...times.flatMap((timeline) => timeline.figures)];
}

/**
 * The sections that have something to say.
 * @param record  as it was written, repeats apart
 * @param result  the same with repeats merged
 */
export function sectionsOf(record: RunResult, result: RunResult, charts: PageCharts): PageSection[] {
  const candidates: [id: string, title: string, body: Markup | null][] = [
    ['variants', 'Variants side by side', renderVariants(record, result)],
    ['goals', 'Goals', tableOrNull(goalsSection(result))],
    ['spectrum', 'Response time spectrum', renderSpectrum(charts, result)],
    ['time', 'Over time', renderTimes(charts, result)],
    ['heat', 'Heat of keys and partitions', renderHeatOf(result)],
    ['shadow', 'Shadow capacity', renderShadow(result)],
    ['placement', 'Placement outlook', tableOrNull(placementTable(result))],
    ['cloudwatch', 'CloudWatch', renderCloudWatch(record)],
    ['insights', 'Contributor Insights', renderContributorInsights(record)],
    ['configuration', 'Configuration', renderConfiguration(result)],
    ['reading', 'How to read this', renderReadingGuide(result)],
  ];
  return candidates.flatMap(([id, title, body]) => (body === null ? [] : [{ id, title, body }]));
}

function renderVariants(record: RunResult, result: RunResult): Markup {
  const tables = [repeatsTable(record), costTable(result)].filter((table) => table !== null);
  return html`${renderSideBySide(result)}${tables.map(renderTable)}`;
}

function tableOrNull(table: TableSection | null): Markup | null {
  return table === null ? null : renderTable(table);
}

function renderHeatOf(result: RunResult): Markup | null {
  return result.variants.some((variant) => variant.resources.length > 0) ? renderHeat(result) : null;
}

function renderSpectrum({ spectrum }: PageCharts, result: RunResult): Markup | null {
  if (spectrum.length === 0) return null;
  return html`${variantChoice(result)}<div class="charts">${spectrum.map(renderFigure)}</div>
`;
}

function renderTimes({ spectrum, times }: PageCharts, result: RunResult): Markup | null {
  if (times.length === 0) return null;
  return html`${spectrum.length === 0 ? variantChoice(result) : nothing}<p class="quiet">Shaded stages are not measured.</p>
${times.map(
  ({ workload, figures }) => html`<h3>${workload}</h3>
<div class="charts">${figures.map(renderFigure)}</div>
`,
)}`;
}

/** Above the first charts: shows and hides variants in all of them at once; revealed by the script. */
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
