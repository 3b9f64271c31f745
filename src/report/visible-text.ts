// Text of scenarios, keys and servers made safe to look at: characters that cannot be seen, or that change
// how others are seen, stand as their codes. Every format and the messages on stderr share it; what a format
// itself takes for markup is escaped there.

/**
 * Controls (C0, DEL, C1), separators of lines, halves of surrogate pairs, and what Unicode lets a display
 * ignore: marks of direction, characters of no width, tags. Emoji keep the selector that makes them so.
 * @see "Unicode Character Database", Default_Ignorable_Code_Point, https://www.unicode.org/reports/tr44/,
 *   read 2026-11-30
 */
const invisible =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\ufff9-\ufffb]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** For the most frequent texts, which have nothing to hide. */
const printableAscii = /^[ -~]*$/;

const named: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

const LAST_OF_TWO_DIGITS = 0xff;
const LAST_OF_FOUR_DIGITS = 0xffff;

/**
 * The text on one line, each character that cannot be seen as JavaScript would write it: `\n`, `\x1b`, `\u202e`,
 * `\u{e0001}`. Without them a key could move the cursor, reorder what stands beside it, begin a line of its own,
 * or read as another key.
 */
export function visibleText(text: string): string {
  if (printableAscii.test(text)) return text;
  return text.replaceAll(invisible, (mark) => named[mark] ?? codeOf(mark.codePointAt(0) ?? 0));
}

function codeOf(code: number): string {
  const digits = code.toString(16);
  if (code <= LAST_OF_TWO_DIGITS) return `\\x${digits.padStart(2, '0')}`;
  return code <= LAST_OF_FOUR_DIGITS ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}
