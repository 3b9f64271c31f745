// Admission on one table or one global index: which limits a request would break, what it spends when it
// runs, and a record of both. A request that touches several resources asks all of them first and spends only
// when none refuses; doing that in two phases is the caller's part. Local indexes spend on their table.
import type { Billing, Start } from '../dynamodb/table-spec.ts';
import type { ThrottlingReason } from '../dynamodb/throttling-reason.ts';
import type { CapacityModel } from './capacity-model.ts';
import { KeyList, MAX_HEAVY_KEYS, MAX_LISTED_KEYS } from './key-list.ts';
import { HEAT_PER_WRITE_UNIT, KeyState } from './key-state.ts';
import { observeResource } from './observe-resource.ts';
import { LivePartitions } from './live-partitions.ts';
import { MeasuredWindow } from './measured-window.ts';
import { startingPartitionCount } from './partition-map.ts';
import { evenPosition, keyPosition, type PlacementSalt } from './placement.ts';
import type { Partition } from './partition.ts';
import type { PartitionsRecord } from './partitions-record.ts';
import type { ResourceObservation } from './resource-observation.ts';
import type { ResourceSettings } from './resource-settings.ts';
import { ResourceSide } from './resource-side.ts';
import {
  limitBits,
  reasonsByMask,
  type ThrottledOperation,
  throttlingException,
  type ThrottlingExceptionName,
} from './throttling.ts';

/**
 * Throughput of one table or global index, reads and writes apart.
 *
 * Times are whole µs since the start of the variant and never go back. Admission: every limit concerned must
 * hold tokens; the full cost is then taken from all, below zero if need be. A read is checked before and
 * charged after it is evaluated.
 */
export class ResourceThroughput {
  readonly name: string;
  readonly arn: string;
  readonly resource: 'Table' | 'Index';
  readonly #initialBytes: number;
  readonly #model: CapacityModel;
  readonly #salt: PlacementSalt;
  #billing: Billing;
  readonly #partitions: LivePartitions;
  readonly #keys: KeyList;
  readonly #read: ResourceSide;
  readonly #write: ResourceSide;
  readonly #readReasons: readonly (readonly ThrottlingReason[])[];
  readonly #writeReasons: readonly (readonly ThrottlingReason[])[];
  readonly #window = new MeasuredWindow();

  constructor(settings: ResourceSettings) {
    const { arn, billing, model, resource, createdAtUs = 0 } = settings;
    this.name = settings.name;
    this.arn = arn;
    this.resource = resource;
    this.#billing = billing;
    this.#initialBytes = settings.initialBytes;
    this.#model = model;
    this.#salt = settings.salt;
    this.#keys = new KeyList({
      maxListedKeys: settings.maxListedKeys ?? MAX_LISTED_KEYS,
      maxHeavyKeys: MAX_HEAVY_KEYS,
    });
    const backlogSeconds = resource === 'Index' ? model.indexBacklogSeconds : 0;
    this.#read = new ResourceSide('Read', billing, model, { startAtUs: createdAtUs });
    this.#write = new ResourceSide('Write', billing, model, { startAtUs: createdAtUs, backlogSeconds });
    this.#partitions = new LivePartitions({
      model,
      backlogSeconds,
      count: startingPartitionCount(settings, model),
      createdAtUs,
      keys: this.#keys,
      read: this.#read,
      write: this.#write,
      mayCutCollections: settings.mayCutCollections ?? false,
    });
    this.#readReasons = reasonsByMask('Read', resource, arn);
    this.#writeReasons = reasonsByMask('Write', resource, arn);
  }

  /** How its throughput is bought now. */
  get billing(): Billing {
    return this.#billing;
  }

  /** Carries out the changes of partitions that are due; requests do so by themselves. */
  advance(atUs: number): void {
    if (atUs >= this.#partitions.nextUs) this.#partitions.advance(atUs);
  }

  get partitionCount(): number {
    return this.#partitions.serving.length;
  }

  /** The partitions that serve now, in the order of the hash range; to look at only. */
  get partitions(): readonly Partition[] {
    return this.#partitions.serving;
  }

  /**
   * Buys other throughput from a moment on. Partitions become as many as such a table would start with, and
   * never fewer: DynamoDB splits and does not merge. They are cut all at once, evenly.
   */
  setBilling(billing: Billing, start: Start, atUs: number): void {
    const size = { billing, start, initialBytes: this.#initialBytes };
    const count = startingPartitionCount(size, this.#model);
    this.#billing = billing;
    this.#read.setBilling(billing, this.#model, atUs);
    this.#write.setBilling(billing, this.#model, atUs);
    if (count > this.partitionCount) this.#partitions.growTo(count, atUs);
  }

  /** Its partitions as they can be had again. */
  recordPartitions(): PartitionsRecord {
    return this.#partitions.record();
  }

  /** Takes up partitions as they were recorded. To be called before load, with all bytes there. */
  restorePartitions(record: PartitionsRecord, atUs: number): void {
    this.#partitions.restore(record, atUs);
  }

  /**
   * Counts bytes that came under a key, or went, below zero.
   * @param key  undefined: one that no request has named, such as of an item that was there before load
   */
  addBytes(key: KeyState | undefined, bytes: number): void {
    this.#partitions.addBytes(key, bytes);
  }

  /**
   * Sets the part of the run that is recorded; by default all of it. Call it before load: limits work all the
   * time, and what happens outside the window is not counted.
   */
  markMeasured(fromUs: number, untilUs: number): void {
    this.#window.set(fromUs, untilUs);
  }

  /**
   * The state of a key, made at its first mention. Hold on to it: the requests below then need no look-up.
   */
  keyState(keyText: string): KeyState {
    const known = this.#keys.get(keyText);
    if (known !== undefined) return known;
    const position =
      this.#model.placement === 'even'
        ? evenPosition(this.#keys.distinctCount, this.partitionCount)
        : keyPosition(keyText, this.#salt);
    const { partition, epoch } = this.#partitions.at(position);
    const key = new KeyState(keyText, position, partition, epoch);
    this.#keys.add(key);
    return key;
  }

  /** The state of a key that a request has named; undefined for others. */
  namedKey(keyText: string): KeyState | undefined {
    return this.#keys.get(keyText);
  }

  /**
   * The limits that a write of this key would break now, as a sum of `limitBits`; 0: it may run. Takes
   * nothing.
   */
  failingWrite(key: KeyState, atUs: number): number {
    const partitions = this.#partitions;
    if (atUs >= partitions.nextUs) partitions.advance(atUs);
    const mask = this.#write.failing(atUs);
    if (partitions.of(key).write.bucket.hasTokens(atUs)) return mask;
    return mask | limitBits.KeyRange | this.#write.alsoFailing(atUs);
  }

  /**
   * As `failingWrite`, for a read; the same for strong and eventual reads, which differ in what they spend.
   */
  failingRead(key: KeyState, atUs: number): number {
    const partitions = this.#partitions;
    if (atUs >= partitions.nextUs) partitions.advance(atUs);
    const mask = this.#read.failing(atUs);
    if (partitions.of(key).read.bucket.hasTokens(atUs)) return mask;
    return mask | limitBits.KeyRange | this.#read.alsoFailing(atUs);
  }

  /** Takes the units of an admitted write from every limit, and records it. */
  spendWrite(key: KeyState, units: number, atUs: number): void {
    this.#write.spend(units, atUs);
    this.#keys.warm(key, units * HEAT_PER_WRITE_UNIT);
    const partition = this.#partitions.of(key);
    partition.heat += units * HEAT_PER_WRITE_UNIT;
    partition.write.windowUnits += units;
    partition.write.bucket.spend(units, atUs);
    const second = this.#window.secondOf(atUs);
    if (second < 0) return;
    partition.write.record(units, second);
    this.#write.recordSpent(units, units, second);
    key.useOf('Write').recordSpent(units, units, second);
  }

  /**
   * Takes the units of an admitted read from every limit, and records it. Where the model lets eventual reads
   * go beyond a partition's ceiling by a factor, they take that much less of it.
   */
  spendRead(key: KeyState, units: number, atUs: number, isEventual: boolean): void {
    this.#read.spend(units, atUs);
    this.#keys.warm(key, units);
    const partition = this.#partitions.of(key);
    const share = isEventual ? units / this.#model.eventualReadFactor : units;
    partition.heat += units;
    partition.read.windowUnits += share;
    partition.read.bucket.spend(share, atUs);
    const second = this.#window.secondOf(atUs);
    if (second < 0) return;
    partition.read.record(share, second);
    this.#read.recordSpent(units, share, second);
    key.useOf('Read').recordSpent(units, share, second);
  }

  /**
   * Records a refused request. Call it for every resource that the request touches: with the mask where this
   * resource refused, with 0 where only another did, so that the demand is known on all of them.
   * @param units  what it would have cost; undefined for a read not evaluated: the mean of the key's reads,
   *   or 1
   */
  countThrottled(
    key: KeyState,
    operation: ThrottledOperation,
    mask: number,
    units: number | undefined,
    atUs: number,
  ): void {
    const lost = units ?? meanUnits(key, operation);
    const heat = operation === 'Write' ? lost * HEAT_PER_WRITE_UNIT : lost;
    this.#keys.warm(key, heat);
    const partition = this.#partitions.of(key);
    partition.heat += heat;
    const second = this.#window.secondOf(atUs);
    if (second < 0) return;
    const isWrite = operation === 'Write';
    if (mask !== 0) (isWrite ? partition.write : partition.read).throttledUnits += lost;
    (isWrite ? this.#write : this.#read).recordRefused(mask, lost, second);
    key.useOf(operation).recordRefused(mask, lost, second);
  }

  /** The reasons of a mask in DynamoDB's words; one shared list per mask, one shared reason per limit. */
  reasons(mask: number, operation: ThrottledOperation): readonly ThrottlingReason[] {
    return (operation === 'Read' ? this.#readReasons : this.#writeReasons)[mask] ?? [];
  }

  /** The exception of a request that this resource was the first to refuse, by the mask with which it did. */
  exception(mask: number, operation: ThrottledOperation): ThrottlingExceptionName {
    return throttlingException(operation, { resource: this.resource, mode: this.#billing.mode, mask });
  }

  /**
   * What happened in the measured window.
   * @param endUs  where load ended, if before the end of the window; by default the last request seen ends an
   *   open window
   */
  observe(endUs?: number): ResourceObservation {
    return observeResource({
      settings: this,
      ...this.#window.reached(endUs),
      partitions: this.#partitions,
      keys: this.#keys,
      read: this.#read,
      write: this.#write,
    });
  }
}

function meanUnits(key: KeyState, operation: ThrottledOperation): number {
  const use = operation === 'Read' ? key.read : key.write;
  return use === undefined || use.requests === 0 ? 1 : use.units / use.requests;
}
