// How much room a text takes on a terminal, where letters of East Asia and emoji fill two columns. The
// measure is the one by which cli-table3 aligns its cells, so that what is fitted here stands in line there.
import stringWidth from 'string-width';

/** Columns of plain text, which has nothing invisible; see visible-text.ts. */
const printableAscii = /^[ -~]*$/;

/** Columns that a text fills, at most one line of it; colours count for nothing. */
export function textWidth(text: string): number {
  return printableAscii.test(text) ? text.length : stringWidth(text);
}

/** The longest beginning of a text that fits a width; no character is cut in two. */
export function startOfWidth(text: string, width: number): string {
  return fitting(charactersOf(text), width).join('');
}

/** The longest end of a text that fits a width. */
export function endOfWidth(text: string, width: number): string {
  return fitting(charactersOf(text).toReversed(), width).toReversed().join('');
}

/** What a reader takes for one character, be it made of several. */
function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function fitting(characters: readonly string[], width: number): string[] {
  let left = width;
  const end = characters.findIndex((character) => (left -= textWidth(character)) < 0);
  return end === -1 ? [...characters] : characters.slice(0, end);
}
