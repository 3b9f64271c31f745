// Demand of a key over time as a strip of colours: how much of one partition's ceiling was asked of it in
// each window. Inline SVG, with neighbouring windows of one colour drawn as one piece, so that steady keys
// cost nothing.
import type { RunResult } from '../../analysis/run-result.ts';
import { formatNumber } from '../../analysis/wording.ts';
import { html, type Markup } from './markup.ts';
import type { Side } from './resource-sides.ts';

export interface HeatScale {
  readonly unit: 'WCU/s' | 'RCU/s';
  /** What one partition gives, units per second. */
  readonly ceiling: number;
}

/** Parts of the ceiling at which the next colour begins. The last but one is a full partition. */
const LEVELS = [0.02, 0.2, 0.4, 0.6, 0.8, 1, 2] as const;

const ceilingNames = { write: 'partitionWriteUnits', read: 'partitionReadUnits' } as const;

/** The scale by the constants of the run's own model; without them the published ones. */
export function heatScale({ target }: Pick<RunResult, 'target'>, side: Side): HeatScale {
  const constant = target.model?.constants.find(({ name }) => name === ceilingNames[side]);
  const ceiling = Number(constant?.value);
  const unit = side === 'write' ? 'WCU/s' : 'RCU/s';
  return { unit, ceiling: ceiling > 0 ? ceiling : publishedCeilings[side] };
}

/**
 * Units per second of one partition.
 * @see "Best practices for designing and using partition keys effectively in DynamoDB",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html, read 2026-11-30
 */
const publishedCeilings = { write: 1_000, read: 3_000 } as const;

/** The strip of one key. @param unitsPerSecond  one mean rate for each window */
export function heatStrip(unitsPerSecond: readonly number[], scale: HeatScale): Markup {
  const most = Math.max(...unitsPerSecond);
  const words = `${formatNumber(Math.min(...unitsPerSecond))} to ${formatNumber(most)} ${scale.unit}`;
  return html`<svg class="strip" viewBox="0 0 ${unitsPerSecond.length} 1" preserveAspectRatio="none" role="img" aria-label="${words}"><title>${words}</title>${piecesOf(
    unitsPerSecond.map((units) => levelOf(units / scale.ceiling)),
  ).map(
    ({ level, from, length }) => html`<rect class="h${level}" x="${from}" width="${length}" height="1"/>`,
  )}</svg><span class="rate">${formatNumber(most)} ${scale.unit}</span>`;
}

/** What the colours mean. */
export function heatLegend({ write, read }: Readonly<Record<Side, HeatScale>>): Markup {
  const names = ['idle', '≥ 2 %', '≥ 20 %', '≥ 40 %', '≥ 60 %', '≥ 80 %', '≥ 100 %', '≥ 200 %'];
  return html`<p class="heat-legend">Asked of one key, as a part of what one partition gives (${formatNumber(write.ceiling)} ${write.unit} or ${formatNumber(read.ceiling)} ${read.unit}); the figure is the highest window:
${names.map((name, level) => html`<span><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect class="h${level}" width="1" height="1"/></svg> ${name}</span> `)}</p>`;
}

function levelOf(ratio: number): number {
  const next = LEVELS.findIndex((level) => ratio < level);
  return next === -1 ? LEVELS.length : next;
}

function piecesOf(levels: readonly number[]): { level: number; from: number; length: number }[] {
  const pieces: { level: number; from: number; length: number }[] = [];
  for (const [at, level] of levels.entries()) {
    const last = pieces.at(-1);
    if (last?.level === level) last.length++;
    else pieces.push({ level, from: at, length: 1 });
  }
  return pieces;
}
