// Our own share of what was measured: CPU, event-loop delay and utilisation of this process. The one file of the engine that reads the process.
import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';

export interface HealthReadings {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly eventLoopDelayP99Ms: number | null;
  readonly eventLoopUtilization: number | null;
}

/** Readings of the generator's own process, taken around the load of one variant. */
export interface HealthProbe {
  start(): void;
  /** Readings since `start`. */
  finish(): HealthReadings;
}

const NS_PER_MS = 1_000_000;
const DELAY_RESOLUTION_MS = 5;

/** The probe of the running process. */
export class ProcessHealthProbe implements HealthProbe {
  #cpu = process.cpuUsage();
  #startMs = performance.now();
  #utilization = performance.eventLoopUtilization();
  #delay: IntervalHistogram | undefined;

  start(): void {
    this.#delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
    this.#delay.enable();
    this.#cpu = process.cpuUsage();
    this.#startMs = performance.now();
    this.#utilization = performance.eventLoopUtilization();
  }

  finish(): HealthReadings {
    const { user, system } = process.cpuUsage(this.#cpu);
    const { utilization } = performance.eventLoopUtilization(this.#utilization);
    this.#delay?.disable();
    // The monitor reports whole intervals: what goes beyond its own resolution is the delay.
    const delayMs =
      this.#delay === undefined ? null : this.#delay.percentile(99) / NS_PER_MS - DELAY_RESOLUTION_MS;
    return {
      wallSeconds: (performance.now() - this.#startMs) / 1_000,
      cpuSeconds: (user + system) / 1_000_000,
      eventLoopDelayP99Ms: delayMs === null ? null : Math.max(0, Number(delayMs.toFixed(3))),
      eventLoopUtilization: Number(utilization.toFixed(4)),
    };
  }
}
