// What a run asks of its target, and how long it waits for that: sessions opened and closed, and what they shared
// released. A run that was stopped waits no longer than its patience; what is still under way then is remembered.
import type { PrepareProgress, TargetSession } from '../engine/target.ts';
import type { RunPlan } from '../scenario/run-plan.ts';
import type { RunParts } from './run-parts.ts';

/** The sessions of one run. */
export class TargetSessions {
  readonly #parts: Pick<RunParts, 'provider' | 'crew'>;
  readonly #signal: AbortSignal;
  /** Resolves, with nothing, some time after the run was stopped: what still takes longer is waited for no more. */
  readonly #outOfPatience: Promise<undefined>;
  /** What the target was asked to do and may still be about. */
  readonly #underWay: Promise<unknown>[] = [];

  /** @param signal  stops the run */
  constructor(parts: Pick<RunParts, 'provider' | 'crew' | 'patience'>, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#outOfPatience = new Promise((resolve) => {
      const wait = () => void parts.patience?.().then(() => resolve(undefined));
      signal.addEventListener('abort', wait);
    });
  }

  /** What `work` comes to; undefined where the run was stopped and it takes too long. */
  inPatience<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.#outOfPatience]);
  }

  /**
   * @returns undefined where the run was stopped meanwhile and the target takes too long; what it makes then
   *   goes at once
   */
  async open(plan: RunPlan, progress: (state: PrepareProgress) => void): Promise<TargetSession | undefined> {
    const opening = this.#parts.provider.open(plan, progress, this.#signal);
    const session = await this.inPatience(opening);
    if (session === undefined)
      this.#underWay.push(opening.then((late) => late.close()).catch(() => undefined));
    return session;
  }

  /** Rejects with what stood in the way. */
  async close(session: TargetSession): Promise<void> {
    const closing = session.close();
    this.#underWay.push(closing);
    await this.inPatience(closing);
  }

  /** Resolves when all that was made is gone; rejects with what keeps what variants shared from going. */
  async cleanedUp(): Promise<void> {
    const { provider, crew } = this.#parts;
    await Promise.allSettled([...this.#underWay, crew?.close()]);
    await provider.close();
  }
}
