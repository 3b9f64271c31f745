// The colour and dashes by which a variant is known in every chart and table.
import { html, type Markup } from './markup.ts';

/** Colours there are; further variants use them again with other dashes. */
const VARIANT_COLORS = 8;

/** A short line as the charts draw it. */
export function variantMark(index: number): Markup {
  const dashes = Math.floor(index / VARIANT_COLORS) % 2;
  return html`<svg class="mark v${index % VARIANT_COLORS}" viewBox="0 0 16 4" aria-hidden="true"><path d="M0 2h16"${dashes === 0 ? null : html` stroke-dasharray="3 2"`}/></svg>`;
}
