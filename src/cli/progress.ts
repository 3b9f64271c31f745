// Progress on stderr while a run lasts: one line that is rewritten on a terminal, a plain line now and then
// elsewhere.
import type { RunProgress } from '../engine/run-progress.ts';
import type { PrepareProgress } from '../engine/target.ts';
import type { RunPart } from '../experiment/run-parts.ts';
import { startOfWidth, textWidth } from '../report/text-width.ts';
import { visibleText } from '../report/visible-text.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import type { Io } from './io.ts';
import { preparingText, RunningText } from './progress-text.ts';

const REDRAW_MS = 200;
const QUIET_UNTIL_MS = 1_000;
const PLAIN_LINE_MS = 5_000;

/** Shows how far planning is while it lasts. */
export async function whilePlanning<V>(
  io: Io,
  plan: (progress: (state: PrepareProgress) => void) => Promise<V>,
): Promise<V> {
  const line = new ProgressLine(io, 0, false);
  try {
    return await plan((state) => line.planning(state));
  } finally {
    line.stop();
  }
}

/** Shows what a run is doing. Says nothing in the first second, so that short runs stay quiet. */
export class ProgressLine {
  readonly #io: Io;
  readonly #startMs = performance.now();
  readonly #variantCount: number;
  readonly #isVirtual: boolean;
  #text: () => string = () => '';
  #timer: NodeJS.Timeout | undefined;
  #shownWidth = 0;
  #lastPlainMs = Number.NEGATIVE_INFINITY;

  constructor(io: Io, variantCount: number, isVirtual: boolean) {
    this.#io = io;
    this.#variantCount = variantCount;
    this.#isVirtual = isVirtual;
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS);
    this.#timer.unref();
  }

  /** What is done before the first variant. */
  planning(state: PrepareProgress): void {
    this.#text = () => preparingText(state);
    this.#draw();
  }

  preparing(plan: RunPlan, state: PrepareProgress, part?: RunPart): void {
    this.#text = () => `${this.#variant(plan, part)}: ${preparingText(state)}`;
    this.#draw();
  }

  running(plan: RunPlan, progress: () => RunProgress, part?: RunPart): void {
    const text = new RunningText(plan.stages, this.#isVirtual);
    this.#text = () => `${this.#variant(plan, part)}: ${text.line(progress())}`;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clear();
  }

  #variant(plan: RunPlan, part?: RunPart): string {
    if (part?.kind === 'discarded') return `warming up, not recorded (${plan.variant.name})`;
    const repeat = part?.repeat === undefined ? '' : `repeat ${part.repeat + 1} of ${part.repeats}, `;
    return `${repeat}variant ${plan.variant.index + 1} of ${this.#variantCount} (${plan.variant.name})`;
  }

  #draw(): void {
    const nowMs = performance.now();
    const text = visibleText(this.#text());
    if (text === '' || this.#timer === undefined || nowMs - this.#startMs < QUIET_UNTIL_MS) return;
    if (this.#io.isErrTerminal) {
      const shown = startOfWidth(text, (this.#io.columns ?? 80) - 1);
      const width = textWidth(shown);
      this.#io.err(`\r${shown}${' '.repeat(Math.max(0, this.#shownWidth - width))}`);
      this.#shownWidth = width;
    } else if (nowMs - this.#lastPlainMs >= PLAIN_LINE_MS) {
      this.#lastPlainMs = nowMs;
      this.#io.err(`${text}\n`);
    }
  }

  #clear(): void {
    if (this.#shownWidth > 0) this.#io.err(`\r${' '.repeat(this.#shownWidth)}\r`);
    this.#shownWidth = 0;
  }
}
