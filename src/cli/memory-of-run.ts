// The memory that a run may take, and what is said where its items may need more: only where they lie in this
// process.
import { totalmem } from 'node:os';
import process from 'node:process';
import { getHeapStatistics } from 'node:v8';
import { visibleText } from '../report/visible-text.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { checkRunMemory } from '../scenario/run-memory.ts';
import type { Io } from './io.ts';
import { type RunOptions, SERVED, SIMULATED } from './run-options.ts';

/**
 * Warns on stderr of variants that may need too much memory.
 * @param run.file  the scenario file as the user named it
 * @throws DynoLoadError RUN_TOO_LARGE for those that surely do
 */
export function tellMemory(
  plans: readonly RunPlan[],
  { file, target = SIMULATED }: { readonly file: string } & Pick<RunOptions, 'target'>,
  io: Pick<Io, 'err'>,
): void {
  if (target !== SIMULATED && target !== SERVED) return;
  const warnings = checkRunMemory(plans, {
    file,
    heapBytes: getHeapStatistics().heap_size_limit,
    machineBytes: machineBytes(),
    keepsOnlySizes: target === SIMULATED,
  });
  for (const warning of warnings) io.err(`Memory: ${visibleText(warning)}\n`);
}

/** What the machine has, or what a container leaves of it. */
function machineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
