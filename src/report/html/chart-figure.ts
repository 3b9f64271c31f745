// The place of a chart in the page: a heading, what it shows in words, and the element that the script draws in.
import type { ChartSpec } from './chart-spec.ts';
import { html, type Markup } from './markup.ts';
import { prose } from './prose.ts';

export interface ChartFigure {
  readonly spec: ChartSpec;
  readonly title: string;
  /** What a reader who cannot see the chart should know. */
  readonly summary: string;
}

/**
 * The markup of one chart. The script of the page finds it by the id of its `spec`; without it the summary is
 * what there is.
 */
export function renderFigure({ spec, title, summary }: ChartFigure): Markup {
  return html`<figure class="chart">
<figcaption>${prose(title)}</figcaption>
<div class="plot" id="${spec.id}" role="img" aria-label="${`${title}. ${summary}`}"></div>
</figure>
`;
}
