// What is due, ordered by its moment: the heap that both clocks take their events from. When an event fires is
// for clock.ts to say. Each operation of a load costs a push and a pop or two, so that nothing here allocates.

/** Something that is due at a moment. The same object may be scheduled again after it fired. */
export interface ClockEvent {
  fire(nowUs: number): void;
}

const SEQUENCES_PER_WORKLOAD = 2 ** 43;

/** The order of events at one moment: by workload, then by sequence. Sequences stay exact below 2^43. */
export function eventRank(workloadIndex: number, sequence: number): number {
  return workloadIndex * SEQUENCES_PER_WORKLOAD + sequence;
}

/** A binary heap of events ordered by (time, rank); three parallel arrays, so that a push allocates nothing. */
export class EventHeap {
  readonly #times: number[] = [];
  readonly #ranks: number[] = [];
  readonly #events: ClockEvent[] = [];

  get size(): number {
    return this.#times.length;
  }

  /** The moment of the first event; Infinity when there is none. */
  get nextAtUs(): number {
    return this.#times.length === 0 ? Number.POSITIVE_INFINITY : (this.#times[0] as number);
  }

  push(atUs: number, rank: number, event: ClockEvent): void {
    const times = this.#times;
    let index = times.length;
    times.push(atUs);
    this.#ranks.push(rank);
    this.#events.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#isBefore(parent, atUs, rank)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#set(index, atUs, rank, event);
  }

  /** Takes the first event; the heap must not be empty. */
  pop(): ClockEvent {
    const first = this.#events[0] as ClockEvent;
    const atUs = this.#times.pop() as number;
    const rank = this.#ranks.pop() as number;
    const event = this.#events.pop() as ClockEvent;
    const size = this.#times.length;
    if (size > 0) this.#sinkFromTop(size, atUs, rank, event);
    return first;
  }

  clear(): void {
    this.#times.length = 0;
    this.#ranks.length = 0;
    this.#events.length = 0;
  }

  #sinkFromTop(size: number, atUs: number, rank: number, event: ClockEvent): void {
    let index = 0;
    for (let child = 1; child < size; child = 2 * index + 1) {
      const right = child + 1;
      if (right < size && this.#isBefore(right, this.#times[child] as number, this.#ranks[child] as number))
        child = right;
      if (!this.#isBefore(child, atUs, rank)) break;
      this.#move(child, index);
      index = child;
    }
    this.#set(index, atUs, rank, event);
  }

  #isBefore(index: number, atUs: number, rank: number): boolean {
    const time = this.#times[index] as number;
    return time < atUs || (time === atUs && (this.#ranks[index] as number) <= rank);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#times[from] as number, this.#ranks[from] as number, this.#events[from] as ClockEvent);
  }

  #set(index: number, atUs: number, rank: number, event: ClockEvent): void {
    this.#times[index] = atUs;
    this.#ranks[index] = rank;
    this.#events[index] = event;
  }
}
