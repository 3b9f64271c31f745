// HTML by construction: whatever is put into a template is escaped unless it is markup itself, so that no
// table name, key or question can become a tag. What the markup says is decided by the callers.
import { visibleText } from '../visible-text.ts';

/** Text that is safe to stand in HTML: made by `html`, or trusted as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | null | readonly Markup[];

/** Joins a template; strings and numbers are escaped, lists of markup joined, null left out. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, content] of contents.entries()) text += textOf(content) + (parts[index + 1] ?? '');
  return new Markup(text);
}

/** No markup, for parts that are left out. */
export const nothing = new Markup('');

/** For element content and for attributes in either kind of quotes. */
function escapeHtml(text: string): string {
  return visibleText(text).replaceAll(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/**
 * A value as JSON that may stand inside a script element: nothing in it can end the element or open a comment,
 * and JavaScript of any age reads it as it is.
 */
export function embeddedJson(value: unknown): Markup {
  const text = JSON.stringify(value);
  return new Markup(text.replaceAll(/[<>&\u2028\u2029]/g, (mark) => `\\u${codeOf(mark)}`));
}

const HEX_DIGITS = 4;

function codeOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).padStart(HEX_DIGITS, '0');
}

function textOf(content: Content): string {
  if (content === null) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map((part) => part.text).join('');
  return escapeHtml(String(content));
}
