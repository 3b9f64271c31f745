// Why figures are suspect or invalid, and what to do about it; nothing where all are valid.
import type { RunResult, Validity } from '../analysis/run-result.ts';
import { joinNames } from '../analysis/wording.ts';
import { cell, type ListEntry, type ListSection } from './section.ts';

type Reason = Validity['reasons'][number];

/** Variants of which exactly the same is to be said. */
interface Doubt {
  readonly names: string[];
  readonly status: 'suspect' | 'invalid';
  readonly reasons: readonly Reason[];
}

/**
 * One heading for each variant with all its reasons; variants of equal reasons share one. Advice stands once:
 * below the only heading, or at the end where there are several.
 */
export function validitySection({ variants }: RunResult): ListSection | null {
  const doubts = doubtsOf(variants);
  if (doubts.length === 0) return null;
  const advice = adviceLines(doubts.flatMap((doubt) => doubt.reasons));
  const entries = doubts.map(({ names, status, reasons }) => ({
    head: cell(`${joinNames(names)}: ${status}`, status === 'invalid' ? 'bad' : 'doubtful'),
    lines: [
      ...reasons.map(({ code, text }) => ({ label: 'because', text: `${text} (${code})` })),
      ...(doubts.length === 1 ? advice : []),
    ],
  }));
  const end: ListEntry[] = doubts.length === 1 ? [] : [{ head: cell('What to do'), lines: advice }];
  return { kind: 'list', title: 'Validity', entries: [...entries, ...end] };
}

function doubtsOf(variants: RunResult['variants']): Doubt[] {
  const doubts = new Map<string, Doubt>();
  for (const { name, validity } of variants) {
    if (validity.status === 'valid') continue;
    const key = validity.reasons.map(({ code, text }) => `${code} ${text}`).join('\n');
    const known = doubts.get(key);
    if (known) known.names.push(name);
    else doubts.set(key, { names: [name], status: validity.status, reasons: validity.reasons });
  }
  return [...doubts.values()];
}

/** Each advice with the codes that it is for. */
function adviceLines(reasons: readonly Reason[]): { label: string; text: string }[] {
  const codesByAdvice = new Map<string, Set<string>>();
  for (const { code, advice } of reasons) {
    codesByAdvice.set(advice, (codesByAdvice.get(advice) ?? new Set<string>()).add(code));
  }
  return [...codesByAdvice].map(([advice, codes]) => ({
    label: 'advice',
    text: codesByAdvice.size === 1 ? advice : `${advice} (${joinNames([...codes])})`,
  }));
}
