// How the keys of each workload are chosen, as notes of its plan: seen while sample operations are generated.
import { choiceText, type KeyChoice } from '../workload/key-choice.ts';
import type { RunPlan } from './run-plan.ts';

/** Collects choices by variant and workload. */
export class KeyChoices {
  readonly #notes = new Map<string, Set<string>>();

  add(plan: RunPlan, workloadName: string, choice: KeyChoice): void {
    const place = placeOf(plan, workloadName);
    const notes = this.#notes.get(place) ?? new Set();
    this.#notes.set(place, notes);
    notes.add(choiceText(choice));
  }

  /** The plan with what was seen of it in the notes of its workloads. */
  noted(plan: RunPlan): RunPlan {
    const workloads = plan.workloads.map((workload) => ({
      ...workload,
      notes: [...workload.notes, ...(this.#notes.get(placeOf(plan, workload.name)) ?? [])],
    }));
    return { ...plan, workloads };
  }
}

function placeOf({ variant }: RunPlan, workloadName: string): string {
  return JSON.stringify([variant.index, workloadName]);
}
