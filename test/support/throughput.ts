// Builds tables and indexes of the capacity model, and offers them load at an exact rate: what tests of
// capacity/ and of experiment/ share.
import { type CapacityModel, capacityModels } from '../../src/capacity/capacity-model.ts';
import type { KeyState } from '../../src/capacity/key-state.ts';
import { placementSalt } from '../../src/capacity/placement.ts';
import type { ResourceSettings } from '../../src/capacity/resource-settings.ts';
import { ResourceThroughput } from '../../src/capacity/resource-throughput.ts';
import type { Billing, Start } from '../../src/dynamodb/table-spec.ts';
import { US_PER_SECOND } from '../../src/units.ts';

export const onDemand: Billing = { mode: 'on-demand' };
export const newStart: Start = { kind: 'new' };

export const tableArn = 'arn:aws:dynamodb:eu-west-1:111122223333:table/orders';
export const indexArn = `${tableArn}/index/GSI1`;

/** A start warm enough for a number of partitions. */
export function warmFor(partitions: number): Start {
  return { kind: 'warm', warmReadUnits: 3_000 * partitions, warmWriteUnits: 1_000 * partitions };
}

/** A model with some constants replaced. */
export function modelWith(constants: Partial<CapacityModel>): CapacityModel {
  return { ...capacityModels.default, ...constants };
}

/** An on-demand table of four partitions, unless told otherwise. */
export function buildThroughput(settings: Partial<ResourceSettings> = {}): ResourceThroughput {
  const resource = settings.resource ?? 'Table';
  return new ResourceThroughput({
    name: resource === 'Table' ? 'orders' : 'orders/GSI1',
    arn: resource === 'Table' ? tableArn : indexArn,
    resource,
    billing: onDemand,
    start: newStart,
    initialBytes: 0,
    model: capacityModels.default,
    salt: placementSalt(1),
    ...settings,
  });
}

export interface OfferedLoad {
  readonly keys: readonly KeyState[];
  readonly ratePerSec: number;
  readonly seconds: number;
  /** Units of one request; default 1. */
  readonly units?: number;
  readonly operation?: 'Read' | 'Write';
  /** For reads; default false. */
  readonly isEventual?: boolean;
}

/** Requests admitted and refused, the keys taken in turn, at evenly spaced moments from time 0. */
export function offer(
  throughput: ResourceThroughput,
  load: OfferedLoad,
): { accepted: number; refused: number } {
  const { keys, ratePerSec, seconds, units = 1, operation = 'Write', isEventual = false } = load;
  let accepted = 0;
  const count = ratePerSec * seconds;
  for (let index = 0; index < count; index++) {
    const atUs = Math.floor((index * US_PER_SECOND) / ratePerSec);
    const key = keys[index % keys.length] as KeyState; // The remainder is an index of the list.
    if (attempt(throughput, key, operation, units, atUs, isEventual) === 0) accepted++;
  }
  return { accepted, refused: count - accepted };
}

/** One request: asks, then spends or counts the refusal. Returns the mask of the limits that refused. */
export function attempt(
  throughput: ResourceThroughput,
  key: KeyState,
  operation: 'Read' | 'Write',
  units: number,
  atUs: number,
  isEventual = false,
): number {
  const isWrite = operation === 'Write';
  const mask = isWrite ? throughput.failingWrite(key, atUs) : throughput.failingRead(key, atUs);
  if (mask !== 0) throughput.countThrottled(key, operation, mask, units, atUs);
  else if (isWrite) throughput.spendWrite(key, units, atUs);
  else throughput.spendRead(key, units, atUs, isEventual);
  return mask;
}

/** Keys by number, as typed texts. */
export function keysOf(
  throughput: ResourceThroughput,
  count: number,
  prefix = 'S:STATUS#PENDING#',
): KeyState[] {
  return Array.from({ length: count }, (_, index) => throughput.keyState(`${prefix}${index}`));
}
