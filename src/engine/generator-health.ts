// Our own share of what was measured: CPU, event-loop delay and utilisation, and garbage collection of this
// thread, and what its machine did (machine-health.ts). These two files are the only ones of the engine that
// read the process.
import {
  type IntervalHistogram,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks';
import type { GarbageCollection, MachineHealth } from '../analysis/records/machine-health.ts';
import type { WorkerHealth } from '../analysis/records/worker-health.ts';
import { US_PER_SECOND } from '../units.ts';
import { MachineProbe } from './machine-health.ts';

/** Readings from the start of load to its end; null where the platform does not tell. */
export interface HealthReadings {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly eventLoopDelayP99Ms: number | null;
  /** The longest that the event loop stood still: a single block hides below every percentile. */
  readonly eventLoopDelayMaxMs: number | null;
  readonly eventLoopUtilization: number | null;
  readonly garbageCollection?: GarbageCollection;
  readonly machine?: MachineHealth;
  /** Where threads of their own made the load: each of them. */
  readonly workers?: WorkerHealth[];
}

/** Readings of the generator's own process, taken around the load of one variant. */
export interface HealthProbe {
  start(): void;
  /**
   * From here on operations are measured: what held the event loop up before, in a warm-up, is forgotten.
   * @param lateMs  how much later than it was due: a block that began before lasted so long after
   */
  measure(lateMs: number): void;
  /** Readings since `start`, those of the event loop's delay since `measure`. */
  finish(): HealthReadings;
}

const NS_PER_MS = 1_000_000;
const DELAY_RESOLUTION_MS = 5;

/** The probe of the running process. */
export class ProcessHealthProbe implements HealthProbe {
  readonly #machine = new MachineProbe();
  readonly #collections = new CollectionCounter();
  #cpu = process.cpuUsage();
  #startMs = performance.now();
  #utilization = performance.eventLoopUtilization();
  #delay: IntervalHistogram | undefined;
  #lateMs = 0;

  start(): void {
    this.#lateMs = 0;
    this.#machine.start();
    this.#collections.start();
    this.#delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    this.#delay.enable();
    this.#cpu = process.cpuUsage();
    this.#startMs = performance.now();
    this.#utilization = performance.eventLoopUtilization();
  }

  measure(lateMs: number): void {
    this.#delay?.reset();
    this.#lateMs = lateMs;
  }

  finish(): HealthReadings {
    const { user, system } = process.cpuUsage(this.#cpu);
    const { utilization } = performance.eventLoopUtilization(this.#utilization);
    this.#delay?.disable();
    const wallSeconds = (performance.now() - this.#startMs) / 1_000;
    return {
      wallSeconds,
      cpuSeconds: (user + system) / US_PER_SECOND,
      eventLoopDelayP99Ms: this.#delay === undefined ? null : delayMs(this.#delay.percentile(99)),
      eventLoopDelayMaxMs:
        this.#delay === undefined ? null : Math.max(this.#lateMs, delayMs(this.#delay.max)),
      eventLoopUtilization: Number(utilization.toFixed(4)),
      garbageCollection: this.#collections.finish(),
      machine: this.#machine.finish(),
    };
  }
}

/** The monitor reports whole intervals: what goes beyond its own resolution is the delay. */
function delayMs(intervalNs: number): number {
  return Math.max(0, Number((intervalNs / NS_PER_MS - DELAY_RESOLUTION_MS).toFixed(3)));
}

/** Counts pauses for garbage collection. */
class CollectionCounter {
  #observer: PerformanceObserver | undefined;
  #collections = 0;
  #pausedMs = 0;
  #longestMs = 0;

  start(): void {
    this.#observer?.disconnect();
    this.#collections = 0;
    this.#pausedMs = 0;
    this.#longestMs = 0;
    this.#observer = new PerformanceObserver((list) => this.#count(list.getEntries()));
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  finish(): GarbageCollection {
    // The last ones may not have been handed over yet.
    this.#count(this.#observer?.takeRecords() ?? []);
    this.#observer?.disconnect();
    return {
      collections: this.#collections,
      seconds: Number((this.#pausedMs / 1_000).toFixed(6)),
      longestMs: Number(this.#longestMs.toFixed(3)),
    };
  }

  #count(entries: readonly PerformanceEntry[]): void {
    for (const { duration } of entries) {
      this.#collections++;
      this.#pausedMs += duration;
      this.#longestMs = Math.max(this.#longestMs, duration);
    }
  }
}
