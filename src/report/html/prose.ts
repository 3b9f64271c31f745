// Sentences of the analysis as HTML: a number keeps its unit on its line, and long names of reasons may break
// between their parts.
import { html, type Markup } from './markup.ts';

const NO_BREAK_SPACE = '\u00a0';

/** Words this long do not fit a narrow screen beside anything else. */
const LONG_WORD = 20;

const numberAndUnit = /(?<=\d) (?=(?:%|[WR]CU\b|ms\b|µs\b|s\b|USD\b|points\b))/g;

/** A short text for a table, which has room to scroll: numbers keep their units. */
export function figures(text: string): Markup {
  return html`${text.replaceAll(numberAndUnit, NO_BREAK_SPACE)}`;
}

/** A sentence: as `figures`, and long words may break. */
export function prose(text: string): Markup {
  const words = text.replaceAll(numberAndUnit, NO_BREAK_SPACE).split(' ');
  return html`${words.map((word, at) => html`${at === 0 ? '' : ' '}${breakable(word)}`)}`;
}

function breakable(word: string): Markup {
  if (word.length < LONG_WORD) return html`${word}`;
  const parts = word.split(/(?<=[a-z])(?=[A-Z])|(?<=[/,;:])/);
  return html`${parts.map((part, at) => (at === 0 ? html`${part}` : html`<wbr>${part}`))}`;
}
