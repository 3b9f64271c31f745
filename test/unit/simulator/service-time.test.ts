// Aim: modelled service times are whole, plausible and the same everywhere. Method: fixed draws against the
// tables.
import { describe, expect, test } from 'vitest';
import { dataApis } from '../../../src/dynamodb/operation.ts';
import { CounterRandom, streamKey } from '../../../src/prng.ts';
import { serviceTimeUs } from '../../../src/simulator/service-time.ts';

describe('service time', () => {
  test.each(dataApis)('of %s is whole and rises with the draw', (api) => {
    const times = [0, 0.1, 0.5, 0.9, 0.99, 0.999, 0.999_999].map((uniform) => serviceTimeUs(api, uniform));
    expect(times.every(Number.isInteger)).toBe(true);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
  });

  test('has a median of single-digit milliseconds for single items, and a tail', () => {
    for (const api of ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] as const) {
      expect(serviceTimeUs(api, 0.5)).toBeLessThan(10_000);
      expect(serviceTimeUs(api, 0.999)).toBeGreaterThan(3 * serviceTimeUs(api, 0.5));
    }
  });

  test('is longer for strong reads, more items and larger pages', () => {
    expect(serviceTimeUs('GetItem', 0.5, { isStrong: true })).toBeGreaterThan(serviceTimeUs('GetItem', 0.5));
    expect(
      serviceTimeUs('BatchWriteItem', 0.5, { itemCount: 25 }) - serviceTimeUs('BatchWriteItem', 0.5),
    ).toBe(24 * 40);
    expect(serviceTimeUs('Query', 0.5, { pageBytes: 1_048_576 }) - serviceTimeUs('Query', 0.5)).toBe(
      256 * 60,
    );
  });

  test('sums to this number over 10,000 draws of one seed', () => {
    const random = new CounterRandom(streamKey(1, 'service'));
    let sum = 0;
    for (let index = 0; index < 10_000; index++) sum += serviceTimeUs('PutItem', random.float());
    expect(sum).toMatchInlineSnapshot(`40778147`);
  });
});
