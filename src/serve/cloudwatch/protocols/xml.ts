// Writes XML as the query protocol answers in it: members are elements, members of a list are called
// `member`, pairs `entry`.
// @see "AWS query protocol" in `smithy-lang/smithy docs/source-2.0/aws/protocols/aws-query-protocol.rst`, read 2026-11-30, and
//   the characters that XML 1.0 has (section 2.2)
import { Entries, isList, Timestamp, WholeNumber, type WireValue } from '../wire-values.ts';

/** An element with a value in it; nothing for a value that is undefined. */
export function element(name: string, value: WireValue | undefined): string {
  return value === undefined ? '' : `<${name}>${contentOf(value)}</${name}>`;
}

function contentOf(value: WireValue): string {
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Timestamp) return dateOf(value);
  if (value instanceof WholeNumber) return String(value.value);
  if (value instanceof Entries)
    return value.pairs.map(([key, each]) => element('entry', { key, value: each })).join('');
  if (isList(value)) return value.map((each) => element('member', each)).join('');
  return Object.entries(value)
    .map(([name, each]) => element(name, each))
    .join('');
}

/** Fractions of a second are told only where there are any. */
function dateOf({ seconds }: Timestamp): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}

/**
 * What XML cannot hold, not even as a reference: most control characters, halves of pairs, two that are no
 * characters.
 */
const impossible = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

const references: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  // Readers make a line feed of it, unless it is written like this.
  ['\r', '&#xD;'],
]);

function escaped(text: string): string {
  return text
    .replace(impossible, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => references.get(character) ?? character);
}
