// Minutes around load, on the service's clock: CloudWatch sums by whole minutes, so that sums are exact only where
// load has minutes of its own. Arithmetic; waiting is for others. All moments are ms since 1970.

import { MS_PER_MINUTE } from '../../units.ts';

/** The first whole minute that is not before a moment, ms since 1970. */
export function ceilToMinute(ms: number): number {
  return Math.ceil(ms / MS_PER_MINUTE) * MS_PER_MINUTE;
}

/** The whole minute in which a moment lies, ms since 1970. */
export function floorToMinute(ms: number): number {
  return Math.floor(ms / MS_PER_MINUTE) * MS_PER_MINUTE;
}

/**
 * The first moment from `fromMs` on at which load may start so that its first measured stage begins on a
 * whole minute.
 * @param leadMs  from the start of load to its first measured stage
 */
export function alignedStart(fromMs: number, leadMs: number): number {
  return ceilToMinute(fromMs + leadMs) - leadMs;
}

/** When load starts, ms since 1970 of the service's clock. */
export interface LoadStart {
  /** Start of the idle minute: nothing is sent from here until load starts. */
  readonly idleFromMs: number;
  readonly loadFromMs: number;
  /** Start of the first measured stage, a whole minute. */
  readonly measuredFromMs: number;
}

export interface LoadMoments {
  readonly readyMs: number;
  readonly nowMs: number;
  readonly leadMs: number;
}

/**
 * When load may start: after an idle whole minute, and so that its first measured stage begins on a whole minute.
 * @param moments.readyMs  when tables were ready and preloaded
 * @param moments.nowMs  load cannot start before
 * @param moments.leadMs  from the start of load to its first measured stage
 */
export function loadStart({ readyMs, nowMs, leadMs }: LoadMoments): LoadStart {
  const idleFromMs = ceilToMinute(readyMs);
  const loadFromMs = alignedStart(Math.max(idleFromMs + MS_PER_MINUTE, nowMs), leadMs);
  return { idleFromMs, loadFromMs, measuredFromMs: loadFromMs + leadMs };
}

/** The end of the idle minute after load that ended at `endMs`. */
export function idleUntil(endMs: number): number {
  return ceilToMinute(endMs) + MS_PER_MINUTE;
}

/** What data of the service may take to appear, at the least and at the most, ms. The most is where waiting ends. */
export const dataDelayMs = { least: MS_PER_MINUTE, most: 10 * MS_PER_MINUTE } as const;

/**
 * How long a variant takes with its idle minutes, ms: at the best and at the worst alignment and delay. Creating
 * and filling tables comes on top.
 */
export function variantWallMs(loadMs: number): { readonly leastMs: number; readonly mostMs: number } {
  return {
    leastMs: MS_PER_MINUTE + loadMs + MS_PER_MINUTE + dataDelayMs.least,
    mostMs: 3 * MS_PER_MINUTE + loadMs + 2 * MS_PER_MINUTE + dataDelayMs.most,
  };
}
