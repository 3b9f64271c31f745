// Law: whatever is asked and when, a bucket grants at most what it held, what flowed in, and the cost of one
// operation.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBucket } from '../../../src/capacity/token-bucket.ts';

const bucketArb = fc.record({
  ratePerSec: fc.integer({ min: 0, max: 40_000 }),
  capacity: fc.integer({ min: 1, max: 12_000_000 }),
  startUnits: fc.integer({ min: 0, max: 12_000_000 }),
});
const requestsArb = fc.array(
  fc.record({ gapUs: fc.integer({ min: 0, max: 5_000_000 }), halfUnits: fc.integer({ min: 1, max: 8_000 }) }),
  { maxLength: 300 },
);

test('granted units never exceed start + rate × time + one cost', () => {
  fc.assert(
    fc.property(bucketArb, requestsArb, (settings, requests) => {
      const bucket = new TokenBucket(settings);
      let atUs = 0;
      let granted = 0;
      let dearest = 0;
      for (const { gapUs, halfUnits } of requests) {
        atUs += gapUs;
        if (!bucket.hasTokens(atUs)) continue;
        bucket.spend(halfUnits / 2, atUs);
        granted += halfUnits / 2;
        dearest = Math.max(dearest, halfUnits / 2);
      }
      const held = Math.min(settings.startUnits, settings.capacity);
      expect(granted).toBeLessThanOrEqual(held + (settings.ratePerSec * atUs) / 1_000_000 + dearest);
    }),
    { seed: 1 },
  );
});

test('a bucket that is never full keeps exact accounts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), requestsArb, (ratePerSec, requests) => {
      // Large enough never to overflow: 300 gaps of 5 s at 40,000 units are 60 million.
      const bucket = new TokenBucket({ ratePerSec, capacity: 100_000_000, startUnits: 0 });
      let atUs = 0;
      let spent = 0;
      for (const { gapUs, halfUnits } of requests) {
        atUs += gapUs;
        bucket.spend(halfUnits / 2, atUs);
        spent += halfUnits / 2;
      }
      const tokens = ratePerSec * atUs - spent * 1_000_000;
      expect(bucket.unitsAt(atUs)).toBe(tokens / 1_000_000);
    }),
    { seed: 1 },
  );
});

test('asking often changes nothing', () => {
  fc.assert(
    fc.property(bucketArb, requestsArb, (settings, requests) => {
      const asked = new TokenBucket(settings);
      const quiet = new TokenBucket(settings);
      let atUs = 0;
      for (const { gapUs, halfUnits } of requests) {
        asked.hasTokens(atUs + Math.floor(gapUs / 2));
        atUs += gapUs;
        asked.spend(halfUnits / 2, atUs);
        quiet.spend(halfUnits / 2, atUs);
      }
      expect(asked.unitsAt(atUs)).toBe(quiet.unitsAt(atUs));
    }),
    { seed: 1 },
  );
});
