// A variant's data and workloads made once more for each run: pools that hold nothing yet, preloads that know
// their seed.
import { assert } from '../errors.ts';
import type { Item } from '../workload/item.ts';
import { bindPreload, isPreload, type Preload } from '../workload/preload.ts';
import type { ScenarioFunctions } from './evaluate-variant.ts';
import { type Fields, isFields } from './spec-reader.ts';
import { isWorkload, type WorkloadDefinition } from './workload.ts';

/** What a preload has to know before it makes items. */
export interface PreloadSeed {
  readonly seed: number;
  readonly startsAtMs: number;
}

/** A variant's own pools and preloads for one run, with the workloads that use them. */
export interface VariantInstance {
  readonly preloads: ReadonlyMap<string, Preload<Item>>;
  workload(name: string): WorkloadDefinition;
}

/**
 * Calls `data` and `workloads` once more, for pools that hold nothing and preloads that know their seed. They
 * were checked before; functions that return something else the second time are not deterministic, which
 * nothing here can repair.
 */
export function instantiateVariant(
  functions: ScenarioFunctions,
  chosen: Fields,
  seed: PreloadSeed,
): VariantInstance {
  const data = functions.data?.(chosen) ?? {};
  const preloads = new Map<string, Preload<Item>>();
  for (const [name, value] of isFields(data) ? Object.entries(data) : []) {
    if (!isPreload(value)) continue;
    bindPreload(value, { name, ...seed });
    preloads.set(name, value);
  }
  const workloads = functions.workloads(chosen, data);
  return {
    preloads,
    workload: (name) => {
      const found = isFields(workloads) ? workloads[name] : undefined;
      assert(isWorkload(found), `workloads() returns "${name}" each time it is called`);
      return found;
    },
  };
}

/**
 * Instances of a variant, one for each run: the first generators that the workloads create belong to one run
 * and share its pools, the second ones to the next run, and so on.
 */
export class InstancePool {
  readonly #workloadCount: number;
  readonly #make: () => VariantInstance;
  readonly #made = new Map<number, { readonly instance: VariantInstance; taken: number }>();

  constructor(workloadCount: number, make: () => VariantInstance) {
    this.#workloadCount = workloadCount;
    this.#make = make;
  }

  take(run: number): VariantInstance {
    const entry = this.#made.get(run) ?? { instance: this.#make(), taken: 0 };
    entry.taken++;
    // Once every workload has it, nobody asks for it again.
    if (entry.taken < this.#workloadCount) this.#made.set(run, entry);
    else this.#made.delete(run);
    return entry.instance;
  }
}
