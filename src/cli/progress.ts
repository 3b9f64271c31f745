// Progress on stderr while a run lasts: one line that is rewritten on a terminal, a plain line now and then elsewhere.
import type { RunProgress } from '../engine/run-variant.ts';
import type { PrepareProgress } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import { formatDuration, US_PER_SECOND } from '../units.ts';
import type { Io } from './io.ts';

const REDRAW_MS = 200;
const QUIET_UNTIL_MS = 1_000;
const PLAIN_LINE_MS = 5_000;

/** Shows what a run is doing. Says nothing in the first second, so that short runs stay quiet. */
export class ProgressLine {
  readonly #io: Io;
  readonly #startMs = performance.now();
  readonly #variantCount: number;
  #text: () => string = () => '';
  #timer: NodeJS.Timeout | undefined;
  #shownLength = 0;
  #lastPlainMs = Number.NEGATIVE_INFINITY;

  constructor(io: Io, variantCount: number) {
    this.#io = io;
    this.#variantCount = variantCount;
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS);
    this.#timer.unref();
  }

  preparing(plan: RunPlan, { what, done, of }: PrepareProgress): void {
    this.#text = () => `${this.#variant(plan)}: ${what}${of > 0 ? ` ${count(done)} of ${count(of)}` : ''}`;
    this.#draw();
  }

  running(plan: RunPlan, progress: () => RunProgress): void {
    const endUs = plan.stages.at(-1)?.endUs ?? 0;
    this.#text = () => {
      const { atUs, planned, finished, throttled, inFlight } = progress();
      const stage = plan.stages.find((one) => atUs < one.endUs)?.name ?? 'drain';
      const left = formatDuration(Math.max(0, Math.ceil((endUs - atUs) / US_PER_SECOND)) * US_PER_SECOND);
      const throttledText = throttled > 0 ? `, ${count(throttled)} throttled` : '';
      return `${this.#variant(plan)}: ${stage}, ${left} left, ${count(planned)} due, ${count(finished)} done${throttledText}, ${count(inFlight)} in flight`;
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clear();
  }

  #variant(plan: RunPlan): string {
    return `variant ${plan.variant.index + 1} of ${this.#variantCount} (${plan.variant.name})`;
  }

  #draw(): void {
    const nowMs = performance.now();
    const text = this.#text();
    if (text === '' || this.#timer === undefined || nowMs - this.#startMs < QUIET_UNTIL_MS) return;
    if (this.#io.isErrTerminal) {
      const shown = text.slice(0, (this.#io.columns ?? 80) - 1);
      this.#io.err(`\r${shown.padEnd(this.#shownLength)}`);
      this.#shownLength = shown.length;
    } else if (nowMs - this.#lastPlainMs >= PLAIN_LINE_MS) {
      this.#lastPlainMs = nowMs;
      this.#io.err(`${text}\n`);
    }
  }

  #clear(): void {
    if (this.#shownLength > 0) this.#io.err(`\r${' '.repeat(this.#shownLength)}\r`);
    this.#shownLength = 0;
  }
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
