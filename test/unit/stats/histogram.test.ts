// Aim: latencies are counted to three digits, bounded, and never reported above what was seen. Method: small
// hand-made samples whose ranks can be counted on paper; reading back by hdr-histogram-js, which is not our
// code.
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { LatencyHistogram, LONGEST_LATENCY_US, rankOf } from '../../../src/stats/histogram.ts';

function histogramOf(...latencies: number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const us of latencies) histogram.record(us);
  return histogram;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('quantile', () => {
  test.each([
    { name: 'the median of 1 … 100 is the 50th value', latencies: upTo(100), quantile: 0.5, us: 50 },
    { name: 'p99 of 1 … 100 is the 99th value', latencies: upTo(100), quantile: 0.99, us: 99 },
    { name: 'quantile 0 is the minimum', latencies: [7, 8, 9], quantile: 0, us: 7 },
    { name: 'quantile 1 is the maximum', latencies: [7, 8, 9], quantile: 1, us: 9 },
    { name: 'one value is every quantile', latencies: [123_457], quantile: 0.5, us: 123_457 },
    { name: 'zeros count', latencies: [0, 0, 0, 5], quantile: 0.75, us: 0 },
    // 100,000 lies in the bucket 99,968 … 100,031 of 64 µs: the bucket's end is above the maximum.
    {
      name: 'no quantile exceeds the recorded maximum',
      latencies: [1, 100_000],
      quantile: 0.99,
      us: 100_000,
    },
    // 0.07 × 100 is 7.000000000000001 in floating point.
    { name: 'rounding does not skip a rank', latencies: upTo(100), quantile: 0.07, us: 7 },
    { name: 'nothing recorded gives 0', latencies: [], quantile: 0.99, us: 0 },
  ])('$name', ({ latencies, quantile, us }) => {
    expect(histogramOf(...latencies).quantile(quantile)).toBe(us);
  });

  test.each([
    [0, 100],
    [50, 50],
    [99, 1],
    [100, 0],
    [LONGEST_LATENCY_US * 2, 0],
  ])('of 1 … 100 above %i there are %i', (us, count) => {
    expect(histogramOf(...upTo(100)).countAbove(us)).toBe(count);
  });

  // 10,000 … 10,007 µs share a bucket.
  test('what shares the bucket of a limit is not above it', () => {
    expect(histogramOf(9_999, 10_000, 10_007, 10_008).countAbove(10_000)).toBe(1);
  });

  test('a percentage in place of a ratio is an error', () => {
    expect(() => histogramOf(1).quantile(99)).toThrow('quantile 99 lies outside 0…1');
  });

  test.each([
    { quantile: 0.5, count: 3, rank: 2 },
    { quantile: 0.999, count: 1_000, rank: 999 },
    { quantile: 0.999, count: 1_001, rank: 1_000 },
    { quantile: 0, count: 5, rank: 1 },
  ])('quantile $quantile of $count values has rank $rank', ({ quantile, count, rank }) => {
    expect(rankOf(quantile, count)).toBe(rank);
  });
});

describe('record', () => {
  test('summarizes exactly what buckets cannot: minimum, mean, maximum', () => {
    // (1 + 2 + 1,000,003) ÷ 3
    expect(histogramOf(1, 2, 1_000_003).summarize()).toEqual({
      count: 3,
      minUs: 1,
      meanUs: 333_335.333_333_333_3,
      p50Us: 2,
      p90Us: 1_000_003,
      p99Us: 1_000_003,
      p99_9Us: 1_000_003,
      maxUs: 1_000_003,
    });
  });

  test('an empty histogram is all zeros', () => {
    expect(Object.values(new LatencyHistogram().summarize())).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('latencies above one hour are counted as overflow and keep their true maximum', () => {
    const histogram = histogramOf(10, LONGEST_LATENCY_US, LONGEST_LATENCY_US + 1, 2 * LONGEST_LATENCY_US);
    expect(histogram.overflowCount).toBe(2);
    expect(histogram.count).toBe(4);
    expect(histogram.maxUs).toBe(7_200_000_000);
  });

  test.each([-1, Number.NaN])('a latency of %d is our bug', (us) => {
    expect(() => histogramOf(us)).toThrow(`a latency of ${us} µs was recorded`);
  });
});

describe('add', () => {
  test('counts of both, whichever is longer', () => {
    const short = histogramOf(1, 2, 3);
    short.add(histogramOf(5_000_000, 4));
    expect(short.summarize()).toMatchObject({ count: 5, minUs: 1, maxUs: 5_000_000, p50Us: 3 });
    const long = histogramOf(5_000_000, 4);
    long.add(histogramOf(1, 2, 3));
    expect(long.toRecord()).toEqual(short.toRecord());
  });

  test('an empty one changes nothing', () => {
    const histogram = histogramOf(9);
    histogram.add(new LatencyHistogram());
    expect(histogram.toRecord()).toEqual(histogramOf(9).toRecord());
  });

  test('more than 2^31 in one bucket do not wrap', () => {
    const histogram = histogramOf(1);
    const other = new LatencyHistogram();
    for (let doubling = 0; doubling < 33; doubling++) {
      other.add(histogram);
      histogram.add(other);
    }
    expect(histogram.count).toBeGreaterThan(2 ** 32);
    const read = LatencyHistogram.fromRecord(histogram.toRecord());
    expect(read.count).toBe(histogram.count);
    expect(read.meanUs).toBe(1);
  });
});

describe('moments', () => {
  test('mean and deviation of 10, 20, 30', () => {
    // deviations −10, 0, 10: √(200 ÷ 2)
    expect(histogramOf(10, 20, 30).moments()).toEqual({ n: 3, mean: 20, standardDeviation: 10 });
  });

  test('a single value has no deviation', () => {
    expect(histogramOf(10).moments()).toEqual({ n: 1, mean: 10, standardDeviation: 0 });
  });
});

describe('encode', () => {
  const latencies = [0, 1, 1, 2_047, 2_048, 2_049, 4_096, 65_537, 1_000_000, 3_599_999_999];

  test('hdr-histogram-js reads the same counts and quantiles', () => {
    const histogram = histogramOf(...latencies);
    const theirs = decodeFromCompressedBase64(histogram.encode(), 64);
    expect(theirs.totalCount).toBe(latencies.length);
    expect(theirs.numberOfSignificantValueDigits).toBe(3);
    for (const rank of latencies.keys()) {
      const quantile = (rank + 1) / latencies.length;
      expect(histogram.quantile(quantile)).toBe(
        Math.min(theirs.getValueAtPercentile(quantile * 100), histogram.maxUs),
      );
    }
  });

  test('the text of a small histogram is known byte by byte', () => {
    // Cookie 1c849314 and length; zlib 7801, one stored block of 43 bytes; cookie 1c849313, payload 3 bytes,
    // offset 0, digits 3, lowest 1, highest 2,047, ratio 1.0; payload: one zero (00), then 2 at value 1
    // (ZigZag 04), then 1 at value 2 (02); Adler-32.
    const bytes = [...atob(histogramOf(1, 1, 2).encode())].map((char) => char.charCodeAt(0));
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    expect(hex.slice(0, 30)).toBe('1c84931400000036' + '7801' + '012b00d4ff');
    expect(hex.slice(30, -8)).toBe(
      '1c849313' +
        '00000003' +
        '00000000' +
        '00000003' +
        '0000000000000001' +
        '00000000000007ff' +
        '3ff0000000000000' +
        '000402',
    );
  });

  test('an empty histogram survives the way there and back', () => {
    expect(LatencyHistogram.decode(new LatencyHistogram().encode()).count).toBe(0);
  });

  test('a record gives back the exact figures', () => {
    const record = histogramOf(...latencies).toRecord();
    expect(LatencyHistogram.fromRecord(record).toRecord()).toEqual(record);
  });

  test('counts alone give back figures within three digits', () => {
    const read = LatencyHistogram.decode(histogramOf(1_000_003, 2_000_005).encode());
    expect(Math.abs(read.maxUs - 2_000_005)).toBeLessThan(2_000);
    expect(Math.abs(read.meanUs - 1_500_004)).toBeLessThan(1_500);
  });

  test('what another tool deflated is read too', () => {
    const theirs = build({ numberOfSignificantValueDigits: 4 });
    for (const us of [100, 200, 300_000]) theirs.recordValue(us);
    const read = LatencyHistogram.decode(encodeIntoCompressedBase64(theirs));
    expect(read.count).toBe(3);
    expect(read.quantile(0.5)).toBe(200);
    expect(Math.abs(read.maxUs - 300_000)).toBeLessThan(300);
  });

  test.each([
    { name: 'no base64', text: 'not a histogram!' },
    { name: 'another format', text: btoa('{"count":1}') },
    {
      name: 'a text cut off',
      text: histogramOf(...latencies)
        .encode()
        .slice(0, 60),
    },
  ])('$name is refused with a code', ({ text }) => {
    expect(() => LatencyHistogram.decode(text)).toThrow('RUN_FOLDER_INVALID');
  });
});
