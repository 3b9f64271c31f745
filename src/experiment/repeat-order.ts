// In which order variants run when each runs several times on a wall clock, and what runs before them for
// nothing. Interleaving (A B B A) gives a machine that grows slower, or a neighbour that comes and goes, to all
// variants alike. Running them is for run-scenario.ts.
import type { RunPlan } from '../scenario/run-plan.ts';
import { CounterRandom, streamKey } from '../prng.ts';
import { US_PER_SECOND } from '../units.ts';

/** One run of one variant. */
export interface Execution {
  readonly plan: RunPlan;
  /** From 0; undefined where each variant runs once. */
  readonly repeat: number | undefined;
}

/** Long enough to compile the hot path, open connections and fill a server's caches. */
const DISCARDED_US = 2 * US_PER_SECOND;

/** Rows enough for reads to find some; the whole preload would take longer than what it is for. */
const DISCARDED_PRELOAD = 1_000;

/**
 * All runs in order. Repeats come in pairs: the second of a pair runs in the reverse order of the first, so
 * that a steady drift cancels out; each pair begins with another variant than the pair before, and the seed
 * decides with which the first begins. Once each: the order of the scenario.
 */
export function orderRepeats(plans: readonly RunPlan[], repeats: number): Execution[] {
  if (repeats === 1) return plans.map((plan) => ({ plan, repeat: undefined }));
  const start = new CounterRandom(streamKey(plans[0]?.seed ?? 0, 'order of repeats')).int(
    Math.max(1, plans.length),
  );
  return Array.from({ length: repeats }, (_, repeat) => {
    const pair = Math.floor(repeat / 2);
    const rotated = plans.map((_, place) => plans[(place + start + pair) % plans.length] as RunPlan);
    const ordered = repeat % 2 === 0 ? rotated : rotated.reverse();
    return ordered.map((plan) => ({ plan, repeat }));
  }).flat();
}

/** A short run of a variant, whose figures nobody is to see. */
export function discardedPlan(plan: RunPlan): RunPlan {
  const stage = plan.stages.find((one) => one.isMeasured) ?? plan.stages[0];
  return {
    ...plan,
    // What is put into shared tables is there for all.
    preloads: plan.sharesTables
      ? plan.preloads
      : plan.preloads.map((preload) => ({ ...preload, count: Math.min(preload.count, DISCARDED_PRELOAD) })),
    stages:
      stage === undefined
        ? []
        : [
            {
              ...stage,
              index: 0,
              name: 'discarded',
              startUs: 0,
              endUs: Math.min(DISCARDED_US, stage.endUs - stage.startUs),
            },
          ],
  };
}
