// What is known of the sort keys of one hot item collection, and the parts into which it was cut. Kept only
// for keys that alone are more than a partition may serve: all other collections pay one look at a field.
import { KeyState } from './key-state.ts';

/** Sort keys held as a sample; when there are more, every second one is let go. */
const MOST_SAMPLES = 512;
/** Fewer tell nothing about where traffic goes. */
const LEAST_SAMPLES = 32;

/** A sample, in order of time, of the sort keys that were asked for. */
export class SortSample {
  #sorts: string[] = [];
  #stride = 1;
  #untilNext = 1;
  #draw = 1;

  observe(sort: string): void {
    if (--this.#untilNext > 0) return;
    this.#untilNext = this.#nextGap();
    this.#sorts.push(sort);
    if (this.#sorts.length < MOST_SAMPLES) return;
    this.#sorts = this.#sorts.filter((_, index) => index % 2 === 1);
    this.#stride *= 2;
  }

  /** `#stride` on average, and irregular: every n-th of requests that take turns may miss some for ever. */
  #nextGap(): number {
    this.#draw = (Math.imul(this.#draw, 1_664_525) + 1_013_904_223) >>> 0;
    return 1 + Math.floor((this.#draw / 2 ** 32) * (2 * this.#stride - 1));
  }

  /**
   * The sort text at which demand on the collection halves.
   * @param monotonicRatio  share of newer sort keys beyond all earlier ones from which traffic moves along the
   *   sort key, so that the later part would be as hot as the whole
   * @returns undefined where no cut helps: traffic is monotonic, or on a single item, or hardly known
   * @see "Burst and adaptive capacity", https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html, read 2026-11-30
   */
  cut(monotonicRatio: number): string | undefined {
    const { length } = this.#sorts;
    if (length < LEAST_SAMPLES) return undefined;
    const earlier = this.#sorts.slice(0, length / 2).sort();
    const newer = this.#sorts.slice(length / 2);
    const least = earlier[0] as string;
    const most = earlier.at(-1) as string;
    const beyond = newer.filter((sort) => sort < least || sort > most).length;
    if (beyond >= monotonicRatio * newer.length) return undefined;
    const sorted = [...this.#sorts].sort();
    const median = sorted[length >> 1] as string;
    return median > (sorted[0] as string) ? median : sorted.find((sort) => sort > median);
  }
}

/** The sort keys of one collection: sampled, and from its first cut on divided among parts. */
export class SortKeys {
  readonly #whole: KeyState;
  #sample = new SortSample();
  #parts: readonly SampledPart[] | undefined = undefined;

  constructor(whole: KeyState) {
    this.#whole = whole;
  }

  get isCut(): boolean {
    return this.#parts !== undefined;
  }

  /** The states that stand for the collection: its parts in order of sort key, or itself. */
  get states(): readonly KeyState[] {
    return this.#parts?.map(({ state }) => state) ?? [this.#whole];
  }

  /** The state that a request for this sort key concerns; the sort key joins the sample. */
  asked(sort: string): KeyState {
    const part = this.#partOf(sort);
    (part?.sample ?? this.#sample).observe(sort);
    return part?.state ?? this.#whole;
  }

  /** The same without a sample: for what asks nothing of a sort key. */
  at(sort: string): KeyState {
    return this.#partOf(sort)?.state ?? this.#whole;
  }

  /** Where a state of this collection may be cut. */
  cutOf(state: KeyState, monotonicRatio: number): string | undefined {
    const part = this.#parts?.find((one) => one.state === state);
    return (part?.sample ?? this.#sample).cut(monotonicRatio);
  }

  /**
   * Cuts a state in two; each has half of its heat and of its bytes.
   * @returns the two, the earlier first
   */
  divide(state: KeyState, sort: string): readonly [KeyState, KeyState] {
    const { heat, sizeBytes, partition, epoch } = state;
    const half = { heat: heat / 2, sizeBytes: sizeBytes / 2, partition, epoch };
    const halves = [this.#newPart(half, state.fromSort), this.#newPart(half, sort)] as const;
    const parts = halves.map((half) => ({ state: half, sample: new SortSample() }));
    this.#parts = this.#parts?.flatMap((part) => (part.state === state ? parts : [part])) ?? parts;
    return halves;
  }

  /** Takes up parts of a collection that was cut before; nothing is asked of them yet. */
  restore(parts: readonly CollectionPart[]): void {
    const { partition, epoch } = this.#whole;
    this.#parts = parts.map(({ fromSort, sizeBytes }) => ({
      state: this.#newPart({ heat: 0, sizeBytes, partition, epoch }, fromSort),
      sample: new SortSample(),
    }));
  }

  /** Adds up the heat of the parts: lists of keys know the whole collection only. */
  warmWhole(): void {
    if (this.#parts === undefined) return;
    this.#whole.heat = this.#parts.reduce((sum, { state }) => sum + state.heat, 0);
  }

  #partOf(sort: string): SampledPart | undefined {
    const parts = this.#parts;
    if (parts === undefined) return undefined;
    let index = parts.length - 1;
    while (index > 0 && sort < (parts[index] as SampledPart).state.fromSort) index--;
    return parts[index];
  }

  /** Requests of the parts count on the collection: reports are about keys as users know them. */
  #newPart(
    { heat, sizeBytes, partition, epoch }: Pick<KeyState, 'heat' | 'sizeBytes' | 'partition' | 'epoch'>,
    fromSort: string,
  ): KeyState {
    const whole = this.#whole;
    const part = new KeyState(whole.text, whole.position, partition, epoch);
    part.fromSort = fromSort;
    part.read = whole.useOf('Read');
    part.write = whole.useOf('Write');
    part.heat = heat;
    part.sizeBytes = sizeBytes;
    return part;
  }
}

/** A part of a collection as it is kept: from which sort text on, and what it holds. */
export type CollectionPart = Pick<KeyState, 'fromSort' | 'sizeBytes'>;

interface SampledPart {
  readonly state: KeyState;
  readonly sample: SortSample;
}
