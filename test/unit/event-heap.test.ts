// Aim: events leave the heap in the order of (time, rank), however they came.
// Method: two thousand events at few moments, in a seeded order, against a sort.
import { expect, test } from 'vitest';
import { EventHeap, eventRank } from '../../src/event-heap.ts';
import { CounterRandom, streamKey } from '../../src/prng.ts';

test('the heap gives events back in the order of time, then rank', () => {
  const heap = new EventHeap();
  const random = new CounterRandom(streamKey(1, 'heap'));
  const expected: [number, number][] = [];
  for (let index = 0; index < 2_000; index++) {
    const atUs = random.int(50);
    const rank = eventRank(random.int(3), index);
    expected.push([atUs, rank]);
    heap.push(atUs, rank, { fire: () => void seen.push([atUs, rank]) });
  }
  const seen: [number, number][] = [];
  while (heap.size > 0) heap.pop().fire(0);
  expect(seen).toEqual(expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
});
