// Units and their conversions. Inside dyno-load time is integer microseconds, sizes are bytes, rates are per second.

/** Microseconds in a millisecond, a second, a minute. */
export const US_PER_MS = 1_000;
export const US_PER_SECOND = 1_000_000;
export const US_PER_MINUTE = 60 * US_PER_SECOND;
/** Milliseconds in a second, a minute, an hour, a day. */
export const MS_PER_SECOND = 1_000;
export const MS_PER_MINUTE = 60 * MS_PER_SECOND;
export const MS_PER_HOUR = 60 * MS_PER_MINUTE;
export const MS_PER_DAY = 24 * MS_PER_HOUR;

/** A span of time as users write it, for example `'500ms'`, `'10s'`, `'1.5m'`, `'2h'`. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;

const usPerUnit: Readonly<Record<string, number>> = {
  ms: US_PER_MS,
  s: US_PER_SECOND,
  m: US_PER_MINUTE,
  h: 60 * US_PER_MINUTE,
};

/**
 * Microseconds in a duration as users write it.
 * @returns integer µs ≥ 0, or undefined where the text is not a duration
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  if (!match) return undefined;
  return Math.round(Number(match[1]) * (usPerUnit[match[2] ?? ''] ?? 0));
}

/**
 * A number in plain decimal notation: digits, and a fraction if there is one. `Number` also takes `0x50`,
 * `1e3`, ` 80 ` and the empty text, none of which a user is likely to have meant.
 * @returns a finite number ≥ 0, or undefined for everything else
 */
export function parseDecimal(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** A duration in the largest unit that keeps it short, for example `90s` → `1.5m`. */
export function formatDuration(us: number): string {
  if (us < US_PER_SECOND) return `${trim(us / US_PER_MS)}ms`;
  if (us < US_PER_MINUTE) return `${trim(us / US_PER_SECOND)}s`;
  if (us < 60 * US_PER_MINUTE) return `${trim(us / US_PER_MINUTE)}m`;
  return `${trim(us / (60 * US_PER_MINUTE))}h`;
}

function trim(value: number): string {
  return String(Number(value.toFixed(3)));
}
