// A run as JSON: the record itself, for programs. The same as run.json.
import type { RunResult } from '../analysis/run-result.ts';

/**
 * What `JSON.stringify` leaves as it is although a terminal may obey it, or show other text in another order
 * for it.
 */
const unescaped = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Ends with a newline. What cannot be seen is written as its code, which reads back the same. */
export function renderJson(result: RunResult): string {
  const text = JSON.stringify(result, null, 2);
  return `${text.replaceAll(unescaped, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
