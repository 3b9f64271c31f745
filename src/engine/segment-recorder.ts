// Hands over what was recorded while a variant runs, so that a process that dies leaves more than nothing:
// each second on a wall clock, and in virtual time as often as a part of a second of real time, counted in
// operations, since the same run must give the same segments.
import type { EndLine, SegmentLine } from '../analysis/records/segments.ts';
import type { Clock } from '../clock.ts';
import { US_PER_SECOND } from '../units.ts';
import type { VariantMeasurement } from './run-variant.ts';
import { SegmentSource } from './segment-source.ts';
import type { WorkloadRecorder } from './workload-recorder.ts';

/** Before everything else at its moment: a segment ends where its second does. */
const FIRST_OF_ALL = -1;

/** In virtual time: a segment for so many operations, some 0.2 s of work, or for a minute of them. */
const OPERATIONS_PER_SEGMENT = 20_000;
const LONGEST_VIRTUAL_SEGMENT_US = 60 * US_PER_SECOND;

interface SegmentParts {
  readonly clock: Clock;
  readonly recorders: readonly WorkloadRecorder[];
  /** End of the last stage. In virtual time nothing is scheduled beyond it, so that time can come to its end. */
  readonly endUs: number;
  readonly write: (line: SegmentLine | EndLine) => void;
}

/** The segments of one variant: `start` before its load, `finish` after it. */
export class SegmentRecorder {
  readonly #parts: SegmentParts;
  readonly #source: SegmentSource;
  #fromUs = 0;

  constructor(parts: SegmentParts) {
    this.#parts = parts;
    this.#source = new SegmentSource(parts.recorders);
  }

  start(): void {
    this.#scheduleAfter(0);
  }

  /** The rest, and how the variant ended. */
  finish({ status, reachedUs, abort }: Pick<VariantMeasurement, 'status' | 'reachedUs' | 'abort'>): void {
    this.#take(reachedUs);
    this.#parts.write({ kind: 'end', status, reachedUs, ...(abort === undefined ? {} : { abort }) });
  }

  #scheduleAfter(nowUs: number): void {
    const nextUs = (Math.floor(nowUs / US_PER_SECOND) + 1) * US_PER_SECOND;
    const { clock, endUs } = this.#parts;
    if (clock.kind === 'wall-clock' || nextUs <= endUs) clock.schedule(nextUs, FIRST_OF_ALL, this.#second);
  }

  readonly #second = {
    fire: (nowUs: number): void => {
      if (this.#isDue(nowUs)) this.#take(nowUs);
      this.#scheduleAfter(nowUs);
    },
  };

  #isDue(nowUs: number): boolean {
    return (
      this.#parts.clock.kind === 'wall-clock' ||
      this.#source.plannedSince >= OPERATIONS_PER_SEGMENT ||
      nowUs - this.#fromUs >= LONGEST_VIRTUAL_SEGMENT_US
    );
  }

  #take(untilUs: number): void {
    const fromUs = this.#fromUs;
    this.#fromUs = Math.max(fromUs, untilUs);
    this.#parts.write({ kind: 'segment', fromUs, untilUs: this.#fromUs, workloads: this.#source.take() });
  }
}
