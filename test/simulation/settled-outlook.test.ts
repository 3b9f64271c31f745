// Aim: what the outlook of a short run calls settled is what a long run arrives at, split by split. Method: the
// same demand twice: forty seconds of it, whose outlook is taken, and fifty minutes in which partitions split
// as they will; the share throttled in the last minutes is held against the outlook.
import { expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { KeyState } from '../../src/capacity/key-state.ts';
import { placementSalt } from '../../src/capacity/placement.ts';
import { placementOutlook } from '../../src/experiment/placement-outlook.ts';
import { US_PER_SECOND } from '../../src/units.ts';
import { attempt, buildThroughput } from '../support/throughput.ts';

const UNITS = 50;
const model = { ...capacityModels.default, growsOnDemand: false };

interface Demand {
  readonly name: string;
  /** Write units a second by key. */
  readonly keys: Readonly<Record<string, number>>;
  /** Of keys that are asked for once. */
  readonly tail?: number;
  readonly sortOf?: (index: number) => string;
  readonly seed: number;
}

const scattered = (index: number) => String((index * 7_919) % 10_007).padStart(6, '0');
const rising = (index: number) => String(index).padStart(9, '0');
const equal = (count: number, units: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`S:STATUS#PENDING#${index}`, units]));

/** Offers the demand evenly; what was refused from `fromSecond` on, and the observation of all. */
function run({ keys, tail = 0, sortOf, seed }: Demand, seconds: number, fromSecond: number) {
  const table = buildThroughput({
    model,
    salt: placementSalt(seed),
    mayCutCollections: sortOf !== undefined,
  });
  table.markMeasured(fromSecond * US_PER_SECOND, seconds * US_PER_SECOND);
  // One turn asks for each key as often as its units say.
  const turn = Object.entries(keys).flatMap(([text, units]) =>
    Array.from({ length: units / UNITS }, (_, index) => ({ text, order: (index + 0.5) / units })),
  );
  turn.push(
    ...Array.from({ length: tail / UNITS }, (_, index) => ({ text: '', order: (index + 0.5) / tail })),
  );
  turn.sort((a, b) => a.order - b.order);
  const states = turn.map(({ text }) => (text === '' ? undefined : table.keyState(text)));
  for (let index = 0; index < turn.length * seconds; index++) {
    const atUs = Math.floor((index * US_PER_SECOND) / turn.length);
    const key: KeyState = states[index % turn.length] ?? table.keyState(`S:COLD#${index}`);
    attempt(table, sortOf === undefined ? key : key.asked(sortOf(index)), 'Write', UNITS, atUs);
  }
  const observation = table.observe(seconds * US_PER_SECOND);
  const { requests, throttledRequests } = observation.write;
  return { observation, throttledRatio: throttledRequests / (requests + throttledRequests) };
}

test.each<Demand>([
  { name: 'shards that fit one to a partition', keys: equal(10, 500), seed: 3 },
  { name: 'shards that share partitions to the end', keys: equal(12, 350), seed: 5 },
  { name: 'one hot key among a cold tail', keys: { 'S:HOT': 1_500 }, tail: 1_500, seed: 1 },
  { name: 'keys of which one is beyond a partition', keys: { ...equal(6, 400), 'S:HOT': 2_000 }, seed: 2 },
  { name: 'a cold tail alone', keys: {}, tail: 5_000, seed: 1 },
  { name: 'a hot key with scattered sort keys', keys: { 'S:HOT': 1_500 }, sortOf: scattered, seed: 1 },
  { name: 'a hot key with rising sort keys', keys: { 'S:HOT': 1_500 }, sortOf: rising, seed: 1 },
])('$name', (demand) => {
  const { observation } = run(demand, 40, 0);
  const outlook = placementOutlook({
    observations: [observation],
    operation: 'Write',
    model,
    goalThrottledRatio: 0.001,
    seed: demand.seed,
    placements: 1,
  });
  const short = observation.write.throttledRequests;
  const { throttledRatio } = run(demand, 3_000, 2_700);
  expect(short).toBeGreaterThan(0);
  expect(Math.abs(throttledRatio - outlook.throttledRatioSettled.median)).toBeLessThan(0.01);
});
