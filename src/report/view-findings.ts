// Findings, each with what was seen, why, and the cure.
import type { RunResult } from '../analysis/run-result.ts';
import { joinNames } from '../analysis/wording.ts';
import { cell, type ListSection } from './section.ts';

/** The findings of a run; null where there are none. */
export function findingsSection({ findings }: RunResult): ListSection | null {
  if (findings.length === 0) return null;
  return {
    kind: 'list',
    title: 'Findings',
    entries: findings.map(({ code, variants, confidence, isModelled, seen, because, advice }) => ({
      head: cell(
        `${code} · ${confidence} confidence${isModelled ? ' · modelled' : ''} · ${joinNames(variants)}`,
        'strong',
      ),
      lines: [
        { label: 'seen', text: seen },
        { label: 'because', text: because },
        { label: 'advice', text: advice },
      ],
    })),
  };
}
