// Partitions as upright bars in the order of their hash ranges: what each gave as a part of its ceiling, and
// what it refused on top.
import { countOf, formatPercent } from '../../analysis/wording.ts';
import { html, type Markup } from './markup.ts';
import { prose } from './prose.ts';
import { type PartitionRow, refusedOn, type Side, utilizationOn } from './resource-sides.ts';

/** More bars than this could not be told apart: only the busiest are drawn, still in their order. */
const MOST_BARS = 120;

const BAR_WIDTH = 8;
const BAR_PITCH = 10;
const HEIGHT = 100;

/** The chart for one side, with a sentence that says the same. */
export function partitionBars(
  partitions: readonly PartitionRow[],
  side: Side,
  measuredSeconds: number,
): Markup {
  if (partitions.length === 0) return html`<p class="quiet">No partition was reported.</p>`;
  const all = partitions.map((partition) => ({
    taken: utilizationOn(partition, side),
    refused: refusedOn(partition, side, measuredSeconds),
  }));
  const shown = busiest(all);
  const top = Math.max(1.1, ...shown.map(({ taken, refused }) => taken + refused));
  const y = (ratio: number): number => Number((HEIGHT * (1 - ratio / top)).toFixed(1));
  const width = shown.length * BAR_PITCH;
  return html`<figure class="partitions">
<figcaption>${prose(sentence(all, side, shown.length))}</figcaption>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${`Use of ${countOf(all.length, 'partition')}`}">
${shown.map(({ taken, refused }, at) => {
  const x = at * BAR_PITCH + (BAR_PITCH - BAR_WIDTH) / 2;
  const bar = (tone: string, from: number, to: number): Markup =>
    html`<rect class="${tone}" x="${x}" y="${y(to)}" width="${BAR_WIDTH}" height="${Number((y(from) - y(to)).toFixed(1))}"/>`;
  return html`<rect class="room" x="${x}" y="${y(1)}" width="${BAR_WIDTH}" height="${Number((HEIGHT - y(1)).toFixed(1))}"/>${bar('taken', 0, taken)}${refused > 0 ? bar('refused', taken, taken + refused) : null}
`;
})}<path class="ceiling" d="M0 ${y(1)}H${width}"/>
</svg>
</figure>`;
}

interface Use {
  readonly taken: number;
  readonly refused: number;
}

function busiest(all: readonly Use[]): readonly Use[] {
  if (all.length <= MOST_BARS) return all;
  const floor = all.map((use) => use.taken + use.refused).toSorted((a, b) => b - a)[MOST_BARS - 1] ?? 0;
  return all.filter((use) => use.taken + use.refused >= floor).slice(0, MOST_BARS);
}

function sentence(all: readonly Use[], side: Side, shownCount: number): string {
  const most = Math.max(...all.map((use) => use.taken));
  const mean = all.reduce((sum, use) => sum + use.taken, 0) / all.length;
  const refusing = all.filter((use) => use.refused > 0).length;
  return [
    `${countOf(all.length, 'partition')}: the busiest gave ${formatPercent(most)} of its ${side} ceiling (line), the mean ${formatPercent(mean)}`,
    refusing === 0 ? '' : `; ${countOf(refusing, 'partition')} refused (red: asked beyond what was given)`,
    shownCount < all.length ? `; the ${shownCount} busiest are drawn` : '',
  ].join('');
}
