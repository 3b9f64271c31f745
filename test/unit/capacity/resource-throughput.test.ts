// Aim: each limit refuses when it should and with its own reason, reads and writes never share, and the
// record of a run adds up. Method: requests at exact moments against tables small enough for the sums to be
// done by hand.
import { describe, expect, test } from 'vitest';
import { limitBits } from '../../../src/capacity/throttling.ts';
import { throttlingReasonTexts } from '../../../src/dynamodb/throttling-reason.ts';
import {
  attempt,
  buildThroughput,
  indexArn,
  keysOf,
  modelWith,
  offer,
  tableArn,
  warmFor,
} from '../../support/throughput.ts';

/** Settings under which the first limit to give way is the one named. */
const giveWay = {
  KeyRange: {},
  Provisioned: { billing: { mode: 'provisioned', readUnits: 10, writeUnits: 10 } },
  MaxOnDemand: { billing: { mode: 'on-demand', maximumReadUnits: 10, maximumWriteUnits: 10 } },
  Account: { model: modelWith({ tableQuotaUnits: 10 }) },
} as const;

const everyReason = (['Table', 'Index'] as const).flatMap((resource) =>
  (['Read', 'Write'] as const).flatMap((operation) =>
    (['KeyRange', 'Provisioned', 'MaxOnDemand', 'Account'] as const).map((limit) => ({
      resource,
      operation,
      limit,
    })),
  ),
);

describe('reasons', () => {
  test.each(everyReason)('$resource $operation $limit is reached', ({ resource, operation, limit }) => {
    const throughput = buildThroughput({ resource, ...giveWay[limit] });
    const key = throughput.keyState('S:STATUS#PENDING#0');
    const masks = Array.from({ length: 5_000 }, () => attempt(throughput, key, operation, 1, 1));
    const refused = masks.find((mask) => mask !== 0) ?? 0;
    expect(throughput.reasons(refused, operation)).toMatchObject([
      { resource, operation, limit, arn: resource === 'Table' ? tableArn : indexArn },
    ]);
  });

  test('these are all sixteen', () => {
    const throughputOf = (resource: 'Table' | 'Index') => buildThroughput({ resource });
    const texts = everyReason.map(
      ({ resource, operation, limit }) =>
        throughputOf(resource).reasons(limitBits[limit], operation)[0]?.reason,
    );
    expect(new Set(texts)).toEqual(new Set(throttlingReasonTexts));
  });

  test('two limits that fail together are both named, the table-wide one first', () => {
    const billing = { mode: 'on-demand', maximumWriteUnits: 500 } as const;
    const throughput = buildThroughput({ billing });
    const key = throughput.keyState('S:STATUS#PENDING#0');
    attempt(throughput, key, 'Write', 600, 0);
    const mask = throughput.failingWrite(key, 0);
    expect(throughput.reasons(mask, 'Write').map(({ limit }) => limit)).toEqual(['MaxOnDemand', 'KeyRange']);
  });
});

describe('admission', () => {
  test('asking takes nothing', () => {
    const throughput = buildThroughput();
    const key = throughput.keyState('S:STATUS#PENDING#0');
    for (let count = 0; count < 5_000; count++) expect(throughput.failingWrite(key, 0)).toBe(0);
  });

  test('reads and writes of one key never share tokens', () => {
    const throughput = buildThroughput();
    const key = throughput.keyState('S:STATUS#PENDING#0');
    throughput.spendWrite(key, 5_000, 0);
    expect(throughput.failingWrite(key, 0)).toBe(limitBits.KeyRange);
    expect(throughput.failingRead(key, 0)).toBe(0);
    throughput.spendRead(key, 5_000, 0, false);
    expect(throughput.failingRead(key, 0)).toBe(limitBits.KeyRange);
  });

  test('a refusal for one key leaves keys on other partitions alone', () => {
    const throughput = buildThroughput({ model: modelWith({ placement: 'even' }) });
    const hot = throughput.keyState('S:STATUS#PENDING#0');
    const cool = throughput.keyState('S:STATUS#PENDING#1');
    throughput.spendWrite(hot, 5_000, 0);
    expect(throughput.failingWrite(hot, 0)).toBe(limitBits.KeyRange);
    expect(throughput.failingWrite(cool, 0)).toBe(0);
  });

  test('a 10 KB put runs on a table of 5 write units, which is then closed for a second', () => {
    const billing = { mode: 'provisioned', readUnits: 5, writeUnits: 5 } as const;
    const throughput = buildThroughput({ billing });
    const key = throughput.keyState('S:STATUS#PENDING#0');
    expect(attempt(throughput, key, 'Write', 10, 0)).toBe(0);
    expect(attempt(throughput, key, 'Write', 1, 1_000_000)).toBe(limitBits.Provisioned);
    expect(attempt(throughput, key, 'Write', 1, 1_000_001)).toBe(0);
  });

  test.each([
    { name: 'strong reads', isEventual: false, factor: 1.5, perSecond: 3_000 },
    { name: 'eventual reads', isEventual: true, factor: 1.5, perSecond: 4_500 },
    { name: 'eventual reads by default', isEventual: true, factor: 1, perSecond: 3_000 },
  ])(
    'one partition serves $perSecond $name a second at factor $factor',
    ({ isEventual, factor, perSecond }) => {
      const model = modelWith({ eventualReadFactor: factor, partitionStartSeconds: 0 });
      const throughput = buildThroughput({ model });
      const load = { keys: keysOf(throughput, 1), ratePerSec: 9_000, seconds: 10 } as const;
      const { accepted } = offer(throughput, { ...load, operation: 'Read', isEventual });
      expect(Math.abs(accepted / 10 - perSecond)).toBeLessThan(2);
    },
  );

  test('a provisioned bank may be spent above the quota', () => {
    const billing = { mode: 'provisioned', readUnits: 1, writeUnits: 30_000 } as const;
    const model = modelWith({ bankStart: 'full', placement: 'even', tableQuotaUnits: 30_000 });
    const throughput = buildThroughput({ billing, model, start: warmFor(60) });
    const { refused } = offer(throughput, { keys: keysOf(throughput, 60), ratePerSec: 45_000, seconds: 2 });
    expect(refused).toBe(0);
  });
});

describe('even placement', () => {
  test('gives each partition as many keys', () => {
    const throughput = buildThroughput({ start: warmFor(5), model: modelWith({ placement: 'even' }) });
    const owners = keysOf(throughput, 10).map((key) => key.partition.id);
    expect(owners).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  });
});

describe('observe', () => {
  test('tells what each key and partition spent and was refused', () => {
    const throughput = buildThroughput({ model: modelWith({ placement: 'even' }) });
    const hot = throughput.keyState('S:STATUS#PENDING#0');
    const cool = throughput.keyState('S:STATUS#PENDING#1');
    offer(throughput, { keys: [hot], ratePerSec: 1_500, seconds: 10 });
    throughput.spendWrite(cool, 2, 9_999_999);
    const seen = throughput.observe(10_000_000);
    // 500 at the start and 1,000 a second: 10,500 of 15,000.
    expect(seen.write).toMatchObject({
      requests: 10_501,
      units: 10_502,
      throttledRequests: 4_500,
      throttledUnits: 4_500,
    });
    expect(seen.write.throttledByLimit).toEqual({
      Account: 0,
      MaxOnDemand: 0,
      Provisioned: 0,
      KeyRange: 4_500,
    });
    expect(seen.topKeys).toMatchObject([
      { key: 'S:STATUS#PENDING#0', partitionId: 0, write: { requests: 10_500, throttledRequests: 4_500 } },
      { key: 'S:STATUS#PENDING#1', partitionId: 1, write: { requests: 1, units: 2 } },
    ]);
    expect(seen.topKeys[0]?.demandRatio).toBeCloseTo(15_000 / 15_002, 9);
    expect(seen.partitions[0]?.write).toMatchObject({
      units: 10_500,
      throttledUnits: 4_500,
      utilizationRatio: 1.05,
    });
    expect(seen.partitions[0]?.write.peakUnitsPerSecond).toBe(1_500);
    expect(seen).toMatchObject({ distinctKeys: 2, isExact: true, windowSeconds: 10 });
  });

  test('leaves out what happened before and after the measured window', () => {
    const throughput = buildThroughput();
    throughput.markMeasured(2_000_000, 5_000_000);
    offer(throughput, { keys: keysOf(throughput, 1), ratePerSec: 100, seconds: 10 });
    const seen = throughput.observe();
    expect(seen.write).toMatchObject({ requests: 300, unitsPerSecond: [100, 100, 100] });
    expect(seen.windowSeconds).toBe(3);
    expect(seen.partitions.reduce((ratio, { write }) => ratio + write.utilizationRatio, 0)).toBeCloseTo(
      0.1,
      9,
    );
  });

  test('limits hold outside the measured window too', () => {
    const throughput = buildThroughput();
    throughput.markMeasured(10_000_000, 20_000_000);
    const { refused } = offer(throughput, { keys: keysOf(throughput, 1), ratePerSec: 1_500, seconds: 10 });
    expect(refused).toBe(4_500);
    expect(throughput.observe().write.throttledRequests).toBe(0);
  });

  test('a run that ended early is measured as far as it came', () => {
    const throughput = buildThroughput();
    throughput.markMeasured(0, 60_000_000);
    offer(throughput, { keys: keysOf(throughput, 1), ratePerSec: 500, seconds: 4 });
    const seen = throughput.observe(4_000_000);
    expect(seen.windowSeconds).toBe(4);
    expect(Math.max(...seen.partitions.map(({ write }) => write.utilizationRatio))).toBe(0.5);
  });

  test('a refusal by another resource is demand here and no throttle here', () => {
    const throughput = buildThroughput();
    const key = throughput.keyState('S:STATUS#PENDING#0');
    for (let count = 0; count < 20; count++) throughput.countThrottled(key, 'Write', 0, 3, 0);
    const seen = throughput.observe(1_000_000);
    expect(seen.write).toMatchObject({
      requests: 0,
      throttledRequests: 0,
      throttledUnits: 0,
      refusedElsewhere: 20,
    });
    expect(seen.writeDemand.totalUnitsPerSecond).toEqual([60]);
    expect(seen.topKeys).toEqual([]);
  });

  test.each([
    { name: 'the mean of its reads', reads: [2, 4], lost: 3 },
    { name: 'one unit before any read', reads: [], lost: 1 },
  ])('a refused read of unknown cost counts as $name', ({ reads, lost }) => {
    const throughput = buildThroughput();
    const key = throughput.keyState('S:STATUS#PENDING#0');
    for (const units of reads) throughput.spendRead(key, units, 0, false);
    throughput.countThrottled(key, 'Read', limitBits.KeyRange, undefined, 0);
    expect(throughput.observe(1_000_000).read.throttledUnits).toBe(lost);
  });

  test('demand by second tells heavy keys from the tail and keeps what came before a key proved heavy', () => {
    const throughput = buildThroughput({ start: warmFor(20) });
    const heavy = keysOf(throughput, 2);
    const cold = keysOf(throughput, 200, 'S:USER#');
    offer(throughput, { keys: [...heavy, ...heavy, ...heavy, ...cold], ratePerSec: 2_060, seconds: 10 });
    const { writeDemand } = throughput.observe(10_000_000);
    const demandOf = (key: string) =>
      writeDemand.heavyKeys.find((entry) => entry.key === key)?.unitsPerSecond ?? [];
    // Each round of 206 writes holds 3 of each heavy key: 30 a second, 300 in all.
    const units = demandOf('S:STATUS#PENDING#0');
    expect(units.reduce((sum, value) => sum + value, 0)).toBeCloseTo(300, 6);
    expect(Math.max(...units)).toBeLessThan(33);
    expect(writeDemand.totalUnitsPerSecond.every((value) => value === 2_060)).toBe(true);
  });

  test('too many keys: cold ones are forgotten, totals stay exact', () => {
    const throughput = buildThroughput({ maxListedKeys: 100 });
    for (let index = 0; index < 1_000; index++)
      throughput.spendWrite(throughput.keyState(`S:USER#${index}`), 1, index * 1_000);
    const hot = throughput.keyState('S:STATUS#PENDING#0');
    for (let count = 0; count < 50; count++) throughput.spendWrite(hot, 1, 1_000_000);
    for (let index = 1_000; index < 2_000; index++)
      throughput.spendWrite(throughput.keyState(`S:USER#${index}`), 1, 1_000_000 + index);
    const seen = throughput.observe(2_000_000);
    expect(seen.isExact).toBe(false);
    expect(seen.write).toMatchObject({ requests: 2_050, units: 2_050 });
    expect(seen.topKeys[0]).toMatchObject({ key: 'S:STATUS#PENDING#0', write: { requests: 50 } });
  });
});
