// A part of a whole, as tables and judgements have it.

/** Part ÷ whole; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
