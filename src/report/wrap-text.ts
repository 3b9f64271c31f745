// Text broken between words at a width, with a hanging indent.
import { textWidth } from './text-width.ts';

/** Spaces, but for those between a number and its unit or factor. */
const breakable = /(?<!×) (?!(?:s|ms|µs|%|USD|[WR]CU\/s|points)(?![\w/]))/;

/**
 * Lines of at most `width` columns, but for single words that are longer.
 * @param first  stands before the first line; later lines are indented by its length
 */
export function wrapText(text: string, width: number, first = ''): string[] {
  const indent = ' '.repeat(textWidth(first));
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(breakable)) {
    if (!isEmpty && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
