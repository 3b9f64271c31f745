// Aim: sums per second are kept, and merged into few windows without losing an amount or hiding the worst
// second. Method: a handful of amounts at chosen moments, with the windows written out.
import { describe, expect, test } from 'vitest';
import { TimeSeries } from '../../../src/stats/time-series.ts';

/** A series with one counter that holds these amounts in successive seconds. */
function seriesOf(amounts: readonly number[]): TimeSeries {
  const series = new TimeSeries(1);
  for (const [second, amount] of amounts.entries()) series.add(second * 1_000_000, 0, amount);
  return series;
}

describe('add', () => {
  test('amounts fall into the second in which they happen', () => {
    const series = new TimeSeries(2);
    series.add(0, 0);
    series.add(999_999, 0);
    series.add(1_000_000, 0);
    series.add(1_500_000, 1, 0.5);
    expect(series.compact().totals).toEqual([
      [2, 1],
      [0, 0.5],
    ]);
  });

  test('time may go on far beyond what was foreseen, and back', () => {
    const series = new TimeSeries(1);
    series.add(86_399_999_999, 0);
    series.add(0, 0, 7);
    const compacted = series.compact({ maximumWindows: 100_000 });
    expect(compacted.windowCount).toBe(86_400);
    expect(compacted.totals[0]?.[0]).toBe(7);
    expect(compacted.totals[0]?.[86_399]).toBe(1);
  });

  test('the longest latency of a second is kept', () => {
    const series = new TimeSeries(1);
    series.noteLatency(100, 40);
    series.noteLatency(200, 90);
    series.noteLatency(300, 60);
    expect(series.compact().maximumLatencyUs).toEqual([90]);
  });
});

describe('compact', () => {
  test.each([
    { name: 'single seconds while they fit', amounts: [1, 2, 3, 4], maximumWindows: 4, totals: [1, 2, 3, 4] },
    { name: 'pairs when half fit', amounts: [1, 2, 3, 4], maximumWindows: 2, totals: [3, 7] },
    { name: 'a shorter last window', amounts: [1, 2, 3, 4, 5], maximumWindows: 3, totals: [3, 7, 5] },
    { name: 'one window for all', amounts: [1, 2, 3], maximumWindows: 1, totals: [6] },
    { name: 'nothing for nothing', amounts: [], maximumWindows: 5, totals: [] },
  ])('$name', ({ amounts, maximumWindows, totals }) => {
    expect(seriesOf(amounts).compact({ maximumWindows }).totals).toEqual([totals]);
  });

  test('each window keeps its worst seconds', () => {
    const compacted = seriesOf([5, 1, 0, 9]).compact({ maximumWindows: 2 });
    expect(compacted.windowSeconds).toBe(2);
    expect(compacted.highestSeconds).toEqual([[5, 9]]);
    expect(compacted.lowestSeconds).toEqual([[1, 0]]);
  });

  test('silence up to the end is shown', () => {
    expect(seriesOf([3]).compact({ endUs: 3_000_000 }).totals).toEqual([[3, 0, 0]]);
  });

  test('a last second that is not whole is nobody’s lowest', () => {
    const compacted = seriesOf([4, 6, 5, 1]).compact({ maximumWindows: 2, endUs: 3_200_000 });
    expect(compacted.totals).toEqual([[10, 6]]);
    expect(compacted.lowestSeconds).toEqual([[4, 5]]);
  });
});

describe('perSecond', () => {
  test('whole seconds inside the span only', () => {
    const series = seriesOf([1, 2, 3, 4, 5]);
    expect(series.perSecond(0, { fromUs: 500_000, toUs: 4_900_000 })).toEqual([2, 3, 4]);
  });

  test('seconds after the last event are zeros', () => {
    expect(seriesOf([1]).perSecond(0, { fromUs: 0, toUs: 3_000_000 })).toEqual([1, 0, 0]);
  });
});

describe('merge', () => {
  test('counters add up and the longer latency stays', () => {
    const left = seriesOf([1, 2]);
    left.noteLatency(0, 10);
    const right = seriesOf([10, 20, 30]);
    right.noteLatency(0, 5);
    left.merge(right);
    expect(left.compact()).toMatchObject({ totals: [[11, 22, 30]], maximumLatencyUs: [10, 0, 0] });
  });

  test('series of different counters are not merged', () => {
    expect(() => new TimeSeries(1).merge(new TimeSeries(2))).toThrow('same counters');
  });
});
