// What a chart shows, as data: made here from a run, embedded in the page as JSON, drawn there by browser/charts.ts.

export interface ChartLine {
  readonly label: string;
  /** Decides colour and dashes, the same in all charts; null: not of one variant, drawn in grey. */
  readonly variantIndex: number | null;
  readonly isDashed: boolean;
  /** One for each x; null is a gap. */
  readonly values: readonly (number | null)[];
}

export interface ChartSpec {
  /** Of the element that it is drawn in. */
  readonly id: string;
  readonly x: {
    /** `nines`: −log10(1 − share), so that 1 is 90 %, 2 is 99 %; `seconds`: since the start of load. */
    readonly kind: 'nines' | 'seconds';
    readonly values: readonly number[];
  };
  readonly y: { readonly unit: string; readonly isLogarithmic: boolean };
  readonly lines: readonly ChartLine[];
  /** Spans of x that do not count, such as warm-up, by name. */
  readonly shaded: readonly { readonly from: number; readonly to: number; readonly label: string }[];
}
