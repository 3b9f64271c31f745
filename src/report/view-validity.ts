// Why figures are suspect or invalid, and what to do about it; nothing where all are valid.
import type { RunResult } from '../analysis/run-result.ts';
import { joinNames } from '../analysis/wording.ts';
import { cell, type ListSection } from './section.ts';

/** The doubts of all variants; equal doubts of several variants are said once. */
export function validitySection({ variants }: RunResult): ListSection | null {
  const doubts = new Map<
    string,
    { names: string[]; status: 'suspect' | 'invalid'; text: string; advice: string }
  >();
  for (const { name, validity } of variants) {
    for (const { code, status, text, advice } of validity.reasons) {
      const key = `${code} ${text}`;
      const known = doubts.get(key);
      if (known) known.names.push(name);
      else doubts.set(key, { names: [name], status, text: `${text} (${code})`, advice });
    }
  }
  if (doubts.size === 0) return null;
  return {
    kind: 'list',
    title: 'Validity',
    entries: [...doubts.values()].map(({ names, status, text, advice }) => ({
      head: cell(`${joinNames(names)}: ${status}`, status === 'invalid' ? 'bad' : 'doubtful'),
      lines: [
        { label: 'because', text },
        { label: 'advice', text: advice },
      ],
    })),
  };
}
