// Laws: compacting loses no amount and hides no worst second; parts merged in any order are the whole.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TimeSeries } from '../../../src/stats/time-series.ts';

const seed = 20_260_102;
const event = fc.record({
  atUs: fc.integer({ min: 0, max: 400_000_000 }),
  counter: fc.integer({ min: 0, max: 2 }),
  amount: fc.integer({ min: 1, max: 50 }),
});
const events = fc.array(event, { maxLength: 300 });

function seriesOf(happened: readonly { atUs: number; counter: number; amount: number }[]): TimeSeries {
  const series = new TimeSeries(3);
  for (const { atUs, counter, amount } of happened) {
    series.add(atUs, counter, amount);
    series.noteLatency(atUs, amount);
  }
  return series;
}

test('compacted totals are the sum of all, in no more windows than asked for', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 500 }), (happened, maximumWindows) => {
      const series = seriesOf(happened);
      const seconds = series.compact({ maximumWindows: 1_000 });
      const compacted = series.compact({ maximumWindows });
      expect(compacted.windowCount).toBeLessThanOrEqual(maximumWindows);
      for (const counter of [0, 1, 2]) {
        const amounts = happened.filter((one) => one.counter === counter).map((one) => one.amount);
        const sum = (values: readonly number[] = []) => values.reduce((total, value) => total + value, 0);
        expect(sum(compacted.totals[counter])).toBe(sum(amounts));
        expect(Math.max(0, ...(compacted.highestSeconds[counter] ?? []))).toBe(
          Math.max(0, ...(seconds.totals[counter] ?? [])),
        );
        expect(Math.min(...(compacted.lowestSeconds[counter] ?? []))).toBe(
          Math.min(...(seconds.totals[counter] ?? [])),
        );
      }
      expect(Math.max(0, ...compacted.maximumLatencyUs)).toBe(
        Math.max(0, ...happened.map((one) => one.amount)),
      );
    }),
    { seed },
  );
});

test('parts merged in any order are the whole', () => {
  fc.assert(
    fc.property(events, events, events, (a, b, c) => {
      const whole = seriesOf([...a, ...b, ...c]).compact();
      for (const order of [
        [a, b, c],
        [c, a, b],
      ]) {
        const merged = new TimeSeries(3);
        for (const part of order) merged.merge(seriesOf(part));
        expect(merged.compact()).toEqual(whole);
      }
    }),
    { seed },
  );
});
