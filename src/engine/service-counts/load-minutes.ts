// Minutes around load, on the service's clock: CloudWatch sums by whole minutes, so that sums are exact only where
// load has minutes of its own. Arithmetic; waiting is for others. All moments are ms since 1970.

export const MINUTE_MS = 60_000;

export function ceilToMinute(ms: number): number {
  return Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
}

export function floorToMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/**
 * The first moment from `fromMs` on at which load may start so that its first measured stage begins on a whole minute.
 * @param leadMs  from the start of load to its first measured stage
 */
export function alignedStart(fromMs: number, leadMs: number): number {
  return ceilToMinute(fromMs + leadMs) - leadMs;
}

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
  const loadFromMs = alignedStart(Math.max(idleFromMs + MINUTE_MS, nowMs), leadMs);
  return { idleFromMs, loadFromMs, measuredFromMs: loadFromMs + leadMs };
}

/** The end of the idle minute after load that ended at `endMs`. */
export function idleUntil(endMs: number): number {
  return ceilToMinute(endMs) + MINUTE_MS;
}

/** What data of the service may take to appear, at the least and at the most, ms. The most is where waiting ends. */
export const dataDelayMs = { least: MINUTE_MS, most: 10 * MINUTE_MS } as const;

/**
 * How long a variant takes with its idle minutes, ms: at the best and at the worst alignment and delay. Creating
 * and filling tables comes on top.
 */
export function variantWallMs(loadMs: number): { readonly leastMs: number; readonly mostMs: number } {
  return {
    leastMs: MINUTE_MS + loadMs + MINUTE_MS + dataDelayMs.least,
    mostMs: 3 * MINUTE_MS + loadMs + 2 * MINUTE_MS + dataDelayMs.most,
  };
}
