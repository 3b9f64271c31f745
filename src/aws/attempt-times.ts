// Where the time of attempts and of connections goes on our side of the network, counted over the load of one
// variant. Evidence for how far the generator, and not the table, made a latency.
import type { SessionObservation } from '../engine/target.ts';
import type { AttemptTimes } from '../http/attempt.ts';
import type { OpeningTimes } from '../http/connection.ts';
import { type HistogramDelta, LatencyHistogram } from '../stats/histogram.ts';

/** Counts attempts and connections; both callbacks are cheap enough for each request (about 20 ns). */
export class AttemptTimesRecorder {
  readonly #queue = new LatencyHistogram();
  readonly #connect = new LatencyHistogram();
  readonly #tls = new LatencyHistogram();
  readonly #firstByte = new LatencyHistogram();
  readonly #total = new LatencyHistogram();

  /** Attempts that never got a connection count in `total` alone. */
  readonly onAttempt = (attempt: AttemptTimes): void => {
    const { startedAtUs, sentAtUs, firstByteAtUs, endedAtUs } = attempt;
    this.#total.record(endedAtUs - startedAtUs);
    if (sentAtUs === 0) return;
    this.#queue.record(sentAtUs - startedAtUs);
    if (firstByteAtUs !== 0) this.#firstByte.record(firstByteAtUs - sentAtUs);
  };

  readonly onOpened = ({ connectUs, tlsUs }: OpeningTimes): void => {
    this.#connect.record(connectUs);
    if (tlsUs !== undefined) this.#tls.record(tlsUs);
  };

  /** All counts, as other threads can add them up; those of which there are none are left out. */
  spans(): { [name: string]: HistogramDelta | undefined } {
    const span = (histogram: LatencyHistogram) => histogram.takeSince(new LatencyHistogram());
    return {
      queue: span(this.#queue),
      connect: span(this.#connect),
      tls: span(this.#tls),
      firstByte: span(this.#firstByte),
      total: span(this.#total),
    };
  }

  get result(): NonNullable<SessionObservation['attemptTimes']> {
    return {
      queue: this.#queue.summarize(),
      connect: this.#connect.summarize(),
      tls: this.#tls.summarize(),
      firstByte: this.#firstByte.summarize(),
      total: this.#total.summarize(),
    };
  }
}
