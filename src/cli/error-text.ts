// Errors as they are printed on stderr: what a scenario, a key or a server puts into them stays text.
import { type DynoLoadError, formatError } from '../errors.ts';
import { visibleText } from '../report/visible-text.ts';

type Facts = Pick<DynoLoadError, 'code' | 'what' | 'why' | 'fix'> & Partial<Pick<DynoLoadError, 'issues'>>;

/** The three parts of an error, or those of each of its issues, with what cannot be seen written out. */
export function errorText({ code, issues = [], ...parts }: Facts): string {
  return formatError({ code, ...visibleParts(parts), issues: issues.map(visibleParts) });
}

function visibleParts({ what, why, fix }: Pick<Facts, 'what' | 'why' | 'fix'>): {
  what: string;
  why: string;
  fix: string;
} {
  return { what: visibleText(what), why: visibleText(why), fix: visibleText(fix) };
}

/** A text of several lines, such as a stack. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}
