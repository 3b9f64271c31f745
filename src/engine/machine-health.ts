// What the machine took from this process while load ran: time stolen by a hypervisor, pauses by a CPU limit,
// heat, a lowered clock, and how busy its cores were. Reads files that Linux keeps; where one is missing or
// unreadable the answer is null, and never an error.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import type { MachineHealth } from '../analysis/records/machine-health.ts';

/** What is read of the system, so that tests can put another one in its place. */
export interface SystemFacts {
  /** The text of a file; undefined where it cannot be read. */
  readText(path: string): string | undefined;
  readonly cores: number;
  /** Cores that this process may run on. */
  readonly usableCores: number;
  /** Time of all cores since the machine started, ms, and how much of it was idle. */
  coreTimes(): { readonly totalMs: number; readonly idleMs: number };
}

/** The system under this process. */
export const thisSystem: SystemFacts = {
  readText: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // Other platforms, older kernels and sandboxes lack some of these files: what they would say is then not known.
      return undefined;
    }
  },
  cores: cpus().length,
  usableCores: availableParallelism(),
  coreTimes: () => {
    let [totalMs, idleMs] = [0, 0];
    for (const { times } of cpus()) {
      totalMs += times.user + times.nice + times.sys + times.idle + times.irq;
      idleMs += times.idle;
    }
    return { totalMs, idleMs };
  },
};

interface Counters {
  readonly times: { readonly totalMs: number; readonly idleMs: number };
  readonly stolen: Counted | undefined;
  /** By cgroup, from that of the process up to the root. */
  readonly periods: readonly (Counted | undefined)[];
  readonly thermalEvents: number | undefined;
  readonly frequencyLimitKhz: number | undefined;
}

/** Readings of the machine between `start` and `finish`. */
export class MachineProbe {
  readonly #system: SystemFacts;
  #before: Counters;

  constructor(system: SystemFacts = thisSystem) {
    this.#system = system;
    this.#before = readCounters(system);
  }

  start(): void {
    this.#before = readCounters(this.#system);
  }

  finish(): MachineHealth {
    const before = this.#before;
    const after = readCounters(this.#system);
    const totalMs = after.times.totalMs - before.times.totalMs;
    const idleMs = after.times.idleMs - before.times.idleMs;
    const limit = cgroupLimit(this.#system);
    return {
      cores: this.#system.cores,
      usableCores: Math.min(this.#system.usableCores, limit ?? Number.POSITIVE_INFINITY),
      cpuLimitCores: limit ?? null,
      busyRatio: totalMs > 0 ? ratio(totalMs - idleMs, totalMs) : null,
      stolenRatio: shareSince(before.stolen, after.stolen),
      limitedRatio: worst(after.periods.map((now, level) => shareSince(before.periods[level], now))),
      thermalThrottles: difference(before.thermalEvents, after.thermalEvents),
      frequencyLimitRatio:
        before.frequencyLimitKhz && after.frequencyLimitKhz !== undefined
          ? ratio(after.frequencyLimitKhz, before.frequencyLimitKhz)
          : null,
    };
  }
}

function readCounters(system: SystemFacts): Counters {
  return {
    times: system.coreTimes(),
    stolen: stolenTime(system),
    periods: cgroupFolders(system).map((folder) => limitedPeriods(system, folder)),
    thermalEvents: thermalEvents(system),
    frequencyLimitKhz: lowestFrequencyLimit(system),
  };
}

/** A part of a whole, both counted up since some start. */
interface Counted {
  readonly part: number;
  readonly whole: number;
}

/**
 * @see proc_stat(5): user nice system idle iowait irq softirq steal, in ticks; what follows is part of user
 *   and nice
 */
function stolenTime({ readText }: SystemFacts): Counted | undefined {
  const line = /^cpu +(.*)$/m.exec(readText('/proc/stat') ?? '')?.[1];
  const ticks = line?.trim().split(/\s+/).map(Number).slice(0, 8);
  const part = ticks?.[7];
  if (ticks === undefined || part === undefined) return undefined;
  return { part, whole: ticks.reduce((sum, one) => sum + one, 0) };
}

/**
 * Where the limits of this process stand: version 2 of cgroups in one tree, version 1 in that of `cpu`. A
 * limit above holds as well.
 */
function cgroupFolders({ readText }: SystemFacts): string[] {
  const lines = (readText('/proc/self/cgroup') ?? '').split('\n');
  return lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (controllers === '') return withParents('/sys/fs/cgroup', path);
    return controllers?.split(',').includes('cpu') ? withParents(`/sys/fs/cgroup/${controllers}`, path) : [];
  });
}

function withParents(root: string, path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '..');
  return Array.from({ length: parts.length + 1 }, (_, level) =>
    [root, ...parts.slice(0, parts.length - level)].join('/'),
  );
}

/** @see "Control Group v2", cpu.stat, docs.kernel.org; the names are those of version 1 too */
function limitedPeriods({ readText }: SystemFacts, folder: string): Counted | undefined {
  const text = readText(`${folder}/cpu.stat`);
  const whole = numberAfter(text, 'nr_periods');
  const part = numberAfter(text, 'nr_throttled');
  return whole === undefined || part === undefined ? undefined : { part, whole };
}

/** Cores that the lowest of the limits allows; undefined where there is none. */
function cgroupLimit(system: SystemFacts): number | undefined {
  const limits = cgroupFolders(system).flatMap((folder) => {
    const [quota, period] =
      system.readText(`${folder}/cpu.max`)?.trim().split(' ').map(Number) ??
      ['quota', 'period'].map((name) => Number(system.readText(`${folder}/cpu.cfs_${name}_us`)));
    // `max` in version 2 and −1 in version 1 are no limit.
    return quota !== undefined && quota > 0 && period !== undefined && period > 0 ? [quota / period] : [];
  });
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** Times that cores, and the package, slowed down because of heat. */
function thermalEvents(system: SystemFacts): number | undefined {
  const folder = (core: number) => `/sys/devices/system/cpu/cpu${core}/thermal_throttle`;
  const ofCores = numbersOf(system, (core) => `${folder(core)}/core_throttle_count`);
  const ofPackages = numbersOf(system, (core) => `${folder(core)}/package_throttle_count`);
  if (ofCores.length + ofPackages.length === 0) return undefined;
  // Each core of a package tells the package's count.
  return ofCores.reduce((sum, one) => sum + one, 0) + Math.max(0, ...ofPackages);
}

/**
 * The highest clock that the most limited core is allowed: the kernel lowers it when a machine is too hot, or
 * short of power.
 */
function lowestFrequencyLimit(system: SystemFacts): number | undefined {
  const limits = numbersOf(system, (core) => `/sys/devices/system/cpu/cpu${core}/cpufreq/scaling_max_freq`);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

function numbersOf({ readText, cores }: SystemFacts, path: (core: number) => string): number[] {
  return Array.from({ length: cores }, (_, core) => readText(path(core))).flatMap((text) =>
    text === undefined || !/^\d+\s*$/.test(text) ? [] : [Number(text)],
  );
}

function numberAfter(text: string | undefined, name: string): number | undefined {
  const digits = new RegExp(`^${name} (\\d+)$`, 'm').exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function shareSince(before: Counted | undefined, after: Counted | undefined): number | null {
  if (before === undefined || after === undefined) return null;
  const whole = after.whole - before.whole;
  return whole > 0 ? ratio(after.part - before.part, whole) : 0;
}

function difference(before: number | undefined, after: number | undefined): number | null {
  return before === undefined || after === undefined ? null : Math.max(0, after - before);
}

function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Four digits are more than such counters are worth. */
function ratio(part: number, whole: number): number {
  return Number(Math.max(0, part / whole).toFixed(4));
}
