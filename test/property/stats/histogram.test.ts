// Laws: a quantile is the sorted sample's, too high by less than one in a thousand; parts may be added in any
// order; what is written is read back; equal counts are equal text. Samples spread over all magnitudes from 0
// to beyond an hour.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatencyHistogram, LONGEST_LATENCY_US, rankOf } from '../../../src/stats/histogram.ts';

const seed = 20_260_101;
const latencyUs = fc
  .tuple(fc.integer({ min: 0, max: 31 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([magnitude, share]) => Math.min(LONGEST_LATENCY_US, Math.floor(2 ** (magnitude + share) - 1)));
const sample = fc.array(latencyUs, { minLength: 1, maxLength: 200 });

function histogramOf(latencies: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const us of latencies) histogram.record(us);
  return histogram;
}

test('a quantile is that of the sorted sample within three digits', () => {
  fc.assert(
    fc.property(sample, fc.double({ min: 0, max: 1, noNaN: true }), (latencies, quantile) => {
      const sorted = [...latencies].sort((left, right) => left - right);
      const exact = sorted[rankOf(quantile, sorted.length) - 1] as number;
      const counted = histogramOf(latencies).quantile(quantile);
      expect(counted).toBeGreaterThanOrEqual(exact);
      expect(counted - exact).toBeLessThanOrEqual(exact / 1_000);
      expect(counted).toBeLessThanOrEqual(sorted.at(-1) as number);
    }),
    { seed, numRuns: 500 },
  );
});

test('minimum, maximum, mean and count are exact', () => {
  fc.assert(
    fc.property(sample, (latencies) => {
      const sum = latencies.reduce((total, us) => total + us, 0);
      expect(histogramOf(latencies).summarize()).toMatchObject({
        count: latencies.length,
        minUs: Math.min(...latencies),
        maxUs: Math.max(...latencies),
        meanUs: sum / latencies.length,
      });
    }),
    { seed },
  );
});

test('parts added in any order are the whole, to the byte', () => {
  const shuffledParts = fc.array(sample, { minLength: 1, maxLength: 6 }).chain((parts) =>
    fc.record({
      parts: fc.constant(parts),
      shuffled: fc.shuffledSubarray(parts, { minLength: parts.length }),
    }),
  );
  fc.assert(
    fc.property(shuffledParts, ({ parts, shuffled }) => {
      const added = new LatencyHistogram();
      for (const part of shuffled) added.add(histogramOf(part));
      expect(added.toRecord()).toEqual(histogramOf(parts.flat()).toRecord());
    }),
    { seed },
  );
});

test('what is written is read back', () => {
  fc.assert(
    fc.property(sample, (latencies) => {
      const histogram = histogramOf(latencies);
      const record = histogram.toRecord();
      expect(LatencyHistogram.fromRecord(record).toRecord()).toEqual(record);
      const countsAlone = LatencyHistogram.decode(record.encoded);
      expect(countsAlone.count).toBe(latencies.length);
      expect(countsAlone.encode()).toBe(record.encoded);
    }),
    { seed },
  );
});

test('spans add up to the whole, wherever the cuts lie', () => {
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: 5 }), (spans) => {
      const whole = new LatencyHistogram();
      const taken = new LatencyHistogram();
      const restored = new LatencyHistogram();
      for (const span of spans) {
        for (const us of span) whole.record(us);
        const delta = whole.takeSince(taken);
        expect(delta?.count).toBe(span.length);
        expect(delta?.spanMaxUs).toBeGreaterThanOrEqual(Math.max(...span));
        if (delta !== undefined) restored.addSpan(delta);
      }
      expect(whole.takeSince(taken)).toBeUndefined();
      expect(restored.toRecord()).toEqual(whole.toRecord());
    }),
    { seed, numRuns: 200 },
  );
});
