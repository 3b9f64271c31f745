// Bars as inline SVG: they print, need no script and no style attributes.
import { html, type Markup } from './markup.ts';

export interface BarPart {
  /** Of the whole width, 0–1; longer bars are cut. */
  readonly ratio: number;
  readonly tone: 'taken' | 'refused';
}

/** A horizontal bar of one or more parts, beside a figure that says the same. */
export function shareBar(parts: readonly BarPart[]): Markup {
  let from = 0;
  const rects = parts.map(({ ratio, tone }) => {
    const width = Math.max(0, Math.min(1 - from, ratio));
    const rect = html`<rect class="${tone}" x="${percent(from)}" width="${percent(width)}" height="100%"/>`;
    from += width;
    return rect;
  });
  return html`<svg class="bar" aria-hidden="true">${rects}</svg>`;
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(2))}%`;
}
