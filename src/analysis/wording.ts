// Figures as they stand in sentences: thousands separators, a unit behind each number, percent only here and
// in reports. Independent of the machine's locale, so that equal runs read equally.

/**
 * A number with about three significant digits and thousands separators, for example `1,234`, `12.3`,
 * `0.125`.
 */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95 || Number.isInteger(value)) return groupThousands(Math.round(value));
  if (size >= 9.995) return trimZeros(value.toFixed(1));
  if (size >= 0.9995) return trimZeros(value.toFixed(2));
  return trimZeros(value.toPrecision(size < 1e-6 ? 1 : 3));
}

/**
 * A ratio in percent. What is not quite none or not quite all is never printed as `0 %` or `100 %`.
 * @param ratio  0–1, or above for a utilisation
 */
export function formatPercent(ratio: number): string {
  if (ratio === 0) return '0 %';
  if (ratio > 0 && ratio < 0.0001) return '<0.01 %';
  if (ratio < 1 && ratio > 0.9999) return '>99.99 %';
  const percent = ratio * 100;
  const digits = (percent < 1 && percent > -1) || (percent > 99 && percent < 100) ? 2 : 1;
  return `${trimZeros(percent.toFixed(digits))} %`;
}

/** A latency in µs, in the unit that suits its size, for example `850 µs`, `12.3 ms`, `1.25 s`. */
export function formatLatency(us: number): string {
  const size = Math.abs(us);
  if (size < 1_000) return `${formatNumber(us)} µs`;
  if (size < 1_000_000) return `${formatNumber(us / 1_000)} ms`;
  return `${formatNumber(us / 1_000_000)} s`;
}

/** US dollars: cents from one dollar up, three significant digits below. */
export function formatUsd(usd: number): string {
  if (usd >= 100) return `${groupThousands(Math.round(usd))} USD`;
  return `${usd >= 1 || usd === 0 ? usd.toFixed(2) : formatNumber(usd)} USD`;
}

/**
 * `count=1`, `count=1 and count=2`, `count=1, count=2 and count=5`; where a name itself has a comma, more
 * than two are parted by semicolons.
 */
export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  if (names.length < 2) return last;
  const others = names.slice(0, -1);
  const hasCommas = names.length > 2 && names.some((name) => name.includes(','));
  return hasCommas ? `${others.join('; ')}; and ${last}` : `${others.join(', ')} and ${last}`;
}

/** `1 shard`, `10 shards`; `1 query`, `10 queries` with the plural given. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  const text = formatNumber(count);
  return `${text} ${text === '1' ? noun : plural}`;
}

function groupThousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

function trimZeros(text: string): string {
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text;
}
