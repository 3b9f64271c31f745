// Where the load fell: for each table and index, and each variant, the hottest keys with their share and
// their demand over time, and how much of its ceiling each partition gave.
import { readableResource } from '../../analysis/resource-name.ts';
import type { ResourceResult, RunResult, VariantResult } from '../../analysis/run-result.ts';
import { countOf, formatNumber, formatPercent } from '../../analysis/wording.ts';
import { shareBar } from './bars.ts';
import { type HeatScale, heatLegend, heatScale, heatStrip } from './heat-strip.ts';
import { html, type Markup, nothing } from './markup.ts';
import { servingAtEnd } from '../../analysis/partition-life.ts';
import { partitionBars } from './partition-bars.ts';
import { type KeyRow, mainSide, type Side, shareOn } from './resource-sides.ts';
import { variantMark } from './variant-mark.ts';

/** Keys shown at once; the rest of the record's 25 can be opened. */
const KEYS_IN_VIEW = 10;

/** Below this share no key is worth a bar: the table has no hot key. */
const LEAST_NOTABLE_RATIO = 0.01;

/** One part for each table and index, the variants side by side. */
export function renderHeat(result: Pick<RunResult, 'variants' | 'target'>): Markup {
  const names = [
    ...new Set(
      result.variants.flatMap((variant) =>
        variant.resources.map((one) => readableResource(one.resource, variant.tables)),
      ),
    ),
  ];
  const scales = { read: heatScale(result, 'read'), write: heatScale(result, 'write') };
  const hasStrips = result.variants.some(({ resources }) => resources.some((one) => one.heat !== undefined));
  return html`${hasStrips ? heatLegend(scales) : nothing}
${names.map(
  (name) => html`<h3>${name === 'table' ? 'Table' : name}</h3>
<div class="cards">
${result.variants.map((variant) => {
  const resource = variant.resources.find((one) => readableResource(one.resource, variant.tables) === name);
  return resource === undefined ? nothing : renderCard(resource, variant, scales);
})}</div>
`,
)}`;
}

function renderCard(
  resource: ResourceResult,
  variant: VariantResult,
  scales: Readonly<Record<Side, HeatScale>>,
): Markup {
  const side = mainSide(resource);
  return html`<article class="card">
<h4>${variantMark(variant.index)} ${variant.name}</h4>
${keysTable(resource, side, scales[side])}
${resource.partitions === null ? null : partitionBars(servingAtEnd(resource.partitions), side, variant.measuredSeconds)}
</article>
`;
}

function keysTable(resource: ResourceResult, side: Side, scale: HeatScale): Markup {
  const keys = resource.keys.toSorted((a, b) => shareOn(b, side) - shareOn(a, side));
  const hottest = keys[0] === undefined ? 0 : shareOn(keys[0], side);
  const about = resource.isExact ? '' : '≈';
  const total = `${resource.isExact ? '' : 'at most '}${countOf(resource.distinctKeys, 'key')}`;
  if (hottest === 0) return html`<p class="quiet">No ${side}s were asked of any key.</p>`;
  if (hottest < LEAST_NOTABLE_RATIO) {
    return html`<p class="quiet">No hot key: of ${total}, the hottest took ${about}${formatPercent(hottest)} of the ${side}s.</p>`;
  }
  const strips = new Map(resource.heat?.keys.map((one) => [one.key, one[side]]));
  const rows = keys.map((key) => keyRow(key, side, about, strips, scale));
  const head = html`<thead><tr><th scope="col" class="left">key</th><th scope="col" class="left">share of ${side}s</th>${
    strips.size === 0 ? null : html`<th scope="col" class="left">asked over time</th>`
  }</tr></thead>`;
  const rest = rows.slice(KEYS_IN_VIEW);
  return html`<table class="keys"><caption>Hottest of ${total}</caption>${head}
<tbody>${rows.slice(0, KEYS_IN_VIEW)}</tbody></table>
${rest.length === 0 ? null : html`<details><summary>${countOf(rest.length, 'more key')}</summary><table class="keys">${head}<tbody>${rest}</tbody></table></details>`}`;
}

function keyRow(
  key: KeyRow,
  side: Side,
  about: string,
  strips: ReadonlyMap<string, readonly number[]>,
  scale: HeatScale,
): Markup {
  const share = shareOn(key, side);
  const refused = key.requests > 0 ? (share * key.throttledRequests) / key.requests : 0;
  const units = strips.get(key.key) ?? [];
  return html`<tr><th scope="row" class="left"><code>${key.key}</code></th>
<td>${about}${formatPercent(share)}${refused > 0 ? html` <span class="bad note">${formatNumber(key.throttledRequests)} throttled</span>` : null}${shareBar(
    [
      { ratio: share - refused, tone: 'taken' },
      { ratio: refused, tone: 'refused' },
    ],
  )}</td>${strips.size === 0 ? null : html`<td class="over-time">${units.length === 0 ? '' : heatStrip(units, scale)}</td>`}</tr>
`;
}
