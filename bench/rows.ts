// What a benchmark has to say: rows for its own output, and for the table of bench/main.ts where that started it.

/** One figure. `bar` is what it is held to; without one it is for information. */
export interface BenchRow {
  readonly what: string;
  readonly value: number;
  /** `×` for a ratio. */
  readonly unit: string;
  readonly bar?: { readonly kind: 'at least' | 'at most'; readonly value: number };
}

/** The value with three significant digits, or whole where it is large. */
export function valueText({ value, unit }: Pick<BenchRow, 'value' | 'unit'>): string {
  const digits = value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
  return `${digits} ${unit}`;
}

export function isMet({ value, bar }: BenchRow): boolean | undefined {
  if (bar === undefined) return undefined;
  return bar.kind === 'at least' ? value >= bar.value : value <= bar.value;
}

/** Prints the rows, and hands them to whoever started this process to collect them. */
export function report(title: string, rows: readonly BenchRow[]): void {
  if (process.send) process.send({ title, rows });
  else
    process.stdout.write(
      `${title}\n${rows.map((row) => `  ${row.what.padEnd(58)} ${valueText(row).padStart(16)}\n`).join('')}`,
    );
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
