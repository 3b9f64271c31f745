// A run as JSON: the record itself, for programs. The same as run.json.
import type { RunResult } from '../analysis/run-result.ts';

export function renderJson(result: RunResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
