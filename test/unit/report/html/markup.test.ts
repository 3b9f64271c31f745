// Aim: nothing that a user or a table's data say can leave its place in the page. Method: hostile texts in
// each kind of place.
import { describe, expect, test } from 'vitest';
import { embeddedJson, html, Markup, nothing } from '../../../../src/report/html/markup.ts';
import { figures, prose } from '../../../../src/report/html/prose.ts';

describe('html', () => {
  test.each([
    [
      'a closing tag',
      '</script><img src=x onerror=alert(1)>',
      '&#60;/script&#62;&#60;img src=x onerror=alert(1)&#62;',
    ],
    ['quotes of both kinds and a backtick', `"'\``, '&#34;&#39;&#96;'],
    ['an entity, which stays the text that it is', '&lt;', '&#38;lt;'],
    ['a line separator, by its code', 'a\u2028b', 'a\\u2028b'],
    ['a right-to-left override, by its code', 'a\u202eb', 'a\\u202eb'],
    ['a mark of direction and a zero-width space, by their codes', '\u200f\u200b', '\\u200f\\u200b'],
    ['a control character, by its code', '\u0000\u001b', '\\x00\\x1b'],
    ['letters of any script as they are', 'ключ 鍵 מפתח 🔑', 'ключ 鍵 מפתח 🔑'],
  ])('writes %s', (_, text, expected) => {
    expect(html`<b title="${text}">${text}</b>`.text).toBe(`<b title="${expected}">${expected}</b>`);
  });

  test('joins markup, lists of markup and numbers, and leaves null out', () => {
    const items = ['<', '>'].map((one) => html`<i>${one}</i>`);
    expect(html`${items}${7}${null}${nothing}${new Markup('<hr>')}`.text).toBe(
      '<i>&#60;</i><i>&#62;</i>7<hr>',
    );
  });
});

describe('embeddedJson', () => {
  test.each(['</script>', '<!--', ']]>', '\u2028\u2029', '&amp;', '"\\'])(
    'carries %j and reads back the same',
    (text) => {
      const json = embeddedJson({ [text]: [text] }).text;
      expect(json).not.toMatch(/[<>&\u2028\u2029]/);
      expect(JSON.parse(json)).toEqual({ [text]: [text] });
    },
  );
});

describe('sentences', () => {
  test('keep numbers and units on one line', () => {
    expect(figures('66.7 % of 1,000 WCU/s in 5 ms').text).toBe(
      '66.7\u00a0% of 1,000\u00a0WCU/s in 5\u00a0ms',
    );
  });

  test('may break long names of reasons between their parts, and short words nowhere', () => {
    expect(prose('placeOrder: IndexWriteKeyRangeThroughputExceeded').text).toBe(
      'placeOrder: Index<wbr>Write<wbr>Key<wbr>Range<wbr>Throughput<wbr>Exceeded',
    );
  });

  test('stay text also where a long word is a tag', () => {
    expect(prose('<script>alert("Hello")</script>').text).not.toContain('<script');
  });
});
