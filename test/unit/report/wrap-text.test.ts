// Aim: sentences in a width. Method: narrow widths and words at their borders.
import { expect, test } from 'vitest';
import { wrapText } from '../../../src/report/wrap-text.ts';

test.each([
  ['a text that fits stays whole', 'one two', 7, '', ['one two']],
  ['a text breaks between words', 'one two three', 7, '', ['one two', 'three']],
  ['later lines hang under the first', 'one two', 8, '  - ', ['  - one', '    two']],
  ['a word that is too long stands alone', 'a bcdefghij k', 4, '', ['a', 'bcdefghij', 'k']],
  ['a number keeps its unit', 'grew to 4.51 s or so', 13, '', ['grew to', '4.51 s or so']],
  ['a word that begins like a unit is no unit', 'no such thing', 6, '', ['no', 'such', 'thing']],
  ['no text is one line', '', 10, '- ', ['- ']],
])('%s', (_, text, width, first, lines) => {
  expect(wrapText(text, width, first)).toEqual(lines);
});
